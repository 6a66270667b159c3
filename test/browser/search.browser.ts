// The search: what it finds, and how it is used by keyboard.
import { parseDocument } from 'exact-openapi'
import type { Page } from 'playwright-core'
import t from 'tap'
import { isInView, serve, serveDocument, settles, show } from './fixture.ts'
import { phrases } from './search-phrases.ts'

const origin = await serve(t)
const docs = `${origin}/docs`

t.test('of 100 phrases, at least 95 find their place first or second', async (t) => {
  const page = await show(t, docs)
  const found = await firstTwo(page, Object.keys(phrases))
  const missed = Object.entries(phrases).filter(
    ([phrase, ids]) => !found[phrase]?.some((id) => ids.split(' ').includes(id)),
  )
  t.equal(Object.keys(phrases).length, 100)
  for (const [phrase, ids] of missed) t.comment(`"${phrase}" finds ${found[phrase]?.join(', ')}, not ${ids}`)
  t.ok(missed.length <= 5, `${missed.length} are missed`)
})

t.test('the line of a request finds its operation first, and a mistyped word what it means', async (t) => {
  const page = await show(t, docs)
  const wanted = {
    'GET /store/orders': 'listOrders',
    'delete http://127.0.0.1:3000/v1/store/orders/-5?x=1': 'cancelOrder',
    '/v1/pets/504': 'getPetById',
    cancle: 'cancelOrder',
    oredr: 'cancelOrder',
    ratelimit: 'headers-RateLimit',
    'time out': 'errors-request_timeout',
  }
  const found = await firstTwo(page, Object.keys(wanted))
  for (const [phrase, id] of Object.entries(wanted)) t.ok(found[phrase]?.includes(id), `${phrase}: ${found[phrase]}`)
  t.strictSame(await firstTwo(page, ['', 'qqqq']), { '': [], qqqq: [] })
})

t.test('a result shows where its words were found', async (t) => {
  const page = await show(t, docs)
  const dialog = page.getByRole('dialog', { name: 'Search' })
  await page.keyboard.press('/')
  await dialog.getByRole('combobox').fill('cancle')
  t.match(await dialog.getByRole('option').first().locator('mark').first().innerText(), /^cancel/i)
  await dialog.getByRole('combobox').fill('order')
  await dialog.getByText(/^The first 30 of \d{2,} results$/).waitFor()
  const options = dialog.getByRole('option')
  t.equal(await options.count(), 30)
  for (let step = 0; step < 31; step++) await page.keyboard.press('ArrowDown')
  t.equal(await options.last().getAttribute('aria-selected'), 'true', 'below the last result is none')
})

t.test('the search finds codes, headers, fields, operations and prose, by keyboard alone', async (t) => {
  const page = await show(t, docs)
  const dialog = page.getByRole('dialog', { name: 'Search' })
  const cases = Object.entries({
    order_already_shipped: 'errors-order_already_shipped',
    'retry-after': 'headers-Retry-After',
    shipDate: 'schema-Order-shipDate',
    getPetById: 'getPetById',
    polling: 'polling-with-etag',
  })
  for (const [i, [phrase, id]] of cases.entries()) {
    await page.keyboard.press(i % 2 === 0 ? '/' : 'Control+K')
    await dialog.waitFor()
    await page.keyboard.type(phrase)
    await dialog.getByText(/^\d+ results?$|^The first/).waitFor()
    const options = dialog.getByRole('option')
    const ids = await options.evaluateAll((all) => all.map(({ dataset }) => dataset.target))
    t.ok(ids.indexOf(id) >= 0 && ids.indexOf(id) < 5, `${phrase} finds ${id}: ${ids.slice(0, 5)}`)
    t.equal(new Set(ids).size, ids.length)
    for (let step = 0; step < ids.indexOf(id); step++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${origin}/docs#${id}`)
    await settles(t, () => isInView(page.locator(`[id="${id}"]`)), true, phrase)
    t.equal(await page.evaluate(() => document.activeElement?.id), id)
  }
  await page.keyboard.press('/')
  await page.keyboard.type('zzz')
  await dialog.getByText('Nothing found').waitFor()
  await page.keyboard.press('Escape')
  t.equal(await dialog.count(), 0)
  await page.getByRole('button', { name: 'Search' }).click()
  t.ok(await dialog.isVisible())
  await page.keyboard.press('ArrowUp')
})

t.test('the search finds headings within a section of the guide, with what stands below them', async (t) => {
  const description = '## Paging\n\nHow.\n\n### Cursors\n\nOpaque.\n\nNever parse them.\n\n### Limits\n\nTen.'
  const info = { title: 'A', version: '1', description }
  const document = parseDocument(JSON.stringify({ openapi: '3.1.0', info, paths: {} }), 'a')
  const page = await show(t, `${await serveDocument(t, document)}/docs`)
  t.strictSame(await firstTwo(page, ['cursor', 'parse', 'limits']), {
    cursor: ['paging-cursors', 'paging'],
    parse: ['paging-cursors', 'paging'],
    limits: ['paging-limits', 'paging'],
  })
})

t.test('the search is loaded when it opens, and again after a failure', async (t) => {
  const page = await show(t, 'about:blank', {}, [origin])
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  page.removeAllListeners('console') // the failed request
  await page.goto(docs)
  t.notOk(requested.includes('/docs/search.js'))
  const dialog = page.getByRole('dialog', { name: 'Search' })
  await page.context().setOffline(true)
  await page.keyboard.press('/')
  await dialog.getByText('The search cannot be loaded.').waitFor()
  await page.context().setOffline(false)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.keyboard.press('/')
  await page.keyboard.type('cancel')
  await dialog.getByRole('option').first().waitFor()
})

t.test('in a field, the shortcut of the search is an ordinary character', async (t) => {
  const page = await show(t, docs)
  const field = page.locator('#key-apiKey')
  await field.focus()
  await page.keyboard.press('/')
  t.equal(await field.inputValue(), '/')
  t.equal(await page.getByRole('dialog').count(), 0)
})

/** The ids of the first two results of each phrase. */
async function firstTwo(page: Page, all: string[]): Promise<Record<string, string[]>> {
  if (!(await page.getByRole('dialog').isVisible())) await page.keyboard.press('/')
  await page.getByRole('dialog').getByText('Loading').waitFor({ state: 'hidden' })
  return page.evaluate((all) => {
    const dialog = document.querySelector('dialog.search') as HTMLElement
    const input = dialog.querySelector('input') as HTMLInputElement
    const found = all.map((phrase) => {
      input.value = phrase
      input.dispatchEvent(new Event('input'))
      const options = [...dialog.querySelectorAll<HTMLElement>('[role=option]')].slice(0, 2)
      return [phrase, options.map(({ dataset }) => dataset.target)]
    })
    return Object.fromEntries(found)
  }, all)
}
