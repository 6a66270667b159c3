// The page in all of its states: accessibility, phone width, and screenshots for people to look at.
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import t from 'tap'
import { check, folder, looks } from './check.ts'
import { authorize, execute, send, serve, settles, show, tryIt } from './fixture.ts'

const docs = `${await serve(t, { STAGING_BASE_URL: 'https://staging.example.com/v1' })}/docs`

for (const [look, options] of Object.entries(looks)) {
  t.test(`${look}: axe reports no violation, and nothing scrolls sideways, in any state of the page`, async (t) => {
    const page = await show(t, docs, options)
    await check(t, page, `${look}-guide`)
    if (look === 'phone') {
      await page.getByRole('button', { name: 'Contents' }).click()
      await check(t, page, `${look}-contents`)
      await page.keyboard.press('Escape')
    }
    await page.keyboard.press('/')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('order')
    await page.getByRole('dialog').getByRole('option').first().waitFor()
    await check(t, page, `${look}-search`)
    await page.keyboard.press('Escape')
    await page.locator('#key-apiKey').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByText('The server rejects this key').waitFor()
    await check(t, page, `${look}-wrong-key`)
    await authorize(page)
    const form = await tryIt(page, 'cancelOrder')
    await execute(t, form, '1006', '409')
    await form.locator('.received summary').click()
    await check(t, page, `${look}-answer`)
    await form.getByLabel('orderId').fill('x')
    await send(t, form)
    await check(t, page, `${look}-invalid`)
    for (const status of ['304', '404']) await page.locator('.examples > label', { hasText: status }).first().click()
    await check(t, page, `${look}-everything`, true)
  })
}

t.test('printed pages contain the whole text and nothing else, with complete code', async (t) => {
  const page = await show(t, docs, { colorScheme: 'dark' })
  await page.emulateMedia({ media: 'print' })
  t.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)')
  for (const part of ['.contents', '.access', '.search-button', '.color-scheme', '.links', '.copy', '.try-it'])
    t.notOk(await page.locator(part).first().isVisible(), part)
  for (const part of ['h1', '#errors', '#cancelOrder .samples pre']) t.ok(await page.locator(part).first().isVisible())
  const hidden = page
    .locator('.examples .tab-panel, .shared-responses .code')
    .evaluateAll((all) => all.filter((part) => !part.checkVisibility({ contentVisibilityAuto: true })).length)
  t.equal(await hidden, 0)
  for (const id of ['listOrders', 'cancelOrder', 'getPetById'])
    t.equal(await page.locator(`#${id} .samples .tab-panel:visible`).count(), 1, 'in the chosen language')
  const cut = page.locator('pre:visible').evaluateAll((all) => all.filter((pre) => pre.scrollWidth > pre.clientWidth))
  t.equal((await cut).length, 0)
  await page.screenshot({ path: `${folder}/print.png` })
})

t.test('on a right-to-left page, code still reads from left to right', async (t) => {
  const page = await show(t, docs)
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  const directions = page.locator('pre, code').evaluateAll((all) => all.map((code) => getComputedStyle(code).direction))
  t.strictSame(new Set(await directions), new Set(['ltr']))
  const arabic = page.locator('.guide-section p').first()
  await arabic.evaluate((text) => text.replaceChildren('مرحبا'))
  t.equal(await arabic.evaluate((text) => getComputedStyle(text).direction), 'rtl')
  await check(t, page, 'right-to-left')
})

t.test('with forced colors, the selection has an outline', async (t) => {
  const page = await show(t, `${docs}#errors`, { forcedColors: 'active', bypassCSP: true })
  const outlines = (selector: string) =>
    page.locator(selector).evaluateAll((all) => all.map((element) => getComputedStyle(element).outlineStyle))
  t.strictSame(new Set(await outlines('.tabs > input:checked + label')), new Set(['solid']))
  t.strictSame(new Set(await outlines('.tabs > input:not(:checked) + label')), new Set(['none']))
  await settles(t, () => outlines('.contents a[aria-current]'), ['solid'])
  await page.keyboard.press('/')
  await page.keyboard.type('order')
  await page.getByRole('dialog').getByRole('option').nth(1).waitFor()
  t.strictSame((await outlines('dialog [role=option]')).slice(0, 2), ['solid', 'none'])
  await check(t, page, 'forced-colors')
})

t.test('the screenshot of the README is taken on request', async (t) => {
  const page = await show(t, `${await serve(t)}/docs`, { viewport: { width: 1440, height: 900 } })
  await page.reload() // a first visit may do without the fonts
  await authorize(page)
  await execute(t, await tryIt(page, 'cancelOrder'), '1006', '409')
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    document.getElementById('cancelOrder')?.scrollIntoView()
  })
  const path = process.argv.includes('--screenshot') ? '.github/docs.png' : `${folder}/docs.png`
  await page.screenshot({ path })
  t.ok((await readFile(path)).length < 200_000)
})
