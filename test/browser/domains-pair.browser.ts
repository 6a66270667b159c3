// An apex and its www name on the page "Project settings / Domains": added in one step, verified with one click.
import t from 'tap'
import { check, looks } from './check.ts'
import { add, apex, card, focused, open, pairChoices, problemOf, update, www } from './fake-dashboard.ts'
import { settles } from './fixture.ts'

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

  const leader = card(page, 'www.example.com')
  t.equal(await leader.locator('.summary').textContent(), 'Create both DNS records, then choose Verify both.')
  for (const [name, type, label] of [
    ['www.example.com', 'CNAME', 'www'],
    ['example.com', 'ALIAS', '@'],
  ] as const) {
    const record = leader.getByRole('table', { name: `DNS record of ${name}` })
    t.strictSame((await record.locator('code').allTextContents()).slice(0, 2), [type, label])
  }
  const follower = card(page, 'example.com')
  t.equal(await follower.locator('.summary').textContent(), 'Its DNS record is shown with www.example.com.')
  t.equal(await follower.getByRole('table').count(), 0)
})

t.test('a domain is added alone, and the choices disappear with the name', async (t) => {
  const { served, page } = await open(t)
  served.pairs.set('example.com', pairChoices)
  const choices = page.getByRole('radio')
  const field = page.getByLabel('Domain or subdomain')
  const focusedText = () => page.evaluate(() => document.activeElement?.closest('label')?.textContent)
  const choose = async () => {
    await field.fill('example.com')
    await page.keyboard.press('Enter')
    await settles(t, () => choices.count(), 3)
  }
  await page.getByRole('button', { name: 'Add domain' }).click()
  await choose()
  await field.fill('example.co')
  t.equal(await choices.count(), 0)
  await choose()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Add domain' }).click()
  t.equal(await choices.count(), 0)
  await page.route('**/pairs/**', (route) => route.abort(), { times: 1 })
  await field.fill('example.com')
  await page.keyboard.press('Enter')
  await settles(t, () => page.getByRole('alert').textContent(), 'The server cannot be reached.')
  t.strictSame(served.changes, [])
  await choose()
  await settles(t, focusedText, pairChoices.choices[0]?.text)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await settles(t, () => focused(page), 'name-example.com')
  t.strictSame(served.changes, ['POST /domains {"domain":"example.com"}'])
})

t.test('both are verified with one click, and shown separately once one is live', async (t) => {
  const { served, page } = await open(t, [www, apex])
  const both = page.getByRole('button', { name: 'Verify both' })
  await both.click()
  await settles(t, () => both.getAttribute('aria-disabled'), 'true')
  await settles(t, async () => served.changes, [
    'POST /domains/www.example.com/verify null',
    'POST /domains/example.com/verify null',
  ])
  const problem = problemOf('There is no record.', { steps: ['Create it.'] })
  Object.assign(served.list.domains[0] as object, { state: 'live', summary: 'Live.' })
  await update(page, served, { state: 'failed', summary: 'Not live.', problem }, 1)
  await settles(t, () => both.count(), 0)
  t.ok(await card(page, 'example.com').getByRole('button', { name: 'Re-verify' }).isVisible())
  t.strictSame(await page.getByRole('table', { name: /^DNS record/ }).count(), 2)
})

for (const [name, options] of Object.entries(looks)) {
  t.test(`${name}: axe reports no violation in the choices and the records of both`, async (t) => {
    const { served, page } = await open(t, [], { options })
    served.pairs.set('example.com', pairChoices)
    await add(page, 'example.com')
    await settles(t, () => page.getByRole('radio').count(), 3)
    await check(t, page, `domains-${name}-pair`)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await settles(t, () => focused(page), 'name-www.example.com')
    await page.getByRole('button', { name: 'Show details for example.com' }).click()
    await check(t, page, `domains-${name}-pair-added`, true)
  })
}
