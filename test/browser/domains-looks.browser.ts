// The page "Project settings / Domains" in all of its states: accessibility, phone width, and screenshots.
import type { Page } from 'playwright-core'
import t from 'tap'
import { check, looks } from './check.ts'
import { fake, open } from './fake-dashboard.ts'
import { serve, show } from './fixture.ts'
import { sampleDomains } from './sample-domains.ts'

for (const [look, options] of Object.entries(looks)) {
  t.test(`${look}: axe reports no violation, and nothing scrolls sideways, in any state of the page`, async (t) => {
    const name = `domains-${look}`
    const { page: empty } = await open(t, [], { plan: 'free', options })
    await check(t, empty, `${name}-empty`)
    await empty.getByRole('button', { name: 'Sign out' }).click()
    await empty.getByRole('button', { name: 'Sign in' }).click()
    await check(t, empty, `${name}-sign-in`)

    const { page } = await open(t, sampleDomains(), { options })
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
        .locator(':popover-open')
        .getByRole('button', { name: `${item}` })
        .first()
        .click()
      await check(t, page, `${name}-${dialog}`)
      await page.keyboard.press('Escape')
    }
    await page.getByRole('button', { name: 'Show details for docs.example.com' }).click()
    await check(t, page, `${name}-details`)
  })
}

t.test('every button has a name of its own', async (t) => {
  const { page } = await open(t, sampleDomains())
  const folded = page.getByRole('button', { name: /^Show details/ })
  while ((await folded.count()) > 0) await folded.first().click()
  const names = await page
    .getByRole('button')
    .evaluateAll((all) =>
      all.map(({ ariaLabel, textContent }) => ariaLabel ?? textContent?.replace(/\s+/g, ' ').trim()),
    )
  const repeated = names.filter((name, i) => names.indexOf(name) !== i)
  t.strictSame(repeated, [])
})

t.test('the button for dark mode is that of the documentation', async (t) => {
  const { origin } = await fake(t)
  const docs = await show(t, `${await serve(t)}/docs`)
  const dashboard = await show(t, `${origin}/dashboard`)
  const looksOf = async (page: Page) => {
    const button = page.getByRole('button', { name: 'Dark mode' })
    const { width, height } = (await button.boundingBox()) ?? {}
    const icon = await button.evaluate((element) => getComputedStyle(element, '::before').maskImage.replace(/.*\//, ''))
    return { width, height, icon }
  }
  for (const icon of ['moon.svg")', 'sun.svg")']) {
    t.strictSame(await looksOf(dashboard), { width: 36, height: 36, icon })
    t.strictSame(await looksOf(docs), { width: 36, height: 36, icon })
    for (const page of [docs, dashboard]) await page.getByRole('button', { name: 'Dark mode' }).click()
  }
})
