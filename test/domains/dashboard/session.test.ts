import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { pageIn, script } from './page.ts'

const { openSession } = await script('../../../domains/dashboard/browser/session.js')
const { ApiError } = await script('../../../domains/dashboard/browser/api.js')

const platform = { domain: 'platform.test' }
const host = 'docs.shop.test'
const record = { type: 'CNAME', name: 'a', value: 'b', ttl: 60, note: '' }
const domainIn = (state: string) => ({
  ...{ domain: host, displayName: host, summary: `It is ${state}.` },
  ...{ state, record, canVerifyAt: '2026-01-01T00:00:00Z' },
})
const listOf = (state: string) => ({
  ...{ plan: 'pro', platform, accounts: [], domains: [domainIn(state)], total: 1, count: 1 },
})

interface Query {
  search: string
  limit: number
  signal: AbortSignal
}

/** A session whose list is that of `load`, once it is read; and what it asks for. */
async function sessionIn(t: Test, load: (query: Query) => Promise<object> = async () => listOf('live')) {
  const page = pageIn(t)
  const asked: Query[] = []
  const [verified, reasons]: [string[], string[]] = [[], []]
  const api = {
    now: () => Date.parse('2026-12-31T10:30:00Z') + 60_000 * asked.length,
    listDomains: (query: Query) => asked.push(query) && load(query),
    verifyDomain: async (name: string) => void verified.push(name),
  }
  const end = openSession(api, listOf('live'), (reason: string) => reasons.push(reason))
  t.teardown(end)
  await setImmediate()
  const waits = () => [...page.timers].map(({ ms }) => ms)
  return { ...page, asked, verified, reasons, end, waits }
}

t.test('the list is read again after a second while an attempt is running, else after fifteen', async (t) => {
  for (const [state, pause] of Object.entries({ verifying: 1000, verified: 1000, issuing: 1000, live: 15_000 })) {
    const { waits, timers, asked } = await sessionIn(t, async () => listOf(state))
    t.strictSame(waits(), [1000, pause], `the seconds are counted down, and ${state}`)
    await [...timers].at(-1)?.run()
    t.equal(asked.length, 2)
  }
})

t.test('a session that has ended has no timer, no pending read and no open dialog, and reads nothing', async (t) => {
  const { byId, document, end, fire, asked, timers } = await sessionIn(t, () => new Promise(() => {}))
  let closed = 0
  byId('dialog').close = () => void closed++
  fire('input', { value: 'a' })
  t.equal(timers.size, 2)
  end()
  document.dispatchEvent(new Event('visibilitychange'))
  fire('input', { value: 'b' })
  t.strictSame([timers.size, closed, asked.map(({ signal }) => signal.aborted)], [0, 1, [true]])
})

t.test('a page that is hidden is not read until it is visible again', async (t) => {
  const { document, asked, waits, timers } = await sessionIn(t)
  document.hidden = true
  await [...timers].at(-1)?.run()
  document.dispatchEvent(new Event('visibilitychange'))
  t.strictSame([asked.length, waits()], [2, [1000]])
  document.hidden = false
  document.dispatchEvent(new Event('visibilitychange'))
  await setImmediate()
  t.strictSame([asked.length, waits().at(-1)], [3, 15_000])
})

t.test('a list that cannot be read is said once, and is shown as of when it was read', async (t) => {
  const failures = [500, 503].map((status) => new ApiError(status, `It responded with ${status}.`))
  const load = async () => (failures.length > 0 ? Promise.reject(failures.shift()) : listOf('failed'))
  const { html, announced, byId, timers, reasons } = await sessionIn(t, load)
  t.equal(announced(), 'It responded with 500.')
  t.match(html(), /It responded with 500\. This is the list as of <time datetime="2026-12-31T10:30:00/)
  byId('announcer').innerHTML = ''
  await [...timers].at(-1)?.run()
  t.strictSame([announced(), html().includes('It responded with 503.')], ['', true])
  await [...timers].at(-1)?.run()
  t.strictSame([announced(), html().includes('trouble')], [`${host}: It is failed.`, false])
  failures.push(new ApiError(502, 'It responded with 502.'))
  await [...timers].at(-1)?.run()
  t.match(html(), /502\. This is the list as of <time datetime="2026-12-31T10:33:00/)
  t.strictSame(reasons, [])
})

t.test('a key that is no longer valid ends the session', async (t) => {
  const { reasons } = await sessionIn(t, () => Promise.reject(new ApiError(401, 'This key is not valid.')))
  t.strictSame(reasons, ['You were signed out: your key is no longer valid.'])
})

t.test('the list is filtered once the typing pauses', async (t) => {
  const { fire, asked, waits, timers } = await sessionIn(t)
  for (const value of ['d', ' docs ']) fire('input', { value })
  t.strictSame(waits(), [1000, 15_000, 200])
  await [...timers].at(-1)?.run()
  t.strictSame([asked.at(-1)?.search, asked.at(-1)?.limit], ['docs', 100])
  t.equal(waits().filter((ms) => ms === 15_000).length, 1, 'in place of the next read')
})

t.test('a button acts on its domain, and the list is read anew in place of a pending read', async (t) => {
  const untilAborted = ({ signal }: Query) => once(signal, 'abort').then(() => Promise.reject(signal.reason))
  const { fire, asked, verified, waits } = await sessionIn(t, untilAborted)
  let hidden = 0
  const press = (properties: object) => {
    const closest = (selector: string): unknown => {
      if (selector === '[data-domain]') return { getAttribute: () => host }
      return selector === '[popover]' ? { hidePopover: () => hidden++ } : target
    }
    const target = Object.assign(new (globalThis as never as { Element: new () => object }).Element(), {
      closest,
      ...properties,
    })
    fire('click', { closest: () => target })
  }
  press({ dataset: { action: 'verify' }, ariaDisabled: 'true' })
  t.strictSame([verified, hidden], [[], 0])
  press({ dataset: { action: 'verify' } })
  await setImmediate()
  t.strictSame([verified, hidden, asked.map(({ signal }) => signal.aborted)], [[host], 1, [true, false]])
  t.strictSame(waits(), [1000], 'the former one is over')
  press({ dataset: { action: 'more' } })
  await setImmediate()
  t.equal(asked.at(-1)?.limit, 200)
})
