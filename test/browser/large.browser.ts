// A reference of many pages.
import t from 'tap'
import { largeDocument } from '../../packages/openapi-pages/test/large-document.ts'
import { check } from './check.ts'
import { serveDocument, settles, show } from './fixture.ts'

const origin = await serveDocument(t, largeDocument())

t.test('the contents of a large reference fold, and lead to other pages', async (t) => {
  const page = await show(t, `${origin}/docs`, { bypassCSP: true })
  const contents = page.getByRole('navigation', { name: 'Contents' })
  t.equal(await contents.getByRole('link').filter({ visible: true }).count(), 0)
  await check(t, page, 'large')
  await contents.getByText('Things!').click()
  await contents.getByRole('link', { name: 'Get thing 5', exact: false }).first().click()
  await page.waitForURL(`${origin}/docs/tags/things-2#things/get-5`)
  await settles(t, () => contents.locator('a[aria-current]').getAttribute('href'), '#things/get-5')
})

t.test('the search finds parameters of other pages by what they mean', async (t) => {
  const page = await show(t, `${origin}/docs/tags/things`)
  await page.keyboard.press('/')
  await page.keyboard.type('taste')
  await page.getByRole('dialog').getByRole('option').first().getByText('flavor').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`${origin}/docs/tags/other#things/get-7-flavor`)
})

t.test('where there is no page, the search finds operations', async (t) => {
  const page = await show(t, 'about:blank', {}, [origin])
  const response = await page.goto(`${origin}/docs/v1/nowhere`).catch(String)
  t.equal(typeof response === 'object' && response?.status(), 404)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.keyboard.type('Get thing 6')
  await page.getByRole('option').first().getByText('Get thing 6', { exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`${origin}/docs/tags/tag-3#things/get-6`)
})

t.test('an address within the first page leads to the page that has the part', async (t) => {
  for (const [id, path] of Object.entries({ 'things/get-6': 'tag-3', 'things/get-0': 'things' })) {
    const page = await show(t, 'about:blank', {}, [origin])
    await page.goto(`${origin}/docs#${id}`)
    await page.waitForURL(`${origin}/docs/tags/${path}#${id}`)
  }
})
