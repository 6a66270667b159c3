import t, { type Test } from 'tap'
import { freePort } from 'test-kit/ports'
import { authorize, execute, key, send, serve, settles, show, statusOf, tryIt } from './fixture.ts'

t.test('a request that changes something starts empty, and only its own button sends it', async (t) => {
  const page = await show(t, `${await serve(t)}/docs`)
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'DELETE' && sent.push(request.url()))
  const form = await tryIt(page, 'cancelOrder')
  const field = form.getByLabel('orderId')
  t.equal(await field.inputValue(), '')
  t.equal(await field.getAttribute('placeholder'), '1007')
  await form.getByLabel('API key').fill(key)
  await page.keyboard.press('Enter')
  await form.getByText('Key accepted').waitFor()
  await field.fill('1013')
  await page.keyboard.press('Enter')
  // Opened again, with both fields filled: Enter, held down, does not reach the button.
  for (const state of ['closed', 'open']) {
    await page.locator('#cancelOrder').getByRole('button', { name: 'Try it' }).focus()
    await page.keyboard.press('Enter')
    t.equal(await form.count(), state === 'open' ? 1 : 0)
  }
  await field.waitFor()
  await page.keyboard.down('Enter')
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await form.getByRole('button', { name: 'Send DELETE' }).focus()
  await page.keyboard.press('Enter')
  await settles(t, () => statusOf(form), '204')
  t.equal(sent.length, 1)
})

t.test('a request that changes nothing starts with the example, and Enter in its field sends it', async (t) => {
  const { form } = await authorizedForm(t, 'getPetById')
  t.equal(await form.getByLabel('petId').inputValue(), '504')
  await form.getByLabel('API key').press('Enter')
  t.equal(await statusOf(form), '')
  await form.getByLabel('petId').press('Enter')
  await settles(t, () => statusOf(form), '200')
})

t.test('an order is cancelled at an API on another origin', async (t) => {
  const port = String(await freePort())
  const origin = `http://127.0.0.1:${port}`
  const api = await serve(t, { CORS_ORIGINS: origin })
  await serve(t, { PORT: port, BASE_URL: `${api}/v1`, STAGING_BASE_URL: 'https://staging.example.com/v1' })
  const page = await show(t, `${origin}/docs`, {}, [origin, api])
  const servers = page.getByLabel('Base URL')
  t.strictSame(await servers.locator('option').allTextContents(), [
    `${api}/v1 (Production)`,
    'https://staging.example.com/v1 (Staging)',
  ])
  const sample = page.locator('#quick-start pre').first()
  await servers.selectOption({ index: 1 })
  t.match(await sample.textContent(), 'https://staging.example.com/v1/store/orders')
  await servers.selectOption({ index: 0 })
  t.match(await sample.textContent(), `${api}/v1/store/orders`)
  await authorize(page)
  const form = await tryIt(page, 'cancelOrder')
  await execute(t, form, '1013', '204')
  t.match(await form.locator('.try-it-response').innerText(), 'No body')
  await execute(t, form, '1013', '404')
  t.match(await form.getByLabel('Response body').textContent(), '"code": "order_already_cancelled"')
  t.match(await page.locator('.received pre').textContent(), /^x-request-id: \S+$/m)
})

t.test('an invalid value has a message beside its field, and the previous response disappears', async (t) => {
  const { form } = await authorizedForm(t, 'cancelOrder')
  await execute(t, form, '1', '404')
  const field = form.getByLabel('orderId')
  await field.fill('abc')
  await send(t, form)
  await form.getByText('Use plain decimal digits, such as 1007.').waitFor()
  t.equal(await field.getAttribute('aria-invalid'), 'true')
  t.ok(await field.evaluate((element) => element === document.activeElement))
  await settles(t, () => statusOf(form), '')
  t.equal(await form.getByLabel('Response body').count(), 0)
})

t.test('all operations share one key; without it, the server rejects requests', async (t) => {
  const page = await show(t, `${await serve(t)}/docs`)
  const form = await tryIt(page, 'cancelOrder')
  const [first, second] = [page.locator('.access').getByLabel('API key'), form.getByLabel('API key')]
  t.ok(await second.evaluate((element) => element === document.activeElement), 'the empty field has the focus')
  await execute(t, form, '1013', '401')
  await second.fill(key)
  await page.keyboard.press('Tab')
  await form.getByText('Key accepted').waitFor()
  t.equal(await first.inputValue(), key)
  await execute(t, form, '1013', '204')
  await first.fill('')
  await page.keyboard.press('Enter')
  await settles(t, () => second.inputValue(), '')
  await execute(t, form, '1013', '401')
})

