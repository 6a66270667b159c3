// Accessibility of the page "Project settings / Domains" in its states, the width of a phone, and pictures to look at.
import { mkdir, readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { fake, open } from './fake-dashboard.ts'
import { sampleDomains } from './sample-domains.ts'

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
    const name = `domains-${look}`
    const empty = await open(t, await fake(t, [], { plan: 'free' }), { ...options, bypassCSP: true })
    await check(t, empty, `${name}-empty`)
    await empty.getByRole('button', { name: 'Sign out' }).click()
    await empty.getByRole('button', { name: 'Sign in' }).click()
    await check(t, empty, `${name}-sign-in`)

    const page = await open(t, await fake(t, sampleDomains()), { ...options, bypassCSP: true }) // axe's own styles are inline
    await check(t, page, `${name}-all`, true)
    await page.getByRole('button', { name: 'Add domain' }).click()
    await page.getByLabel('Domain or subdomain').fill('docs.example.com')
    await check(t, page, `${name}-add`)
    await page.keyboard.press('Escape')
    for (const [item, dialog] of [
      ['Redirect', 'redirect'],
      ['Remove', 'remove'],
    ]) {
      await page.getByRole('button', { name: 'Actions for old.example.com' }).click()
      await check(t, page, `${name}-menu`)
      await page
        .getByRole('menuitem', { name: `${item}` })
        .first()
        .click()
      await check(t, page, `${name}-${dialog}`)
      await page.keyboard.press('Escape')
    }
    await page.getByRole('button', { name: 'Show details of docs.example.com' }).click()
    await check(t, page, `${name}-details`)
  })
}

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
    `${name} is accessible`,
  )
}
