// Accessibility of the page "Project settings / Domains" in its states, the width of a phone, and pictures to look at.
import t from 'tap'
import { check, looks } from './check.ts'
import { fake, open } from './fake-dashboard.ts'
import { sampleDomains } from './sample-domains.ts'

for (const [look, options] of Object.entries(looks)) {
  t.test(`${look}: axe finds nothing, and nothing scrolls sideways, in any state of the page`, async (t) => {
    const name = `domains-${look}`
    const empty = await open(t, await fake(t, [], { plan: 'free' }), options)
    await check(t, empty, `${name}-empty`)
    await empty.getByRole('button', { name: 'Sign out' }).click()
    await empty.getByRole('button', { name: 'Sign in' }).click()
    await check(t, empty, `${name}-sign-in`)

    const page = await open(t, await fake(t, sampleDomains()), options)
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
    await page.getByRole('button', { name: 'Show details for docs.example.com' }).click()
    await check(t, page, `${name}-details`)
  })
}
