// The page "Project settings / Domains": a user's actions, with a fake API.
import type { Page } from 'playwright-core'
import t from 'tap'
import { card, domainOf, focused, look, open, primary, problemOf, second, signIn, update } from './fake-dashboard.ts'
import { settles } from './fixture.ts'

const announced = (page: Page) => page.locator('#announcer').textContent()

t.test('a wrong key is rejected, the right one shows the domains, and signing out forgets it', async (t) => {
  const { served, page } = await open(t, [primary])
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
  const timers = await page.evaluateHandle(() => {
    const running = new Set<unknown>()
    const { setInterval, clearInterval } = window
    const start = (...args: Parameters<typeof setInterval>) => running.add(setInterval(...args)) && [...running].at(-1)
    const end = (timer: number) => running.delete(timer) && clearInterval(timer)
    return Object.assign(window, { setInterval: start, clearInterval: end }) && running
  })
  const running = () => timers.evaluate(({ size }) => size)
  await signIn(page, served.key)
  await card(page, 'docs.example.com').waitFor()
  t.ok((await running()) > 0)
  served.key = 'another'
  await look(page)
  const reason = 'You were signed out: your key is no longer valid.'
  await settles(t, () => page.getByRole('alert').textContent(), reason)
  t.notOk(await page.getByRole('heading', { name: 'Domains', exact: true }).isVisible())
  t.equal(await running(), 0)
})

