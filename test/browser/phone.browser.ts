// A document of another on a phone: long names, long lists, tables.
import { parseDocument } from 'exact-openapi'
import t from 'tap'
import { check, looks } from './check.ts'
import { serveDocument, show } from './fixture.ts'

const name = 'a'.repeat(49)
const values = Array.from({ length: 249 }, (_, at) => `value-${at}`)
const get = {
  summary: `注文の一覧を取得${'長'.repeat(40)}`,
  operationId: 'orders',
  parameters: [
    { in: 'path', name: 'id', required: true, schema: { type: 'string' } },
    { in: 'query', name, schema: { type: 'string', enum: values } },
  ],
  responses: { 204: { description: 'Nothing.' } },
}
const description = '| Plan | Rate | Burst |\n|---|---|---|\n| Free | 600 | 10 |'
const info = { title: 'T'.repeat(60), version: '1', description }
const document = parseDocument(JSON.stringify({ openapi: '3.1.0', info, paths: { '/注文/{id}': { get } } }), 'phone')

t.test('names, titles and lists of any length fit on a phone', async (t) => {
  const origin = await serveDocument(t, document)
  const page = await show(t, `${origin}/docs`, looks.phone)
  await check(t, page, 'phone-long')
  t.notOk(await page.getByText('value-7', { exact: true }).isVisible())
  await page.getByText('249 values').click()
  t.ok(await page.getByText('value-7', { exact: true }).isVisible())
  const cell = page.getByRole('cell', { name: '600' })
  t.equal(await cell.evaluate((element) => getComputedStyle(element, '::before').content), '"Rate"')
  const sizes = page
    .locator('input:not([type=radio]), select:not(.more-languages)')
    .evaluateAll((all) => all.map((field) => getComputedStyle(field).fontSize))
  t.strictSame(new Set(await sizes), new Set(['16px']))
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByLabel('Search the documentation').fill('一覧')
  await page.getByRole('option', { name: '注文の一覧' }).waitFor()
})
