// Try it with every kind of field and body, and with what a browser does not send.
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { send, settles, show, statusOf } from './fixture.ts'
import { servePlanted, tryPlanted } from './planted.ts'

t.test('a body is edited as a form made of its schema, or as JSON, and the samples follow', async (t) => {
  const { page, form } = await tryPlanted(t, 'addPet')
  const sample = page.locator('#addPet .samples pre').first()
  await form.getByRole('button', { name: 'Edit as a form' }).click()
  await form.getByLabel('kind').selectOption('cat')
  await form.getByLabel('isTame').check()
  await form.getByLabel('isOld').selectOption('false')
  await form.getByLabel('born').fill('2020-02-29')
  await form.getByLabel('chip').fill('9007199254740993')
  await form.getByLabel('address.city').fill("St. John's")
  await form.getByRole('button', { name: 'Edit as JSON' }).click()
  const entered = {
    kind: 'cat',
    isTame: true,
    isOld: false,
    born: '2020-02-29',
    chip: 9007199254740993n,
    address: { city: "St. John's" },
  }
  const text = JSON.stringify(entered, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value), 2)
  t.equal(await form.getByLabel('Body').inputValue(), text.replace(/"(\d+)n"/, '$1'))
  t.match(await sample.textContent(), `"city": "St. John'\\''s"`)
  await form.getByLabel('Body').fill('{"kind":"dog","isTame":true,"other":[1]}')
  await form.getByRole('button', { name: 'Edit as a form' }).click()
  t.equal(await form.getByLabel('kind').inputValue(), '"dog"')
  t.match(await sample.textContent(), /--data-raw '\{\s*"other": \[\s*1\s*\],\s*"kind": "dog",\s*"isTame": true\s*\}'/)
  await form.getByLabel('weight').fill('much')
  await send(t, form)
  await form
    .locator('.error')
    .getByText(/^must be a number/)
    .waitFor()
  await settles(t, () => statusOf(form), '400')
  t.equal(await form.getByLabel('weight').getAttribute('aria-invalid'), 'true')
})

t.test(
  'an array has one item a line, sent as its style says; two parameters of one name have a field each',
  async (t) => {
    const { page, form } = await tryPlanted(t, 'search')
    await form.getByLabel('id in the path', { exact: true }).fill('5')
    await form.getByLabel('id in the query', { exact: true }).fill('six')
    t.equal(await form.getByLabel('ids, one item a line', { exact: true }).inputValue(), '7\n8')
    await form.getByLabel('ids, one item a line', { exact: true }).fill('9007199254740993\n\n-1\n')
    await form.getByLabel('joined').fill('a,b\nc d')
    for (const option of ['a', 'b|c']) await form.getByLabel('kinds').getByRole('option', { name: option }).click()
    await form.getByLabel('X-Ids').fill('1\n2')
    const request = page.waitForRequest(/\/v1\/search/)
    await send(t, form)
    const { pathname, search } = new URL((await request).url())
    t.equal(pathname, '/v1/search/5')
    t.equal(search, '?id=six&ids=9007199254740993&ids=-1&joined=a%2Cb,c%20d&kinds=a&kinds=b%7Cc')
    t.equal((await request).headers()['x-ids'], '1,2')
    await settles(t, () => statusOf(form), '200')
  },
)

t.test('an empty field is absent, and what a browser does not send is only in the samples', async (t) => {
  const { page, form } = await tryPlanted(t, 'addPet')
  await form.getByText('A browser lets no page set a cookie: it is only in the samples.').waitFor()
  await form.getByLabel('API key').fill('a&b')
  await form.getByLabel('mode').selectOption('draft')
  await form.getByLabel('notify').selectOption('true')
  await form.getByLabel('notify').selectOption('')
  await form.getByLabel('session').fill('x')
  await form.getByRole('button', { name: 'Use the example' }).click()
  const requesting = page.waitForRequest(/\/v1\/pets/)
  await send(t, form)
  const request = await requesting
  t.equal(new URL(request.url()).search, '?mode=draft&key=a%26b')
  t.notOk('x-note' in request.headers())
  t.match(await page.locator('#addPet .samples pre').first().textContent(), `-H 'Cookie: session=x'`)
  await settles(t, () => statusOf(form), '400')
})

t.test('a form with a file is sent in parts', async (t) => {
  const { page, form } = await tryPlanted(t, 'addPet')
  await form.getByLabel('Media type').selectOption('multipart/form-data')
  await form.getByLabel('kind').selectOption('cat')
  await form.getByLabel('photo').setInputFiles({ name: 'cat.png', mimeType: 'image/png', buffer: Buffer.from('PNG') })
  const requesting = page.waitForRequest(/\/v1\/pets/)
  await send(t, form)
  const { 'content-type': type } = (await requesting).headers()
  t.match(type, /^multipart\/form-data; boundary=/)
  t.match(
    await page.locator('#addPet .samples pre').first().textContent(),
    /--form-string 'kind=cat' \\\n +--form-string 'isTame=false' \\\n +-F 'photo=@cat\.png;type=image\/png'/,
  )
})

t.test('a value that would lead to another path is not sent', async (t) => {
  const { form } = await tryPlanted(t, 'getReport')
  await form.getByLabel('year').fill('..')
  await send(t, form)
  await form.getByText('year must not be "..": it would lead to another path.').waitFor()
  t.equal(await statusOf(form), '')
})

t.test('a response that is not text is downloaded', async (t) => {
  const { page, form } = await tryPlanted(t, 'getReport')
  await page.route('**/v1/reports/*', (route) => route.fulfill({ contentType: 'application/pdf', body: '%PDF-1.7' }))
  await send(t, form)
  const downloading = page.waitForEvent('download')
  await form.getByRole('link', { name: 'Download' }).click()
  const file = await downloading
  t.equal(file.suggestedFilename(), '2026.pdf')
  t.equal(await readFile(await file.path(), 'utf8'), '%PDF-1.7')
})

t.test("Swagger UI's own page shows a response with every digit", async (t) => {
  const { origin } = await servePlanted(t)
  const page = await show(t, `${origin}/docs/swagger/#/default/getReport`)
  await page.route('**/v1/reports/*', (route) =>
    route.fulfill({ contentType: 'application/json', body: '{"id":9007199254740993}' }),
  )
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByRole('button', { name: 'Execute' }).click()
  await page.locator('.live-responses-table').getByText('9007199254740993').first().waitFor()
})