t.test('the first domain is added, and its card shows the record to create', async (t) => {
  const { served, page } = await open(t)
  t.match(await page.locator('.intro').textContent(), /shop\.docs\.example.*plan is Pro/)
  t.equal(await page.locator('.empty li').count(), 3)
  await page.getByRole('button', { name: 'Add domain' }).press('Enter')
  const field = page.getByLabel('Domain or subdomain')
  const dialog = page.getByRole('dialog', { name: 'Add domain' })
  served.refusals.set('POST /domains', { status: 400, message: 'Leave out https://.' })
  await field.fill(' https://docs.example.com ')
  await page.keyboard.press('Enter')
  await settles(t, () => dialog.getByRole('alert').textContent(), 'Leave out https://.')
  t.equal(await field.getAttribute('aria-invalid'), 'true')
  t.match(await field.getAttribute('aria-describedby'), 'add-error')
  t.equal(await focused(page), 'domain')
  served.refusals.clear()
  await field.fill('docs.example.com')
  await page.keyboard.press('Enter')
  await settles(t, () => focused(page), 'name-docs.example.com')
  const rows = card(page, 'docs.example.com').getByRole('row')
  t.strictSame(await rows.locator('th, code').allTextContents(), [
    ...['Type', 'CNAME', 'Name', 'docs'],
    ...['Value', 'cname.store.example', 'TTL', '3600'],
  ])
  t.equal(await page.locator('.empty').count(), 0)
  t.strictSame(served.changes, [
    'POST /domains {"domain":"https://docs.example.com"}',
    'POST /domains {"domain":"docs.example.com"}',
  ])
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

t.test('on the Free plan, the page names the required plan, and offers no form that cannot succeed', async (t) => {
  const { served, page } = await open(t, [], { plan: 'free' })
  const description = 'Custom domains require the Pro plan or above.'
  const button = page.getByRole('button', { name: 'Add domain', description })
  t.equal(await button.getAttribute('aria-disabled'), 'true')
  await button.press('Enter')
  t.equal(await page.getByRole('dialog').count(), 0)

  served.list.plan = 'pro'
  await look(page)
  await settles(t, () => page.locator('#add-domain').getAttribute('aria-disabled'), null)
  t.equal(await page.locator('#add-domain').getAttribute('aria-describedby'), null)
})

t.test("a domain's progress is shown from Verify to live", async (t) => {
  const { served, page } = await open(t, [second])
  const steps = () => page.getByRole('list', { name: 'Progress' }).getByRole('listitem').allTextContents()
  const current = page.locator('.steps [aria-current=step]')
  const verify = page.getByRole('button', { name: 'Verify help.example.com', exact: true })
  t.strictSame(await steps(), ['DNS record (in progress)', 'Certificate (to come)', 'Live (to come)'])
  await verify.click()
  await settles(t, () => verify.getAttribute('aria-disabled'), 'true')
  t.ok(await verify.evaluate((element) => element === document.activeElement), 'the focus stays')
  t.strictSame(served.changes, ['POST /domains/help.example.com/verify null'])
  const [domain] = served.list.domains
  for (const [state, at] of [
    ['issuing', 'Certificate (in progress)'],
    ['live', 'Live (done)'],
  ] as const) {
    Object.assign(domain as object, { state, summary: `It is ${state}.`, liveSince: new Date().toISOString() })
    await settles(t, () => current.textContent(), at)
    await settles(t, () => announced(page), `help.example.com: It is ${state}.`)
  }
})

t.test('a problem is shown with its steps, and Re-verify when the API allows it', async (t) => {
  const problem = problemOf('An A record <b>is</b> in the way.', { steps: ['Delete it.'], notes: ['Wait.'] })
  const soon = new Date(Date.now() + 60_000).toISOString()
  const failed = domainOf('docs.example.com', { state: 'failed', problem, canVerifyAt: soon })
  const { served, page } = await open(t, [failed])
  const verify = page.getByRole('button', { name: 'Re-verify' })
  t.strictSame(await page.locator('.problem :is(h4, li, p)').allTextContents(), [
    'An A record <b>is</b> in the way.',
    'Delete it.',
    'Wait.',
  ])
  t.equal(await page.locator('.steps [aria-current=step]').textContent(), 'DNS record (failed)')
  const later = { summary: `Not live. ${problem.message} Wait.`, canVerifyAt: '2099-01-01T10:30:00Z' }
  await update(page, served, later)
  await settles(t, () => page.locator('.problem :is(h4, li, p)').allTextContents(), ['What to do', 'Delete it.'])
  t.match(await page.locator('.verify').textContent(), /^Re-verify docs.example.comAvailable in [\d,]+ days$/)
  await update(page, served, { canVerifyAt: soon })
  const isSoon = async () => /Available in \d\d seconds/.test(String(await page.locator('.verify').textContent()))
  await settles(t, isSoon, true)
  t.equal(await verify.getAttribute('aria-disabled'), 'true')
  await verify.press('Enter')
  t.strictSame(served.changes, [])
  await update(page, served, { canVerifyAt: '2026-01-01T00:00:00Z' })
  await settles(t, () => verify.getAttribute('aria-disabled'), null)
  served.refusals.set('POST /domains/docs.example.com/verify', { status: 429, message: 'Ask again in 20 seconds.' })
  await verify.click()
  await settles(t, () => page.locator('.verify .error').allTextContents(), ['Ask again in 20 seconds.'])
  t.equal(await announced(page), 'Ask again in 20 seconds.')
})

t.test('while the server is unreachable, the last list stays, and the page says so', async (t) => {
  const { page } = await open(t, [primary])
  await page.route('**/dashboard/v1/**', (route) => route.abort())
  await look(page)
  await settles(t, () => page.locator('.trouble').count(), 1)
  const trouble = async () => String(await page.locator('.trouble').textContent())
  t.match(await trouble(), /^The server cannot be reached\. This is the list as of .* ago\./)
  t.equal(await announced(page), 'The server cannot be reached.')
  t.equal(await page.getByRole('article').count(), 1)
  await page.unroute('**/dashboard/v1/**')
  await page.route('**/dashboard/v1/**', (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }))
  await look(page)
  await settles(t, async () => (await trouble()).split('. ')[0], 'The server responded with status 502')
  await page.unroute('**/dashboard/v1/**')
  await look(page)
  await settles(t, () => page.locator('.trouble').count(), 0)
})

t.test('the page works below a prefix of a reverse proxy, with and without a slash', async (t) => {
  for (const path of ['/dashboard/', '/shop/dashboard', '/shop/dashboard/']) {
    const { served, page } = await open(t, [primary], { path })
    await card(page, 'docs.example.com').waitFor()
    await page.getByRole('link', { name: 'Documentation' }).click()
    await page.waitForURL(`${served.origin}${path.replace(/dashboard\/?/, 'docs')}`)
  }
})