t.test('an order is cancelled by keyboard alone', async (t) => {
  const page = await show(t, `${await serve(t)}/docs`)
  await page.keyboard.press('/')
  await page.keyboard.type('Cancel an order')
  await page.getByRole('option', { name: 'Cancel an order' }).first().waitFor()
  await page.keyboard.press('Enter')
  while (!(await page.evaluate(() => document.activeElement?.matches('.try-it')))) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const form = page.getByRole('form', { name: 'Try cancelOrder' })
  await settles(t, () => page.evaluate(() => document.activeElement?.id), 'try-it-key-apiKey')
  await page.keyboard.type(key)
  await page.keyboard.press('Tab')
  await page.keyboard.type('1013')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await settles(t, () => statusOf(form), '204')
})

t.test('the key is kept only in memory', async (t) => {
  const { page } = await authorizedForm(t, 'cancelOrder')
  const stored = await page.evaluate(async () => [
    JSON.stringify(localStorage),
    JSON.stringify(sessionStorage),
    document.cookie,
    JSON.stringify(await indexedDB.databases()),
  ])
  t.strictSame(stored, ['{}', '{}', '', '[]'])
  await page.reload()
  await execute(t, await tryIt(page, 'cancelOrder'), '1013', '401')
})

t.test('if the form cannot be loaded, the page says so, and the next click tries again', async (t) => {
  const page = await show(t, `${await serve(t)}/docs`)
  page.removeAllListeners('console') // the failed request
  await page.context().setOffline(true)
  await page.locator('#cancelOrder').getByRole('button', { name: 'Try it' }).click()
  await page.getByText('The form cannot be loaded.').waitFor()
  await page.context().setOffline(false)
  await tryIt(page, 'cancelOrder') // one click
})

t.test('the form moves between operations and keeps its values', async (t) => {
  const { page, form } = await authorizedForm(t, 'cancelOrder')
  await execute(t, form, '1', '404')
  const pets = await tryIt(page, 'getPetById')
  t.equal(await pets.getByLabel('petId').inputValue(), '504')
  t.equal(await page.getByRole('form', { name: 'Try cancelOrder' }).count(), 0)
  const orders = await tryIt(page, 'cancelOrder')
  t.equal(await orders.getByLabel('orderId').inputValue(), '1')
  await settles(t, () => statusOf(orders), '404')
  const button = page.locator('#cancelOrder').getByRole('button', { name: 'Try it' })
  await button.click()
  t.equal(await orders.count(), 0)
  t.equal(await button.getAttribute('aria-expanded'), 'false')
})

t.test('without a response, the form says so', async (t) => {
  const { page, form } = await authorizedForm(t, 'getPetById')
  await page.context().setOffline(true)
  await send(t, form)
  await form.getByText('No response: this page cannot reach the server').waitFor()
})

t.test('a request can be cancelled, and the focus stays on the form', async (t) => {
  const { page, form } = await authorizedForm(t, 'cancelOrder')
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  await page.route('**/v1/store/orders/*', () => {}) // no response
  await form.getByLabel('orderId').fill('1006')
  await send(t, form)
  await form.getByRole('button', { name: 'Cancel' }).click()
  await form.getByText('Cancelled. The server may have received the request all the same.').waitFor()
  t.equal(await focused(), 'Send DELETE')
  await page.unroute('**/v1/store/orders/*')
  await execute(t, form, '1006', '409')
  t.equal(await focused(), 'Send DELETE')
})

t.test('sent values appear in the samples, and the request is shown as a curl command', async (t) => {
  const { origin, page, form } = await authorizedForm(t, 'cancelOrder')
  const samples = page.locator('#cancelOrder .samples')
  for (const id of ['-5', '9223372036854775807']) {
    await execute(t, form, id, '404')
    t.match(await samples.textContent(), `${origin}/v1/store/orders/${id}`)
    t.match(await samples.textContent(), `cancelOrder(${id}n)`)
    const command = `-X DELETE \\\n  -H "Authorization: Bearer $API_KEY" \\\n  ${origin}/v1/store/orders/${id}`
    t.match(await form.getByLabel('Request').textContent(), command)
  }
  t.match(await page.locator('#quick-start').textContent(), `${origin}/v1/store/orders/1007`)
})

async function authorizedForm(t: Test, operationId: string) {
  const origin = await serve(t)
  const page = await show(t, `${origin}/docs`)
  await authorize(page)
  return { origin, page, form: await tryIt(page, operationId) }
}
