import type { Page } from 'playwright-core'
import t from 'tap'
import { documentOf } from 'test-kit/document'
import { isInView, serve, serveDocument, settles, show } from './fixture.ts'

const origin = await serve(t)
const docs = `${origin}/docs`

t.test('the guide and every operation can be read without JavaScript', async (t) => {
  const page = await show(t, docs, { javaScriptEnabled: false })
  const texts = ['Quick start', 'order_already_shipped', 'Cancel an order', '64-bit integer', 'WWW-Authenticate']
  for (const text of texts) t.ok((await page.getByText(text).count()) > 0, text)
  for (const needless of ['Try it', 'Send', 'Copy as Markdown', 'Dark mode', 'Search /'])
    t.equal(await page.getByRole('button', { name: needless }).count(), 0, needless)
  await page.locator('#responses-503 summary').click()
  t.ok(await page.locator('#responses-503 pre').isVisible())
  for (const status of ['204', '409']) t.ok(await page.locator(`#cancelOrder-${status}`).isVisible())
  const example = page.locator('#cancelOrder .examples').getByText('order_already_shipped')
  t.notOk(await example.isVisible())
  await page.locator('#cancelOrder .examples > label', { hasText: '409' }).click()
  t.ok(await example.isVisible())
  t.ok(await page.locator('#cancelOrder .samples .tab-panel').first().isVisible())
  await page.locator('#cancelOrder .samples > label', { hasText: 'Go' }).click()
  t.ok(await page.getByText('package main').nth(1).isVisible())
})

t.test('a click in the contents moves the page and adds one history entry; Back returns', async (t) => {
  const page = await show(t, docs)
  const contents = page.getByRole('navigation', { name: 'Contents' })
  const length = () => page.evaluate(() => history.length)
  const before = await length()
  const titles = { errors: 'Errors', cancelOrder: 'Cancel an order', 'schema-Order': 'Order' }
  for (const [i, [id, name]] of Object.entries(titles).entries()) {
    await contents.getByRole('link', { name, exact: id !== 'cancelOrder' }).click()
    await page.waitForURL(`${origin}/docs#${id}`)
    await settles(t, () => isAtTop(page, id), true, id)
    t.equal(await length(), before + i + 1)
    await settles(t, () => contents.locator('a[aria-current]').allInnerTexts(), [await linkText(page, id)])
  }
  for (const id of ['cancelOrder', 'errors']) {
    await page.goBack()
    await page.waitForURL(`${origin}/docs#${id}`)
    await settles(t, () => isAtTop(page, id), true, `back at ${id}`)
  }
  await page.goBack()
  await page.waitForURL(docs)
})

t.test('every heading, operation, response, field and code has an address that survives a reload', async (t) => {
  const page = await show(t, docs)
  for (const id of ['quick-start', 'getPetById', 'cancelOrder-409', 'errors-rate_limited', 'schema-Order-shipDate']) {
    await page.goto(`${origin}/docs#${id}`)
    for (const state of ['arrived', 'reloaded']) {
      await settles(t, () => isInView(page.locator(`[id="${id}"]`)), true, `${id} ${state}`)
      await page.reload()
    }
  }
})

t.test('no fragment breaks the scripts', async (t) => {
  for (const fragment of ['#%', '#100%', '#"]', '#/a/b']) {
    const page = await show(t, `${origin}/docs${fragment}`)
    await page.keyboard.press('/')
    await page.getByRole('dialog', { name: 'Search' }).waitFor()
  }
})

t.test('nothing beside an operation scrolls separately, and no error code breaks within a word', async (t) => {
  const page = await show(t, docs)
  const asides = page.locator('.operation-aside')
  const hidden = asides.evaluateAll((all) => all.map(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight))
  t.strictSame(new Set(await hidden), new Set([0]))
  const codes = page.locator('#errors td:first-child code')
  const lines = codes.evaluateAll((all) => all.map((code) => code.getClientRects().length))
  t.strictSame(new Set(await lines), new Set([1]))
})

t.test('the contents mark the operation that a reader scrolls to', async (t) => {
  const page = await show(t, docs)
  const current = () => page.locator('.contents a[aria-current]').getAttribute('href')
  for (const id of ['listOrders', 'cancelOrder', 'getPetById', 'cancelOrder']) {
    await page.locator(`#${id}`).evaluate((element) => scrollBy(0, element.getBoundingClientRect().top - 100))
    await settles(t, current, `#${id}`)
  }
})

