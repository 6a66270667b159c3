import t from 'tap'
import { emptySnapshot } from '../../src/state/snapshot.ts'
import { hintOf, summaryOf } from '../../src/texts/summary.ts'
import { type ViewContext, viewOf } from '../../src/texts/view.ts'
import { after, begin, DAY } from '../fixtures/clock.ts'
import { domainOf, target } from '../fixtures/domains.ts'

const host = 'docs.xn--bcher-kva.test'

const base = { snapshot: emptySnapshot, redirectTargets: new Set<string>() }
const context: ViewContext = { ...base, target, progress: undefined, now: begin }

t.test('a certificate shows its authority, and when that suggests to renew it', async (t) => {
  const dates = { issuer: 'Tests', notBefore: after(0), notAfter: after(90 * DAY) }
  const certificate = { ...dates, authority: 'https://ca.test/directory' }
  const window = { start: after(40 * DAY), end: after(42 * DAY) }
  const renewal = { ...window, at: after(41 * DAY) }
  const domain = domainOf(host, { state: 'live', certificate: { ...certificate, renewal } })
  const expected = { ...certificate, renewsAt: after(41 * DAY), renewal: window }
  t.strictSame(viewOf(domain, context).certificate, expected)
})

t.test('a redirect is shown with its target and status', async (t) => {
  const redirects = new Map([[host, { to: 'shop.test', status: 308 }]] as const)
  const states = ['live', 'failed'] as const
  for (const [state, other] of states.flatMap((state) => states.map((other) => [state, other] as const))) {
    const domain = domainOf(host, { state })
    const domains = new Map([['shop.test', domainOf('shop.test', { state: other })]])
    const shown = viewOf(domain, { ...context, snapshot: { redirects, domains } })
    const redirect = { to: 'shop.test', status: 308, isActive: state === 'live' && other === 'live' } as const
    t.strictSame(shown.redirect, redirect)
    t.equal(shown.hint, hintOf(domain, begin, { redirect }))
  }
  const redirected = domainOf('shop.test')
  const shown = viewOf(redirected, { ...context, redirectTargets: new Set(['shop.test']) })
  t.equal(shown.hint, hintOf(redirected, begin, { isAwaited: true }))
  const live = domainOf('shop.test', { state: 'live' })
  t.equal(viewOf(live, { ...context, redirectTargets: new Set(['shop.test']) }).hint, undefined)
})

t.test('a running attempt shows its progress, also for a domain that stays live', async (t) => {
  const domain = domainOf(host, { state: 'live' })
  const { state, summary } = viewOf(domain, { ...context, progress: 'issuing' })
  t.strictSame([state, summary], ['issuing', summaryOf({ ...domain, state: 'issuing' }, begin)])
})
