// The menu of a domain, its dialogs and the copy buttons, on the page "Project settings / Domains".
import type { Page } from 'playwright-core'
import t from 'tap'
import { card, choose, domainOf, focused, open, primary, second, update } from './fake-dashboard.ts'
import { settles } from './fixture.ts'

const announced = (page: Page) => page.locator('#announcer').textContent()

t.test('the menu works by keyboard', async (t) => {
  const redirect = { to: 'docs.example.com', status: 302 as const, isActive: true }
  const { page } = await open(t, [primary, { ...second, state: 'live', redirect }])
  const button = page.getByRole('button', { name: 'Actions for help.example.com' })
  const item = () => page.evaluate(() => document.activeElement?.textContent)
  const menu = page.locator(':popover-open')
  await button.press('Enter')
  for (const text of ['Make primary', 'Change redirect…', 'Re-verify', 'Remove…']) {
    await page.keyboard.press('Tab')
    t.equal(await item(), text)
  }
  await page.keyboard.press('Escape')
  t.equal(await focused(page), 'menu-help.example.com')
  t.equal(await menu.count(), 0)
  await button.click()
  t.equal(await menu.count(), 1)
  await page.locator('h1').click()
  t.equal(await menu.count(), 0)
  await choose(page, 'docs.example.com')
  t.strictSame(await menu.getByRole('button').allTextContents(), ['Re-verify', 'Remove…'])
})

t.test('a domain becomes primary, redirects, and stops redirecting', async (t) => {
  const { served, page } = await open(t, [primary, second])
  await choose(page, 'help.example.com', 'Redirect to primary…')
  const dialog = page.getByRole('dialog', { name: 'Redirect help.example.com' })
  t.match(await dialog.textContent(), 'the same path at docs.example.com')
  t.ok(await dialog.getByRole('radio', { name: /^301/ }).isChecked())
  await dialog.getByRole('radio', { name: /^308/ }).check()
  t.notOk(await dialog.getByRole('radio', { name: /^None/ }).isVisible(), 'nothing to end')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const line = card(page, 'help.example.com').locator('.redirect')
  await settles(t, () => line.allTextContents(), ['Redirects to docs.example.com (308)'])
  await choose(page, 'help.example.com', 'Change redirect…')
  t.ok(await dialog.getByRole('radio', { name: /^308/ }).isChecked())
  await dialog.getByRole('radio', { name: /^None/ }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await settles(t, () => line.count(), 0)
  await choose(page, 'help.example.com', 'Make primary')
  await settles(t, () => card(page, 'help.example.com').locator('.primary-mark').allTextContents(), ['Primary'])
  t.strictSame(served.changes, [
    'PUT /domains/help.example.com/redirect {"status":308}',
    'DELETE /domains/help.example.com/redirect null',
    'PUT /primary {"domain":"help.example.com"}',
  ])
})

t.test('the primary domain is kept as a redirect to the next one', async (t) => {
  const live = domainOf('live.example.com', { state: 'live' })
  const { served, page } = await open(t, [primary, live])
  await choose(page, 'docs.example.com', 'Remove…')
  const dialog = page.getByRole('dialog', { name: 'Remove docs.example.com?' })
  const textIn = () => dialog.locator('p:visible').allInnerTexts()
  t.match(
    (await textIn()).join(' '),
    /Traffic stops immediately.*delete the DNS record at your provider:\s+CNAME docs -> cname\.store\.example/,
  )
  await dialog.getByLabel('Keep the domain, and redirect it there').check()
  t.notMatch((await textIn()).join(' '), /Traffic stops|delete/)
  t.match((await textIn()).join(' '), 'Keep its DNS record: the redirect needs it.')
  await dialog.getByLabel('Certificate').selectOption({ label: 'Revoke it: its private key has leaked' })
  await dialog.getByLabel('New primary domain').selectOption('live.example.com')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await settles(t, () => focused(page), 'add-domain')
  t.match(await page.locator('.notice').textContent(), 'docs.example.com will redirect to live.example.com.')
  t.strictSame(served.changes, [
    'PUT /primary {"domain":"live.example.com"}',
    'PUT /domains/docs.example.com/redirect {"status":301}',
    'POST /domains/docs.example.com/revoke {"reason":"keyCompromise","keep":true}',
  ])
})

t.test('values are copied, or selected if the browser forbids copying', async (t) => {
  const { page } = await open(t, [second], { options: { permissions: ['clipboard-read', 'clipboard-write'] } })
  await page.getByRole('button', { name: 'Copy Value' }).click()
  await settles(t, () => announced(page), 'Copied.')
  t.equal(await page.evaluate(() => navigator.clipboard.readText()), 'cname.store.example')
  t.equal(await page.getByRole('button', { name: 'Copied Value' }).count(), 1)
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))
  })
  await page.getByRole('button', { name: 'Copy Name' }).click()
  await settles(t, () => page.evaluate(() => String(getSelection())), 'help')
  t.match(await announced(page), 'The value is selected')
})

t.test('a reload keeps the focus, the selection and open menus', async (t) => {
  const { served, page } = await open(t, [primary, second])
  const summary = card(page, 'help.example.com').locator('.summary')
  const change = async (text: string) => {
    await update(page, served, { summary: text, hint: text }, 1)
    await settles(t, () => summary.textContent(), text)
  }
  await page.getByRole('button', { name: 'Actions for help.example.com' }).click()
  await page.locator('#remove-help\\.example\\.com').focus()
  served.list.domains.shift()
  served.list.domains.unshift(domainOf('new.example.com'))
  await change('A menu is open.')
  t.equal(await focused(page), 'remove-help.example.com')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Add domain' }).click()
  await page.getByLabel('Domain or subdomain').fill('half-typed')
  await change('A dialog is open.')
  t.equal(await page.getByLabel('Domain or subdomain').inputValue(), 'half-typed')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Hide details for help.example.com' }).click()
  await change('The details are closed.')
  t.equal(await page.getByRole('button', { name: 'Show details for help.example.com' }).count(), 1)
  t.ok(await page.evaluate(() => document.activeElement?.textContent?.startsWith('Show details')))
})
