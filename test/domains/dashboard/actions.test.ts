import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { deferred } from 'test-kit/until'
import { pageIn, script } from './page.ts'

const { createActions } = await script('../../../domains/dashboard/browser/actions.js')
const { ApiError } = await script('../../../domains/dashboard/browser/api.js')
const { createState } = await script('../../../domains/dashboard/browser/state.js')

const [host, other] = ['docs.shop.test', 'other.shop.test']

/** The actions on two domains, of which the first is the primary one, and the operations that they call. */
function actionsIn(t: Test, fail: (operation: string) => unknown = () => undefined) {
  const page = pageIn(t)
  const domains = [
    { domain: host, displayName: 'Docs', state: 'live' },
    { domain: other, displayName: '<Other>', state: 'added', redirect: { to: host, status: 308 } },
  ]
  const state = createState({ domains, primary: host, total: 2 }, 0)
  const called: string[] = []
  const api = new Proxy({} as Record<string, unknown>, {
    get:
      (_api, name: string) =>
      async (...parameters: unknown[]) => {
        called.push([name, ...parameters].join(' '))
        const failure = fail(name)
        if (failure instanceof Error) throw failure
        return failure
      },
  })
  const refresh = async () => void called.push('refresh')
  return { ...page, state, called, actions: createActions({ api, state, render() {}, refresh }) }
}

t.test(
  'an error is shown on the card of its domain until the next operation; that of a domain that is gone, above',
  async (t) => {
    const failures: (Error | undefined)[] = [404, 429].map((status) => new ApiError(status, `It failed: ${status}.`))
    failures.push(undefined, new TypeError('a fault of the page'))
    const { actions, state, called, announced } = actionsIn(t, () => failures.shift())
    for (const [error, notice] of [
      ['It failed: 404.', 'Docs: It failed: 404.'],
      ['It failed: 429.', ''],
      [undefined, ''],
    ]) {
      await actions.verify(host)
      t.strictSame([state.errors.get(host), state.notice], [error, notice])
      if (error) t.strictSame([announced(), state.opened.get(host)], [error, true])
      t.strictSame(called.splice(0), [`verifyDomain ${host}`, 'refresh'])
    }
    await t.rejects(actions.reissue(host), { message: 'a fault of the page' })
  },
)

t.test(
  'a domain is removed, revoked or kept as the dialog says, after the next primary domain is chosen',
  async (t) => {
    const revoked = 'Its certificate has been revoked'
    const [primary, redirect] = [`setPrimaryDomain ${other}`, `setRedirect ${host} 301`]
    const cases: [values: Record<string, string>, called: string[], notice: string][] = [
      [{ next: '' }, [`removeDomain ${host}`], 'Docs has been removed.'],
      [{ next: other }, [primary, `removeDomain ${host}`], 'Docs has been removed.'],
      [{ next: other, keep: 'on' }, [primary, redirect], `Docs will redirect to ${other}.`],
      [{ reason: 'superseded' }, [`revokeDomain ${host} superseded false`], `Docs has been removed. ${revoked}.`],
      [
        { next: other, keep: 'on', reason: 'superseded' },
        [primary, redirect, `revokeDomain ${host} superseded true`],
        `Docs will redirect to ${other}. ${revoked}, and a new one is being ordered.`,
      ],
    ]
    for (const [values, operations, notice] of cases) {
      const { actions, called, submit, announced, byId, state } = actionsIn(t)
      const done = actions.remove(host)
      const missing = await submit('remove-dialog', { next: '', keep: 'on' })
      t.strictSame([missing, called.splice(0)], ['Choose the primary domain that it is to redirect to.', []])
      t.equal(await submit('remove-dialog', values), '')
      await done
      t.strictSame([called, announced(), state.notice], [[...operations, 'refresh'], notice, notice])
      t.equal(byId('add-domain').focused, 1)
      t.equal(byId('lost-redirects').textContent, ' 1 domain redirects to it.')
      t.equal(
        byId('next').innerHTML,
        `<option value="${other}">&lt;Other&gt; (not live yet)</option><option value="">None: redirects end</option>`,
      )
    }
  },
)

t.test('the next primary domain is chosen where the primary one is removed, from live ones first', async (t) => {
  const { actions, state, byId } = actionsIn(t)
  state.list.domains.push({ domain: 'live.test', displayName: 'Live', state: 'live' })
  for (const [removed, isHidden, choices] of [
    [host, false, ['live.test', other, '']],
    [other, true, ['']],
  ] as const) {
    void actions.remove(removed)
    const options = String(byId('next').innerHTML).matchAll(/value="([^"]*)"/g)
    t.strictSame([byId('next-primary').hidden, ...Array.from(options, ([, value]) => value)], [isHidden, ...choices])
  }
})

