// The page "Project settings / Domains": dialogs that depend on the list, long lists, and times.
import t from 'tap'
import {
  add,
  card,
  choose,
  domainOf,
  focused,
  look,
  open,
  primary,
  problemOf,
  second,
  update,
} from './fake-dashboard.ts'
import { settles } from './fixture.ts'

t.test('an empty name is rejected with a hint', async (t) => {
  const { served, page } = await open(t)
  await add(page, '  ')
  await settles(t, () => page.getByRole('alert').textContent(), 'Enter a domain, such as docs.example.com.')
  t.strictSame(served.changes, [])
})

t.test('removing the primary domain prompts for the next one, and keeps all redirects', async (t) => {
  const old = domainOf('old.example.com', { redirect: { to: 'docs.example.com', status: 302, isActive: true } })
  const live = domainOf('live.example.com', { state: 'live' })
  const { served, page } = await open(t, [primary, old, live])
  const next = page.getByLabel('New primary domain')
  await choose(page, 'live.example.com', 'Remove…')
  t.notOk(await next.isVisible())
  await page.keyboard.press('Escape')
  await choose(page, 'docs.example.com', 'Remove…')
  const dialog = page.getByRole('dialog', { name: 'Remove docs.example.com?' })
  t.match(await dialog.textContent(), 'This is the primary domain. 1 domain redirects to it.')
  t.strictSame(await next.locator('option').allTextContents(), [
    'live.example.com',
    'old.example.com (not live yet)',
    'None: redirects end',
  ])
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await settles(t, () => focused(page), 'add-domain')
  t.strictSame(served.changes, ['PUT /primary {"domain":"live.example.com"}', 'DELETE /domains/docs.example.com null'])
})

t.test('the primary domain is kept as a redirect to the next one', async (t) => {
  const live = domainOf('live.example.com', { state: 'live' })
  const { served, page } = await open(t, [primary, live])
  await choose(page, 'docs.example.com', 'Remove…')
  const dialog = page.getByRole('dialog', { name: 'Remove docs.example.com?' })
  const textIn = () => dialog.locator('p:visible').allInnerTexts()
  t.match((await textIn()).join(' '), /Traffic stops immediately.*delete the DNS record/)
  await dialog.getByLabel('Keep the domain, and redirect it there').check()
  t.notMatch((await textIn()).join(' '), /Traffic stops|delete/)
  t.match((await textIn()).join(' '), 'Keep its DNS record: the redirect needs it.')
  await dialog.getByLabel('Certificate').selectOption({ label: 'Revoke it: its private key has leaked' })
  await dialog.getByLabel('New primary domain').selectOption('')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  const missing = 'Choose the primary domain that it is to redirect to.'
  await settles(t, () => dialog.getByRole('alert').textContent(), missing)
  await dialog.getByLabel('New primary domain').selectOption('live.example.com')
  const message = 'Nothing was changed.'
  served.refusals.set('PUT /primary', { status: 503, message })
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await settles(t, () => dialog.getByRole('alert').textContent(), message)
  t.strictSame(served.changes.splice(0), ['PUT /primary {"domain":"live.example.com"}'], 'no redirect is lost')
  served.refusals.clear()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await settles(t, () => focused(page), 'add-domain')
  t.strictSame(served.changes, [
    'PUT /primary {"domain":"live.example.com"}',
    'PUT /domains/docs.example.com/redirect {"status":301}',
    'POST /domains/docs.example.com/revoke {"reason":"keyCompromise","keep":true}',
  ])
  const notice =
    'docs.example.com will redirect to live.example.com. Its certificate has been revoked, and a new one is being ordered.'
  t.equal(await page.locator('.notice').textContent(), notice)
})

t.test('a domain that was removed in another tab is reported and disappears', async (t) => {
  const { served, page } = await open(t, [primary, second])
  served.list.domains.pop()
  await card(page, 'help.example.com').getByRole('button', { name: 'Verify' }).click()
  const notice = 'help.example.com: This domain was removed in the meantime.'
  await settles(t, () => page.locator('.notice').allTextContents(), [notice])
  t.equal(await page.getByRole('article').count(), 1)
})

t.test('a long list is compact, shows failed domains first, and can be filtered', async (t) => {
  const many = Array.from({ length: 40 }, (_, index) => domainOf(`d${index}.example.com`, { state: 'live' }))
  const problem = problemOf('There is no record.')
  const { served, page } = await open(t, [...many, domainOf('bad.example.com', { state: 'failed', problem })])
  const names = () => page.locator('.domain h3').allTextContents()
  t.equal((await names())[0], 'bad.example.com')
  t.ok((await page.evaluate(() => document.body.scrollHeight)) < 120 * 41, '120 pixels each')
  t.equal(await page.locator('.details:visible').count(), 0)
  const filter = page.getByRole('searchbox', { name: 'Filter domains' })
  await filter.fill('D3')
  await settles(t, () => page.locator('#filter-count').textContent(), '11 of 41 domains')
  t.strictSame((await names()).slice(0, 2), ['d3.example.com', 'd30.example.com'])
  await filter.fill('bad')
  await page.getByRole('button', { name: 'Show details for bad.example.com' }).click()
  await update(page, served, { state: 'live', summary: 'Live at last.', problem: undefined }, 40)
  await settles(t, () => page.locator('.summary').textContent(), 'Live at last.')
  await filter.fill('')
  await settles(t, async () => (await names())[0], 'bad.example.com')
})

t.test('of very many domains, a page is shown, and more on request', async (t) => {
  const many = Array.from({ length: 250 }, (_, index) => domainOf(`d${index}.example.com`, { state: 'live' }))
  const { page } = await open(t, many)
  const shown = () => page.locator('.domain h3').count()
  t.equal(await shown(), 100)
  t.equal(await page.locator('#filter-count').textContent(), '250 domains')
  for (const count of [200, 250]) {
    await page.getByRole('button', { name: 'Show more' }).click()
    await settles(t, shown, count)
  }
  t.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0)
})

t.test('while nothing can be changed, the page says so and why', async (t) => {
  const { served, page } = await open(t, [primary], { unsaved: 'the disk is full' })
  const notice = page.getByText('Changes cannot be saved at the moment: the disk is full.')
  t.ok(await notice.isVisible())
  const message = 'Nothing was changed, because it cannot be saved: the disk is full.'
  served.refusals.set('POST /domains', { status: 503, message })
  await add(page, 'docs.example.com')
  await settles(t, () => page.getByRole('alert').textContent(), message)
  await page.keyboard.press('Escape')
  served.refusals.set('POST /domains/docs.example.com/verify', { status: 503, message })
  await choose(page, 'docs.example.com', 'Re-verify')
  await settles(t, () => page.locator('.verify .error').allTextContents(), [message])
  served.list.unsaved = 'no space left on device'
  await look(page)
  await settles(t, () => page.getByText('Changes cannot be saved at the moment: no space left on device.').count(), 1)
  delete served.list.unsaved
  await look(page)
  await settles(t, () => page.locator('.unsaved').count(), 0)
})
