// Checks for every state of a page, and screenshots for people to look at.
import { mkdir, readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'

export const folder = 'screenshots'
const axe = await readFile('node_modules/axe-core/axe.min.js', 'utf8')
await mkdir(folder, { recursive: true })

const common = { bypassCSP: true } // axe's own styles are inline

export const looks = {
  light: { ...common, colorScheme: 'light' },
  dark: { ...common, colorScheme: 'dark' },
  phone: { ...common, colorScheme: 'light', viewport: { width: 375, height: 812 }, hasTouch: true },
} as const

interface Finding {
  impact: string
  id: string
  nodes: { html: string }[]
}

/** Axe reports no violation, and nothing scrolls sideways. */
export async function check(t: Test, page: Page, name: string, fullPage = false) {
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage })
  t.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} fits`)
  await page.evaluate(axe)
  const found: Finding[] = await page.evaluate('axe.run({ preload: false }).then(({ violations }) => violations)')
  t.strictSame(
    found.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]),
    [],
    `${name} is accessible`,
  )
}
