// The page "Project settings / Domains": a user's actions, with a fake API.
import t from 'tap'
import { card, domainOf, focused, look, open, pairChoices, primary, second, signIn } from './fake-dashboard.ts'
import { settles } from './fixture.ts'

t.test('a wrong key is rejected, the right one shows the domains, and signing out forgets it', async (t) => {
  const { served, page } = await open(t, [primary], { path: '/shop/dashboard/' })
  t.equal(await focused(page), 'domains-heading')
  const kept = await page.evaluate(() => [{ ...localStorage }, { ...sessionStorage }, document.cookie])
  t.strictSame(kept, [{}, {}, ''])
  await page.getByRole('button', { name: 'Sign out' }).click()
  t.equal(await page.locator('#domains').textContent(), '')
  t.equal(await page.getByLabel('Dashboard key').inputValue(), '')
  for (const [wrong, said] of [
    ['', 'Enter the key exactly as you received it.'],
    ['schlüssel', 'Enter the key exactly as you received it.'],
    ['other', 'This key is not valid.'],
  ] as const) {
    await signIn(page, wrong)
    await settles(t, () => page.getByRole('alert').textContent(), said)
    t.equal(await focused(page), 'key')
    t.equal(await page.getByLabel('Dashboard key').getAttribute('aria-invalid'), 'true')
  }
  await signIn(page, served.key)
  await card(page, 'docs.example.com').waitFor()
  served.key = 'another'
  await look(page)
  const reason = 'You were signed out: your key is no longer valid.'
  await settles(t, () => page.getByRole('alert').textContent(), reason)
  t.notOk(await page.getByRole('heading', { name: 'Domains', exact: true }).isVisible())
})

t.test('the first domain is added, and its card shows the record to create', async (t) => {
  const { served, page } = await open(t)
  t.match(await page.locator('.intro').textContent(), /shop\.docs\.example.*plan is Pro/)
  t.equal(await page.locator('.empty li').count(), 3)
  await page.getByRole('button', { name: 'Add domain' }).press('Enter')
  const field = page.getByLabel('Domain or subdomain')
  t.match(await field.getAttribute('aria-describedby'), 'add-error')
  await field.fill(' docs.example.com ')
  await page.keyboard.press('Enter')
  await settles(t, () => focused(page), 'name-docs.example.com')
  const rows = card(page, 'docs.example.com').getByRole('row')
  t.strictSame(await rows.locator('th, code').allTextContents(), [
    ...['Type', 'CNAME', 'Name', 'docs'],
    ...['Value', 'cname.store.example', 'TTL', '3600'],
  ])
  t.equal(await page.locator('.empty').count(), 0)
  t.strictSame(served.changes, ['POST /domains {"domain":"docs.example.com"}'])
})

t.test('the first click on Add shows the choices for an apex, the second adds both', async (t) => {
  const { served, page } = await open(t)
  served.pairs.set('example.com', pairChoices)
  await page.getByRole('button', { name: 'Add domain' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add domain' })
  const choices = dialog.getByRole('radio')
  await page.getByLabel('Domain or subdomain').fill(' example.com')
  t.equal(await choices.count(), 0)
  await page.keyboard.press('Enter')
  await settles(t, () => choices.count(), 3)
  t.strictSame(served.changes, [])
  t.ok(await dialog.getByRole('group', { name: 'Add www.example.com as well?' }).isVisible())
  t.ok(await dialog.getByLabel(/^Yes: example.com redirects to www/).isChecked())
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await settles(t, () => focused(page), 'name-www.example.com')
  t.strictSame(served.changes, ['POST /domains {"domain":"example.com","pair":"to-www"}'])
})

t.test('a cancelled dialog is reset and returns the focus', async (t) => {
  const { served, page } = await open(t)
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => page.getByRole('button', { name: 'Cancel' }).click(),
  ]) {
    await page.getByRole('button', { name: 'Add domain' }).click()
    t.equal(await page.getByLabel('Domain or subdomain').inputValue(), '')
    await page.getByLabel('Domain or subdomain').fill('x')
    await leave()
    t.equal(await focused(page), 'add-domain')
  }
  t.strictSame(served.changes, [])
})

t.test("a domain's progress is shown from Verify to live", async (t) => {
  const { served, page } = await open(t, [second])
  const current = page.locator('.steps [aria-current=step]')
  const verify = page.getByRole('button', { name: 'Verify help.example.com', exact: true })
  await verify.click()
  await settles(t, () => verify.getAttribute('aria-disabled'), 'true')
  t.ok(await verify.evaluate((element) => element === document.activeElement), 'the focus stays')
  t.strictSame(served.changes, ['POST /domains/help.example.com/verify null'])
  const live = { state: 'live', summary: 'It is live.', liveSince: new Date().toISOString() }
  Object.assign(served.list.domains[0] as object, live)
  await settles(t, () => current.textContent(), 'Live (done)')
  await settles(t, () => page.locator('#announcer').textContent(), 'help.example.com: It is live.')
})

t.test('a long list is compact, and can be filtered', async (t) => {
  const many = Array.from({ length: 40 }, (_, index) => domainOf(`d${index}.example.com`, { state: 'live' }))
  const { page } = await open(t, many)
  t.ok((await page.evaluate(() => document.body.scrollHeight)) < 120 * 41, '120 pixels each')
  t.equal(await page.locator('.details:visible').count(), 0)
  await page.getByRole('searchbox', { name: 'Filter domains' }).fill('d3')
  await settles(t, () => page.locator('#filter-count').textContent(), '11 of 40 domains')
  t.equal(await page.locator('.domain h3').count(), 11)
})