t.test('Swagger UI shows the same document, and tries the operations that it allows', async (t) => {
  const page = await show(t, docs)
  await page.getByRole('link', { name: 'Swagger UI' }).click()
  await page.getByRole('heading', { name: 'Store Orders', level: 1 }).waitFor()
  for (const [id, count] of [
    ['store-cancelOrder', 1],
    ['store-listOrders', 0],
  ] as const) {
    await page.locator(`#operations-${id} .opblock-summary-control`).click()
    await page.locator(`#operations-${id} .responses-wrapper`).waitFor()
    t.equal(await page.locator(`#operations-${id}`).getByRole('button', { name: 'Try it out' }).count(), count, id)
    if (count === 0) continue
    await page.getByRole('button', { name: 'Try it out' }).click()
    t.equal(await page.getByPlaceholder('orderId').inputValue(), '', 'nothing is cancelled by accident')
    t.ok(await page.getByText('Example: 1007').isVisible())
  }
})

t.test('the skip link moves the focus past the contents', async (t) => {
  const page = await show(t, docs)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await settles(t, () => page.evaluate(() => document.activeElement?.id), 'content')
  await page.keyboard.press('Tab')
  t.ok(await page.evaluate(() => document.activeElement?.closest('main') !== null))
})

t.test('every block of code has a button that copies it', async (t) => {
  const page = await show(t, docs, { permissions: ['clipboard-read', 'clipboard-write'] })
  t.equal(await page.locator('.code .copy').count(), await page.locator('.code pre').count())
  const [first] = await page.locator('#quick-start .code').all()
  await first?.hover()
  await first?.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Copied').waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  t.equal(copied, `curl -H "Authorization: Bearer $API_KEY" ${origin}/v1/store/orders`, 'it cancels nothing')
})

t.test('no two buttons have the same name', async (t) => {
  const page = await show(t, docs)
  const names = await page.getByRole('button').evaluateAll((all) => all.map(({ textContent }) => textContent))
  const repeated = names.filter((name, at) => names.indexOf(name) !== at)
  t.strictSame(repeated, [])
  for (const name of ['Copy the curl sample of Cancel an order', 'Try it: Cancel an order'])
    t.ok(names.includes(name), name)
})

