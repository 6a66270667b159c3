// Texts of the API on the page "Project settings / Domains", whatever is in them: as text.
import type { Page } from 'playwright-core'
import t from 'tap'
import { add, domainOf, open } from './fake-dashboard.ts'
import { settles } from './fixture.ts'

/** Ends attributes and tags, and loads an image that is not there. */
const hostile = `"'><img src=x onerror=alert(1)><b>&lt;`

const problem = {
  code: 'record_missing' as const,
  about: 'caa' as const,
  addressee: 'user' as const,
  found: [{ type: 'A', value: hostile }],
  message: `Message ${hostile}`,
  steps: [`Step ${hostile}`],
  notes: [`Note ${hostile}`],
}
const certificate = {
  issuer: hostile,
  notBefore: '2098-10-03T10:00:00Z',
  notAfter: '2099-01-01T10:00:00Z',
  renewsAt: '2098-12-02T10:00:00Z',
}

const markup = (page: Page) => page.locator(':is(#domains, #announcer, dialog) :is(img, b)').count()

t.test('the list shows hostile texts as they are', async (t) => {
  const domain = domainOf(hostile, {
    state: 'live',
    summary: `Summary ${hostile}`,
    redirect: { to: hostile, status: 301, isActive: true },
    record: { type: 'CNAME', name: hostile, value: hostile, ttl: 3600, note: hostile },
    hint: hostile,
    certificate,
    problem,
  })
  const { served, page } = await open(t, [domain], {
    unsaved: hostile,
    platform: { domain: hostile, cnameTarget: hostile, problem },
    accounts: [{ authority: 'https://ca.test/directory', url: hostile }],
  })
  const text = String(await page.locator('#domains').textContent())
  t.equal(text.split(hostile).length - 1, 23, 'each text is shown, and as it is')
  t.equal(await page.locator('.domain').getAttribute('data-domain'), hostile)
  t.equal(await page.locator('.menu > button').getAttribute('aria-label'), `Actions for ${hostile}`)
  served.refusals.set(`POST /domains/${encodeURIComponent(hostile)}/verify`, { status: 429, message: hostile })
  await page.getByRole('button', { name: 'Re-verify' }).click()
  await settles(t, () => page.locator('.verify .error').allTextContents(), [hostile])
  t.equal(await page.locator('#announcer').textContent(), hostile)
  t.equal(await markup(page), 0)
})

t.test('the dialogs show hostile texts as they are', async (t) => {
  const primary = domainOf('docs.example.com', { isPrimary: true })
  const { served, page } = await open(t, [primary, domainOf(hostile)])
  const choice = { pair: 'to-www' as const, text: `Choice ${hostile}`, note: `Note ${hostile}` }
  served.pairs.set('example.com', { question: hostile, choices: [choice] })
  await page.getByRole('button', { name: 'Actions for docs.example.com' }).click()
  await page.locator(':popover-open').getByRole('button', { name: 'Remove…' }).click()
  const options = page.getByLabel('New primary domain').locator('option')
  t.strictSame(await options.allTextContents(), [`${hostile} (not live yet)`, 'None: redirects end'])
  t.equal(await options.first().getAttribute('value'), hostile)
  await page.keyboard.press('Escape')
  await add(page, 'example.com')
  await settles(t, () => page.locator('#pair legend').textContent(), hostile)
  t.strictSame(await page.locator('#pair label > span').allTextContents(), [`${choice.text}${choice.note}`])
  t.equal(await markup(page), 0)
})
