// The changelog in a browser, and the preview picture of links to the documentation.
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import t from 'tap'
import { check, folder, looks } from './check.ts'
import { serve, show } from './fixture.ts'

const docs = `${await serve(t, { BASE_URL: 'https://orders.example.com/v1' })}/docs`

for (const [look, options] of Object.entries(looks)) {
  t.test(`${look}: the changelog is complete and links to the reference`, async (t) => {
    const page = await show(t, docs, options)
    await page.getByRole('link', { name: 'Changelog' }).click()
    t.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Changelog of the API')
    t.match(await page.locator('main').innerText(), /1\.0\.0\s+The first version/)
    await check(t, page, `${look}-changelog`)
    if (look === 'phone') await page.getByRole('button', { name: 'Contents' }).click()
    await page.getByRole('link', { name: 'API reference' }).click()
    t.match(await page.title(), 'Store Orders: API reference')
  })
}

t.test('the picture for link previews is taken on request', async (t) => {
  const page = await show(t, docs, { viewport: { width: 1200, height: 630 } })
  await page.reload() // a first visit may do without the fonts
  const path = process.argv.includes('--screenshot') ? 'spec/card.png' : `${folder}/card.png`
  await page.screenshot({ path })
  t.ok((await readFile(path)).length < 150_000)
})
