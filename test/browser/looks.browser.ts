// Accessibility in every state of the page, the width of a phone, and the screenshots, which are for people to look at.
import { mkdir, readFile } from 'node:fs/promises'
import process from 'node:process'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { authorize, execute, open, serve, show } from './fixture.ts'

const axe = await readFile('node_modules/axe-core/axe.min.js', 'utf8')
const folder = 'screenshots'
await mkdir(folder, { recursive: true })

const looks = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { colorScheme: 'light', viewport: { width: 375, height: 812 }, hasTouch: true },
} as const

for (const [look, options] of Object.entries(looks)) {
  t.test(`${look}: nothing serious for axe, and nothing to scroll sideways, in any state of the page`, async (t) => {
    const page = await show(t, `${await serve(t)}/docs`, { ...options, bypassCSP: true }) // axe's own styles are inline
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

interface Finding {
  impact: string
  id: string
  nodes: { html: string }[]
}

async function check(t: Test, page: Page, name: string, fullPage = false) {
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage })
  t.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} fits`)
  await page.evaluate(axe)
  const found: Finding[] = await page.evaluate('axe.run({ preload: false }).then(({ violations }) => violations)')
  const serious = found.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  t.strictSame(
    serious.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]),
    [],
    name,
  )
}
