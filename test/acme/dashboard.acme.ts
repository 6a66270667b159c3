// The page "Project settings / Domains" in Chromium, with a real server, DNS and ACME authority.
import { mkdir } from 'node:fs/promises'
import process from 'node:process'
import type { Locator, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { settles, show } from '../browser/fixture.ts'
import { dashboardKey } from './built.ts'
import { leadsHere, platform, target } from './published.ts'
import { noCertificate } from './visitor.ts'

const folder = 'screenshots'
const margin = 24
await mkdir(folder, { recursive: true })

t.test('a user publishes under three domains, redirects one and removes it', async (t) => {
  const { zone, visit, start } = await platform(t)
  const { origin } = await start()
  const page = await signedIn(t, origin)
  const picture = (name: string, fullPage = true) =>
    page.screenshot({ path: `${folder}/domains-real-${name}.png`, fullPage })

  const docs = domainOn(t, page, 'docs.example.com')
  zone['docs.example.com'] = { CNAME: [`${target}.example.com`] }
  await docs.add()
  await picture('added')
  await docs.verify()
  await docs.reaches('Failed', 'Primary') // the first domain is
  t.match(await docs.card.locator('.problem').textContent(), `end it with a dot, "${target}."`)
  await picture('wrong')
  zone['docs.example.com'] = leadsHere

  const old = domainOn(t, page, 'old.example.com')
  await old.add()
  zone['old.example.com'] = leadsHere
  await old.verify()
  await old.reaches('Live')
  t.match(await old.card.locator('.certificate').textContent(), /Pebble Intermediate CA.*Valid until\w+ \d+, \d{4}/)
  await picture('live')
  await old.choose('Make primary')
  await old.reaches('Live', 'Primary')
  t.match(await visit('old.example.com'), { status: 200 })

  const help = domainOn(t, page, 'help.example.com')
  zone['help.example.com'] = { A: ['198.51.100.1'] }
  await help.add()
  await help.verify()
  await help.reaches('Failed')

  await docs.verify()
  await docs.reaches('Live')
  t.match(await visit('docs.example.com'), { status: 200 })
  await docs.choose('Make primary')
  await docs.reaches('Live', 'Primary')
  await old.choose('Redirect to primary…')
  await page.getByRole('dialog').getByRole('radio', { name: /^308/ }).check()
  await picture('redirect', false)
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await settles(t, () => old.card.locator('.redirect').allTextContents(), ['Redirects to docs.example.com (308)'])
  t.match(await visit('old.example.com', { path: '/docs?x=1' }), {
    status: 308,
    location: 'https://docs.example.com/docs?x=1',
  })

  for (const { card } of [docs, old]) await card.getByRole('button', { name: 'Hide details' }).click()
  await t.resolves(pictureOfReadme(page, page.getByRole('article').last()))

  await old.choose('Remove…')
  await picture('remove', false)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await settles(t, () => old.card.count(), 0)
  await t.rejects(visit('old.example.com'), noCertificate)
  t.match(await visit('docs.example.com'), { status: 200 })
  await picture('end')
})

async function signedIn(t: Test, origin: string) {
  const page = await show(t, `${origin}/docs`)
  await page.goto(`${origin}/dashboard`)
  await page.getByLabel('Dashboard key').fill(dashboardKey)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('No custom domains yet').waitFor()
  return page
}

/** A screenshot of the section down to an element, as wide as the window. */
async function pictureOfReadme(page: Page, last: Locator) {
  await page.evaluate('scrollTo(0, 0)')
  const [from, until] = await Promise.all([page.locator('#domains'), last].map((each) => each.boundingBox()))
  if (!from || !until) throw new Error('it is not on the page')
  const y = from.y - margin
  const clip = { x: 0, y, width: 1280, height: until.y + until.height + margin - y }
  const path = process.argv.includes('--screenshot') ? '.github/domains.png' : `${folder}/domains.png`
  await page.screenshot({ path, clip, fullPage: true })
}

/** A domain on the page, and the user's actions. */
function domainOn(t: Test, page: Page, name: string) {
  const card = page.getByRole('article', { name, exact: true })
  return {
    card,
    async add() {
      await page.getByRole('button', { name: 'Add domain' }).click()
      await page.getByLabel('Domain or subdomain').fill(name)
      await page.keyboard.press('Enter')
      await card.waitFor()
    },
    /** As soon as the page allows it. */
    verify: () => card.getByRole('button', { name: /^(Re-v|V)erify/ }).click({ timeout: 90_000 }),
    choose: async (item: string) => {
      await card.getByRole('button', { name: `Actions for ${name}` }).click()
      await card.locator(':popover-open').getByRole('button', { name: item }).click()
    },
    reaches: (...badges: string[]) => settles(t, () => card.locator('.badge').allTextContents(), badges),
  }
}
