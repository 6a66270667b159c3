// The page "Project settings / Domains" in all of its states: accessibility, phone width, and screenshots.
import t from 'tap'
import { check, looks } from './check.ts'
import { add, focused, open, pairChoices } from './fake-dashboard.ts'
import { settles } from './fixture.ts'
import { sampleDomains } from './sample-domains.ts'

for (const [look, options] of Object.entries(looks)) {
  t.test(`${look}: axe reports no violation, and nothing scrolls sideways, in any state of the page`, async (t) => {
    const name = `domains-${look}`
    const { page: empty } = await open(t, [], { plan: 'free', options })
    await check(t, empty, `${name}-empty`)
    await empty.getByRole('button', { name: 'Sign out' }).click()
    await empty.getByRole('button', { name: 'Sign in' }).click()
    await check(t, empty, `${name}-sign-in`)

    const { served, page } = await open(t, sampleDomains(), { options })
    await check(t, page, `${name}-all`, true)
    served.pairs.set('example.com', pairChoices)
    await add(page, 'example.com')
    await settles(t, () => page.getByRole('radio').count(), 3)
    await check(t, page, `${name}-pair`)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await settles(t, () => focused(page), 'name-www.example.com')
    await page.getByRole('button', { name: 'Show details for example.com' }).click()
    await check(t, page, `${name}-pair-added`, true)
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

t.test('the button for dark mode is a picture of what it changes to', async (t) => {
  const { page } = await open(t)
  const button = page.getByRole('button', { name: 'Dark mode' })
  for (const icon of ['moon.svg")', 'sun.svg")']) {
    t.match(await button.boundingBox(), { width: 36, height: 36 })
    t.match(await button.evaluate((element) => getComputedStyle(element, '::before').maskImage), icon)
    await button.click()
  }
})