t.test('of a removal, nothing follows a step that fails', async (t) => {
  const steps = [`setPrimaryDomain ${other}`, `setRedirect ${host} 301`, `revokeDomain ${host} superseded true`]
  for (const [at, step] of steps.entries()) {
    const gone = new ApiError(409, 'It is gone.')
    const { actions, called, submit } = actionsIn(t, (name) => step.startsWith(name) && gone)
    void actions.remove(host)
    t.equal(await submit('remove-dialog', { next: other, keep: 'on', reason: 'superseded' }), 'It is gone.')
    t.strictSame(called, steps.slice(0, at + 1))
  }
})

t.test('a redirect is set with its status, or ends', async (t) => {
  for (const [status, operation] of [
    ['308', `setRedirect ${other} 308`],
    ['', `removeRedirect ${other}`],
  ] as const) {
    const { actions, called, submit, byId } = actionsIn(t)
    const done = actions.redirect(other)
    t.equal(byId('redirect-dialog').querySelector('form').querySelector('[name=status][value="308"]').checked, true)
    t.equal(byId('no-redirect').hidden, false)
    await submit('redirect-dialog', { status })
    await done
    t.strictSame(called, [operation, 'refresh'])
    const failing = actionsIn(t, () => new ApiError(409, 'There is no primary domain.'))
    void failing.actions.redirect(other)
    t.equal(await failing.submit('redirect-dialog', { status }), 'There is no primary domain.')
  }
})

t.test('a domain is added once its choices were seen, and then has the focus', async (t) => {
  const offers = Array(2).fill({ question: '<Which?>', choices: [{ pair: 'www.shop.test', text: '<Both>' }] })
  const { actions, called, submit, byId, state } = actionsIn(t, (name) =>
    name === 'addDomain' ? { domain: 'shop.test' } : name === 'getPairChoices' && (offers.shift() ?? { choices: [] }),
  )
  const done = actions.add()
  t.equal(await submit('add-dialog', { domain: ' ' }), 'Enter a domain, such as docs.example.com.')
  for (const times of [1, 2]) {
    await submit('add-dialog', { domain: ' shop.test ' })
    t.strictSame(called.splice(0), ['getPairChoices shop.test'])
    t.strictSame([byId('pair').hidden, byId('pair-status').textContent], [false, '<Which?>'])
    if (times === 1) t.match(byId('pair').innerHTML, /&lt;Which\?&gt;.*&lt;Both&gt;/)
    t.equal(byId('pair').querySelector('input').focused, times)
    if (times === 1) Object(byId('domain')).oninput() // another name
    t.equal(byId('pair').hidden, times === 1)
  }
  await submit('add-dialog', { domain: 'shop.test', pair: 'www.shop.test' })
  await done
  t.strictSame(called, ['addDomain shop.test www.shop.test', 'refresh'])
  t.strictSame([state.opened.get('shop.test'), byId('name-shop.test').focused], [true, 1])
})

t.test('a form is submitted once at a time, says that it is busy, and stays open after an error', async (t) => {
  const { promise, resolve } = deferred<void>()
  const { actions, called, submit, byId } = actionsIn(t, () => promise)
  const button = byId('remove-dialog').querySelector('form').querySelector('[type=submit]')
  Object.assign(button, { textContent: 'Remove', dataset: { busyText: 'Removing…' } })
  const done = actions.remove(host)
  const first = submit('remove-dialog', {})
  await submit('remove-dialog', {})
  await setImmediate()
  t.strictSame([called, button.textContent, button.ariaDisabled], [[`removeDomain ${host}`], 'Removing…', 'true'])
  resolve()
  await first
  await done
  t.strictSame([button.textContent, button.ariaDisabled], ['Remove', null])
})

t.test('more domains are shown a hundred at a time, up to a thousand; a card opens and closes', async (t) => {
  const { actions, state } = actionsIn(t)
  for (const limit of [200, 300]) {
    await actions.more()
    t.equal(state.limit, limit)
  }
  state.limit = 950
  await actions.more()
  t.equal(state.limit, 1000)
  for (const [ariaExpanded, isOpen] of [
    ['true', false],
    ['false', true],
  ] as const) {
    actions.toggle(host, { ariaExpanded })
    t.equal(state.opened.get(host), isOpen)
  }
})