t.test('the page is copied as Markdown', async (t) => {
  const page = await show(t, docs, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.getByRole('button', { name: 'Copy as Markdown' }).click()
  const markdown = await (await fetch(`${origin}/docs.md`)).text()
  await settles(t, () => page.evaluate(() => navigator.clipboard.readText()), markdown)
})

t.test('a chosen language applies to every sample, also after a reload', async (t) => {
  const page = await show(t, `${origin}/docs#cancelOrder`)
  const shown = () => shownLanguages(page)
  await settles(t, shown, ['curl', 'curl', 'curl'])
  const place = () => page.locator('#cancelOrder .samples').evaluate((element) => element.getBoundingClientRect().top)
  const before = await place()
  await page.locator('#cancelOrder .samples > label', { hasText: 'Python' }).click()
  await settles(t, shown, ['Python', 'Python', 'Python'])
  t.ok(Math.abs((await place()) - before) < 1, 'the visible part does not move')
  await page.locator('#cancelOrder .samples input:checked').press('ArrowRight')
  await settles(t, shown, ['Go', 'Go', 'Go'])
  await page.reload()
  await settles(t, shown, ['Go', 'Go', 'Go'])
  t.match(await page.locator('#cancelOrder .samples .tab-panel:visible').innerText(), `${origin}/v1/`)
})

t.test('one more language is loaded when it is chosen, for every operation, and again after a reload', async (t) => {
  const page = await show(t, `${origin}/docs#cancelOrder`)
  const shown = () => shownLanguages(page)
  const requested: string[] = []
  page.on('request', (request) => request.url().includes('/samples/') && requested.push(request.url()))
  page.removeAllListeners('console') // a request fails
  page.removeAllListeners('pageerror')
  await page.context().setOffline(true)
  const failed = page.waitForEvent('pageerror')
  await page.getByLabel('More languages for Cancel an order').selectOption('PHP')
  await failed
  await page.context().setOffline(false)
  for (const summary of ['Cancel an order', 'Look up a pet'])
    await page.getByLabel(`More languages for ${summary}`).selectOption('PHP')
  await settles(t, shown, ['PHP', 'PHP', 'PHP'])
  const sample = await page.locator('#cancelOrder .samples .tab-panel:visible').innerText()
  t.match(sample, `'${origin}/v1/store/orders/1007'`)
  await page.locator('#cancelOrder .samples > label', { hasText: 'Go' }).click()
  await settles(t, shown, ['Go', 'Go', 'Go'])
  await page.locator('#cancelOrder .samples > label', { hasText: 'PHP' }).click()
  await settles(t, shown, ['PHP', 'PHP', 'PHP'])
  t.strictSame(requested, Array(2).fill(`${origin}/docs/samples/php`))
  await page.reload()
  await settles(t, shown, ['PHP', 'PHP', 'PHP'])
})

t.test('on a phone, the operations are near, and the bar names the one that is read', async (t) => {
  const page = await show(t, docs, { viewport: { width: 375, height: 812 } })
  const first = page.locator('.operations').first()
  t.ok((await first.evaluate((element) => element.getBoundingClientRect().top / innerHeight)) < 2)
  t.match(await page.locator('.bar').innerText(), 'Store Orders')
  await page.locator('#cancelOrder h3').evaluate((heading) => heading.scrollIntoView())
  await settles(t, () => page.locator('.bar .place').innerText(), 'Cancel an order')
})

t.test("a screen reader meets the page's title first, and no heading twice", async (t) => {
  const page = await show(t, docs)
  const headings = await page.getByRole('heading').allInnerTexts()
  t.match(headings[0], 'Store Orders')
  t.strictSame(headings.filter((text) => /^(store|pets)$/i.test(text)).length, 2)
  t.equal(await page.getByRole('region').count(), 0, 'a section would say its heading twice')
})

t.test('on a phone, a button opens the contents as a layer, and a link closes it', async (t) => {
  const page = await show(t, docs, { viewport: { width: 375, height: 812 } })
  const contents = page.getByRole('navigation', { name: 'Contents' })
  t.notOk(await contents.isVisible())
  await page.getByRole('button', { name: 'Contents' }).click()
  t.ok(await contents.isVisible())
  await contents.getByRole('link', { name: 'Errors', exact: true }).click()
  await settles(t, () => contents.isVisible(), false)
  await settles(t, () => isAtTop(page, 'errors'), true)
})

t.test('dark mode follows the system until it is chosen, and the choice survives a reload', async (t) => {
  const page = await show(t, docs, { colorScheme: 'dark' })
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const [dark, light] = ['rgb(17, 24, 23)', 'rgb(255, 255, 255)']
  const button = page.getByRole('button', { name: 'Dark mode' })
  await settles(t, background, dark)
  await page.emulateMedia({ colorScheme: 'light' })
  await settles(t, background, light)
  await button.click()
  for (const _ of ['chosen', 'reloaded']) {
    await settles(t, background, dark)
    t.equal(await button.getAttribute('aria-pressed'), 'true')
    await page.reload()
  }
  await button.click()
  t.equal(await page.evaluate(() => localStorage.length), 0)
})

t.test('the lines of examples that show a field light up while the pointer is on it', async (t) => {
  const property = (example: number) => ({ type: 'integer', example, description: `Its text ${example}.` })
  const object = (properties: object) => ({ type: 'object', properties, required: Object.keys(properties) })
  const outer = object({ first: property(1), last: property(2) })
  const content = { 'application/json': { schema: object({ outer, last: property(3) }) } }
  const post = { operationId: 'send', requestBody: { content }, responses: { 204: { description: 'Sent.' } } }
  const page = await show(t, `${await serveDocument(t, documentOf({ '/a': { post } }))}/docs`)
  const shown = page.locator('#send .samples .tab-panel').first()
  const lit = async () => (await shown.locator('.lit').allInnerTexts()).map((text) => text.trim())
  for (const [example, line] of Object.entries({ 1: '"first": 1,', 2: '"last": 2', 3: '"last": 3' })) {
    await page.locator('#send .fields').getByText(`Its text ${example}.`).hover()
    await settles(t, lit, [line])
  }
})

/** The heading of the part is just below the bar. */
function isAtTop(page: Page, id: string) {
  return page.locator(`[id="${id}"]`).evaluate((element) => {
    const { top } = element.getBoundingClientRect()
    const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1
    return (top >= 0 && top < 200) || (isAtEnd && top >= 0 && top < innerHeight)
  })
}

function linkText(page: Page, id: string) {
  return page.locator(`.contents a[href="#${id}"]`).innerText()
}

/** Of the sample of each operation. */
function shownLanguages(page: Page) {
  return page.locator('.samples .tab-panel:visible').evaluateAll((all) => all.map(({ dataset }) => dataset.tab))
}
