// Accessibility in every state of the page, the width of a phone, and the screenshots, which are for people to look at.
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import t from 'tap'
import { check, folder, looks } from './check.ts'
import { authorize, execute, open, serve, show } from './fixture.ts'

for (const [look, options] of Object.entries(looks)) {
  t.test(`${look}: nothing serious for axe, and nothing to scroll sideways, in any state of the page`, async (t) => {
    const page = await show(t, `${await serve(t)}/docs`, options)
    await check(t, page, `${look}-guide`)
    await page.locator('.scheme-container').getByRole('button', { name: 'Authorize' }).click()
    await check(t, page, `${look}-authorize`)
    await page.keyboard.press('Escape')
    await authorize(page)
    for (const operationId of ['listOrders', 'cancelOrder', 'getPetById']) await open(page, operationId)
    await page.getByRole('button', { name: 'Try it out' }).first().click()
    await execute(t, page, 'cancelOrder', '1013', '204')
    for (const schema of await page.locator('.models .model-box-control').all()) await schema.click()
    await check(t, page, `${look}-everything`, true)
  })
}

t.test('the screenshot of the README, where it is asked for', async (t) => {
  const page = await show(t, `${await serve(t)}/docs`, { viewport: { width: 1280, height: 800 } })
  await page.locator('.scheme-container').scrollIntoViewIfNeeded()
  await page.evaluate(() => document.querySelector('.scheme-container')?.scrollIntoView())
  const path = process.argv.includes('--screenshot') ? '.github/docs.png' : `${folder}/docs.png`
  await page.screenshot({ path })
  t.ok((await readFile(path)).length < 200_000)
})
