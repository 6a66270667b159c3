import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { authorize, execute, freeOrigin, key, open, serve, show } from './fixture.ts'

t.test('every operation can be tried but the one that the document excludes', async (t) => {
  const page = await show(t, `${await serve(t)}/docs`)
  const buttons = async (operationId: string) =>
    (await open(page, operationId)).getByRole('button', { name: 'Try it out' }).count()
  t.equal(await buttons('listOrders'), 0)
  t.equal(await buttons('cancelOrder'), 1)
  t.equal(await buttons('getPetById'), 1)
})

t.test('an order is cancelled through the page, once', async (t) => {
  const page = await show(t, `${await serve(t)}/docs`)
  await cancelTwice(t, page)
})

t.test('the same where the API is on another origin', async (t) => {
  const docs = await freeOrigin()
  const api = await serve(t, { CORS_ORIGINS: docs.origin })
  await serve(t, { PORT: docs.port, BASE_URL: `${api}/v1`, STAGING_BASE_URL: 'https://staging.example.com/v1' })
  const page = await show(t, `${docs.origin}/docs`, {}, [docs.origin, api])
  t.strictSame(await page.getByLabel('Server').locator('option').allTextContents(), [
    `${api}/v1 - Production`,
    'https://staging.example.com/v1 - Staging',
  ])
  t.match(await page.locator('.info pre').first().textContent(), `curl -H "Authorization: Bearer $API_KEY" ${api}/v1/`)
  await cancelTwice(t, page)
  const headers = await page.locator('.live-responses-table .headerline').allTextContents()
  t.ok(headers.some((line) => line.includes('x-request-id')))
})

t.test('the same below a prefix of a reverse proxy', async (t) => {
  const origin = await serve(t, { TRUST_PROXY: '127.0.0.1' })
  const page = await show(t, `${await proxy(t, origin, '/shop')}/docs/`)
  t.match(await page.locator('.info pre').first().textContent(), '/shop/v1/store/orders')
  await cancelTwice(t, page)
})

t.test('the key stays in memory', async (t) => {
  const page = await show(t, `${await serve(t)}/docs`)
  await authorize(page)
  const stored = await page.evaluate(async () => [
    JSON.stringify(localStorage),
    JSON.stringify(sessionStorage),
    document.cookie,
    JSON.stringify(await indexedDB.databases()),
  ])
  t.strictSame(stored, ['{}', '{}', '', '[]'])
  await page.reload()
  await open(page, 'cancelOrder')
  await page.getByRole('button', { name: 'Try it out' }).click()
  await execute(t, page, 'cancelOrder', '1013', '401')
})

t.test('the box for the key says where keys come from, and is worked by keyboard', async (t) => {
  const page = await show(t, `${await serve(t)}/docs`)
  await page.locator('.scheme-container').getByRole('button', { name: 'Authorize' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Authorize' })
  t.match(await dialog.textContent(), 'API keys are issued by the operator of the service')
  const input = page.getByLabel('API key')
  t.ok(await input.evaluate((element) => element === document.activeElement))
  t.equal(await input.getAttribute('type'), 'password')
  await page.keyboard.type(key)
  await page.keyboard.press('Escape')
  t.equal(await dialog.count(), 0)
})

async function cancelTwice(t: Test, page: Page) {
  await authorize(page)
  const block = await open(page, 'cancelOrder')
  await block.getByRole('button', { name: 'Try it out' }).click()
  await execute(t, page, 'cancelOrder', '1013', '204')
  t.match(await block.locator('.curl').textContent(), /curl -X 'DELETE'.*1013'.*Bearer browser-key/s)
  await execute(t, page, 'cancelOrder', '1013', '404')
  t.match(await block.locator('.live-responses-table').textContent(), '"code": "order_already_cancelled"')
  await execute(t, page, 'cancelOrder', '1006', '409')
}

/** Serves `target` below `prefix`, which it takes off and names, as a reverse proxy does. */
async function proxy(t: Test, target: string, prefix: string): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const { method, url = '' } = incoming
    const headers = { ...incoming.headers, 'x-forwarded-prefix': prefix }
    const onward = request(`${target}${url.slice(prefix.length)}`, { method, headers }, (answer) => {
      outgoing.writeHead(Number(answer.statusCode), answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(onward)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`
}
