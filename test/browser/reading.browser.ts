import { readFile } from 'node:fs/promises'
import t from 'tap'
import { parse } from 'yaml'
import { loadDocument } from '../../spec/document.ts'
import { errors } from '../../spec/errors.ts'
import { open, operation, ready, serve, settles, show } from './fixture.ts'

t.test('the page has a title, a description and an icon of its own, and no box for addresses', async (t) => {
  const page = await show(t, `${await serve(t)}/docs`)
  t.equal(await page.title(), 'Store Orders: API reference')
  t.match(
    await page.locator('meta[name=description]').getAttribute('content'),
    /^List the orders placed in a pet store/,
  )
  t.match(await page.locator('link[rel=icon]').getAttribute('href'), /favicon\.svg$/)
  t.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Store Orders 1.0.0')
  t.equal(await page.locator('.topbar, .download-url-wrapper').count(), 0)
})

t.test('a newcomer finds how to get a key, to list, to cancel, and what every error means', async (t) => {
  const origin = await serve(t)
  const page = await show(t, `${origin}/docs`)
  const guide = await page.getByRole('region', { name: 'Guide' }).innerText()
  t.match(guide, 'API keys are issued by the operator of the service')
  t.match(guide, `curl -H "Authorization: Bearer $API_KEY" ${origin}/v1/store/orders`)
  t.match(guide, `curl -X DELETE -i -H "Authorization: Bearer $API_KEY" ${origin}/v1/store/orders/1007`)
  const { schemas = {} } = loadDocument().components ?? {}
  const { 'x-extensible-enum': codes } = schemas.ErrorCode as { 'x-extensible-enum': (keyof typeof errors)[] }
  for (const code of codes) t.match(guide, new RegExp(`${code}\\s+${errors[code].status}\\s+\\w`))
  t.match(guide, 'A cancelled order leaves the list.')
  for (const section of ['Quick start', 'Authentication', 'Errors', 'Behavior']) {
    await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: section }).click()
    const heading = page.locator('.info h2', { hasText: section })
    await settles(t, () => heading.evaluate((element) => element.getBoundingClientRect().top < 900), true, section)
  }
})

t.test('the keyboard gets to the operations at once, and opens them', async (t) => {
  const page = await show(t, `${await serve(t)}/docs`)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const filter = page.getByLabel('Filter operations')
  await settles(t, () => filter.evaluate((element) => element.getBoundingClientRect().top < 900), true)
  await filter.focus()
  for (const _ of ['tag', 'its arrow', 'operation']) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await operation(page, 'listOrders').locator('.responses-table').waitFor()
})

t.test('stability, deprecation and sunset stand beside the operation, open or closed', async (t) => {
  const page = await show(t, `${await serve(t)}/docs`)
  const badges = ['experimental', 'deprecated', 'sunset December 31, 2027']
  const summary = operation(page, 'getPetById').getByRole('button', { name: badges.join(' ') })
  t.strictSame(
    (await operation(page, 'getPetById').locator('.badge').allInnerTexts()).map((text) => text.trim()),
    badges,
  )
  t.ok(await summary.isVisible())
  const block = await open(page, 'getPetById')
  t.ok(await summary.isVisible())
  t.equal(
    await block.locator('blockquote').innerText(),
    'Deprecated since January 1, 2026; it may be gone from December 31, 2027 on.',
  )
  for (const other of ['listOrders', 'cancelOrder']) t.equal(await operation(page, other).locator('.badge').count(), 0)
})

t.test('a deep link opens its operation, and an opened operation has one', async (t) => {
  const origin = await serve(t)
  const page = await show(t, `${origin}/docs#/store/cancelOrder`)
  await operation(page, 'cancelOrder').locator('.responses-table').waitFor()
  t.equal(await page.locator('.opblock-summary-control[aria-expanded=true]').count(), 1)
  await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Look up a pet' }).click()
  await operation(page, 'getPetById').locator('.responses-table').waitFor()
  await settles(t, async () => page.url(), `${origin}/docs#/pets/getPetById`)
  await open(page, 'listOrders')
  await settles(t, async () => page.url(), `${origin}/docs#/store/listOrders`)
})

t.test('the filter looks at paths, methods, operationIds, summaries and tags', async (t) => {
  const page = await show(t, `${await serve(t)}/docs`)
  const filter = page.getByLabel('Filter operations')
  const cases: [phrase: string, shown: string[]][] = [
    ['/pets', ['getPetById']],
    ['delete', ['cancelOrder']],
    ['LISTORDERS', ['listOrders']],
    ['look up', ['getPetById']],
    ['store', ['listOrders', 'cancelOrder']],
    ['order cancel', ['cancelOrder']],
    ['nothing', []],
    ['', ['listOrders', 'cancelOrder', 'getPetById']],
  ]
  for (const [phrase, shown] of cases) {
    await filter.fill(phrase)
    await settles(t, () => page.locator('.opblock-summary-operation-id').allInnerTexts(), shown, phrase)
    await settles(t, () => page.locator('.filter output').textContent(), phrase && `${shown.length} of 3`)
  }
})

t.test('the document is downloaded in both forms', async (t) => {
  const page = await show(t, `${await serve(t)}/docs`)
  for (const name of ['openapi.json', 'openapi.yaml']) {
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name }).click()
    const download = await downloading
    t.equal(download.suggestedFilename(), name)
    t.strictSame(parse(await readFile(await download.path(), 'utf8')), loadDocument())
  }
})

t.test('dark mode follows the system until it is chosen, and the choice survives a reload', async (t) => {
  const page = await show(t, `${await serve(t)}/docs`, { colorScheme: 'dark' })
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const [dark, light] = ['rgb(18, 24, 24)', 'rgb(255, 255, 255)']
  const button = page.getByRole('button', { name: 'Dark mode' })
  await settles(t, background, dark)
  await page.emulateMedia({ colorScheme: 'light' })
  await settles(t, background, light)
  await button.click()
  for (const _ of ['chosen', 'reloaded']) {
    await settles(t, background, dark)
    t.equal(await button.getAttribute('aria-pressed'), 'true')
    await page.reload()
    await ready(page)
  }
  await button.click()
  t.equal(await page.evaluate(() => localStorage.length), 0)
})
