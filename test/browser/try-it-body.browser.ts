// Try it with bodies, in a planted document: this service's own operations have none.
import t from 'tap'
import { check, looks } from './check.ts'
import { send, settles, show, statusOf, tryIt } from './fixture.ts'
import { servePlanted, tryPlanted } from './planted.ts'

t.test('a body is edited as JSON and sent as it was typed', async (t) => {
  const { form, bodies } = await tryPlanted(t, 'createOrder')
  const field = form.getByLabel('Body')
  t.equal(await field.inputValue(), '', 'a request that changes something starts empty')
  t.match(await field.getAttribute('placeholder'), '"petId": 9007199254740993')
  await form.getByRole('button', { name: 'Use the example' }).click()
  t.match(await field.inputValue(), '"petId": 9007199254740993')
  const typed =
    '{ "petId": 9223372036854775807, "items": [{"sku":"it\'s"}],\n  "payment": {"kind":"card","last4":"1234"} }'
  await field.fill(typed)
  await field.press('Enter')
  await field.press('Backspace')
  await send(t, form, '200')
  t.strictSame(bodies, [{ type: 'application/json', text: typed }])
  const command = await form.getByLabel('Request').textContent()
  t.match(command, `-H 'Content-Type: application/json' \\\n  --data-raw '{ "petId": 9223372036854775807`)
  t.match(command, `"it'\\''s"`)
})

t.test('a body that the server rejects has its errors beside it, and one that is no JSON is not sent', async (t) => {
  const { form, bodies } = await tryPlanted(t, 'createOrder')
  const field = form.getByLabel('Body', { exact: true })
  const said = async () => (await form.locator('#try-it-body-error li').allInnerTexts()).join('\n')
  for (const [text, problem] of [
    ['', /^Enter a body\.$/],
    ['{"petId":1,}', /^This is not JSON: /],
    ['{"petId":"1","items":[],"payment":{"kind":"card","last4":"4242"}}', /^petId must be an? .*integer/],
    [
      '{"petId":1,"items":[{"sku":"a","quantity":0}],"payment":{"kind":"card","last4":"4242"}}',
      /^items\[0\]\.quantity must be >= 1/,
    ],
  ] as const) {
    await field.fill(text)
    await send(t, form)
    await settles(t, async () => problem.test(await said()), true, text)
    t.equal(await field.getAttribute('aria-invalid'), 'true')
  }
  t.strictSame(bodies, [], 'none passes the contract')
})

t.test('a form is edited by its fields, and sent encoded; text is sent as it is', async (t) => {
  const { page, form, bodies } = await tryPlanted(t, 'sendForm')
  await form.getByLabel('id', { exact: true }).fill('9007199254740993')
  await form.getByLabel('tags, one item a line').fill('a b\nc&d')
  await send(t, form, '200')
  const note = await tryIt(page, 'putNote')
  await note.getByLabel('name').fill('x')
  await note.getByLabel('Body').fill('{not JSON')
  await send(t, note, '200')
  t.strictSame(bodies, [
    { type: 'application/x-www-form-urlencoded', text: 'id=9007199254740993&tags=a+b&tags=c%26d' },
    { type: 'text/plain', text: '{not JSON' },
  ])
})

t.test('the form opens within the frame of the sample, which stays where it is', async (t) => {
  const { origin } = await servePlanted(t)
  const page = await show(t, `${origin}/docs`)
  const top = () =>
    page.locator('#putNote .samples').evaluate((samples) => scrollY + samples.getBoundingClientRect().top)
  await page.locator('#putNote').evaluate((operation) => operation.scrollIntoView())
  const before = await top()
  await tryIt(page, 'putNote')
  t.equal(await page.locator('#putNote .request .samples ~ .try-it-panel form').count(), 1)
  t.ok(Math.abs((await top()) - before) < 1)
})

t.test('what is within a field opens below it, also by its address, and without scripts', async (t) => {
  const { origin } = await servePlanted(t)
  const page = await show(t, `${origin}/docs#createOrder-body-items[].quantity`)
  await page.getByText('How many units.').waitFor()
  t.ok(await page.getByText('How many units.').isVisible())
  const plain = await show(t, `${origin}/docs`, { javaScriptEnabled: false })
  const digits = plain.locator('#createOrder').getByText('The last digits.')
  t.ok(await digits.isVisible(), 'the first of the alternatives is shown')
  t.notOk(await plain.locator('#createOrder').getByText('1 to 90').isVisible())
  await plain.locator('#createOrder .alternatives > label', { hasText: 'Invoice' }).click()
  t.ok(await plain.locator('#createOrder').getByText('1 to 90').isVisible())
})

for (const [look, options] of Object.entries(looks)) {
  t.test(`${look}: axe reports no violation of bodies, fields and arrays, opened and tried`, async (t) => {
    const { page, form } = await tryPlanted(t, 'createOrder', options)
    for (const details of await page.locator('main details').all())
      await details.evaluate((element) => element.setAttribute('open', ''))
    await form.getByRole('button', { name: 'Use the example' }).click()
    await send(t, form, '200')
    await form.getByRole('textbox', { name: 'Body' }).fill('{}')
    await send(t, form)
    await form
      .locator('#try-it-body-error')
      .getByText(/ is required/)
      .first()
      .waitFor()
    await check(t, page, `${look}-body`, true)
    const fields = await tryIt(page, 'addPet')
    await fields.getByRole('button', { name: 'Edit as a form' }).click()
    await send(t, fields)
    await fields.getByText('Enter a kind.').waitFor()
    await check(t, page, `${look}-fields`)
    const arrays = await tryIt(page, 'search')
    const field = arrays.getByLabel('ids, one item a line', { exact: true })
    await field.fill('')
    await send(t, arrays)
    await arrays.getByText('Enter an item.', { exact: true }).waitFor()
    t.ok(await field.evaluate((element) => element === document.activeElement))
    t.equal(await statusOf(arrays), '', 'it is not sent')
    await check(t, page, `${look}-arrays`)
  })
}
