import t from 'tap'
import {
  canOrderAt,
  canRequestAt,
  dueAt,
  hasExpired,
  isServed,
  recentOrders,
  renewsAt,
  retryAt,
} from '../../../domains/maintenance/schedule.ts'
import type { Domain } from '../../../domains/state/domain.ts'
import { begin, DAY, domainOf, HOUR, SECOND } from '../../fixtures/domains.ts'

const after = (ms: number) => new Date(begin.getTime() + ms).toISOString()
const dated = (changes: Partial<Domain>) => domainOf('docs.shop.test', changes)
const certificate = { issuer: 'Tests', notBefore: after(0), notAfter: after(90 * DAY) }
const problem = { code: 'record_missing' } as const

t.test('the due time follows from the state alone', async (t) => {
  const cases: [changes: Partial<Domain>, due: number | undefined][] = [
    [{ state: 'added' }, undefined],
    [{ state: 'verifying' }, 0],
    [{ state: 'verified' }, 0],
    [{ state: 'issuing' }, 0],
    [{ state: 'live' }, 0], // without a certificate
    [{ state: 'failed', problem, failingSince: after(0), notBefore: after(HOUR) }, begin.getTime() + HOUR],
    [{ state: 'failed', problem, failingSince: after(0), notBefore: after(31 * DAY) }, undefined],
    [{ state: 'live', certificate }, begin.getTime() + 60 * DAY],
    [
      { state: 'live', certificate, problem, failingSince: after(60 * DAY), notBefore: after(61 * DAY) },
      begin.getTime() + 61 * DAY,
    ],
    [
      { state: 'live', certificate, problem, failingSince: after(60 * DAY), notBefore: after(91 * DAY) },
      begin.getTime() + 90 * DAY, // the certificate's end comes first
    ],
    [{ state: 'live', certificate, problem }, begin.getTime() + 90 * DAY],
    [{ state: 'live', certificate, issuedAt: after(60 * DAY) }, begin.getTime() + 61 * DAY],
  ]
  for (const [changes, due] of cases) t.equal(dueAt(dated(changes))?.getTime(), due)
})

t.test('automatic retries stop after thirty days of failures', async (t) => {
  t.strictSame(retryAt(dated({ failingSince: after(0), notBefore: after(30 * DAY) })), new Date(after(30 * DAY)))
  t.equal(retryAt(dated({ failingSince: after(0), notBefore: after(30 * DAY + 1) })), undefined)
  t.equal(retryAt(dated({})), undefined)
})

t.test('a user may ask again after 30 seconds, or when a limit ends', async (t) => {
  const canRequest = (changes: Partial<Domain>, now: number) =>
    canRequestAt(dated(changes), new Date(after(now))).toISOString()
  t.equal(canRequest({}, SECOND), new Date(0).toISOString())
  t.equal(canRequest({ askedAt: after(0) }, SECOND), after(30 * SECOND))
  t.equal(canRequest({ askedAt: after(0), limitedUntil: after(HOUR) }, SECOND), after(HOUR))
  t.equal(canRequest({ askedAt: after(0), problem, notBefore: after(HOUR) }, SECOND), after(30 * SECOND))
  t.equal(canRequest({ askedAt: after(HOUR) }, 0), new Date(0).toISOString(), 'the clock was set back')
})

t.test('at most four orders an hour are made', async (t) => {
  const orderedAt = [0, 10, 20, 30].map((minutes) => after(minutes * 60 * SECOND))
  const limitEnds = (now: number) => canOrderAt(dated({ orderedAt }), new Date(after(now)))?.toISOString()
  t.equal(limitEnds(31 * 60 * SECOND), after(HOUR))
  t.equal(limitEnds(HOUR), undefined)
  t.equal(canOrderAt(dated({ orderedAt: orderedAt.slice(1) }), new Date(after(HOUR / 2))), undefined)
  t.strictSame(recentOrders(dated({ orderedAt }), new Date(after(HOUR + 10 * 60 * SECOND))), orderedAt.slice(2))
  t.strictSame(recentOrders(dated({ orderedAt }), new Date(after(-HOUR))), [], 'the clock was set back')
})

t.test('no order follows a success within a day, or within half the life of a short certificate', async (t) => {
  const limitEnds = (life: number) => {
    const short = { ...certificate, notAfter: after(life) }
    return canOrderAt(dated({ issuedAt: after(0), certificate: short }), new Date(after(SECOND)))?.toISOString()
  }
  t.equal(limitEnds(90 * DAY), after(DAY))
  t.equal(limitEnds(6 * HOUR), after(3 * HOUR))
  t.equal(canOrderAt(dated({ issuedAt: after(0) }), new Date(after(SECOND))), undefined)
})

t.test('a live domain is served until its certificate ends', async (t) => {
  const at = (state: Domain['state'], now: number) => {
    const domain = dated({ state, certificate })
    return [hasExpired(domain, new Date(after(now))), isServed(domain, new Date(after(now)))]
  }
  t.strictSame(at('live', 90 * DAY - 1), [false, true])
  t.strictSame(at('live', 90 * DAY), [true, false])
  t.strictSame(at('failed', 90 * DAY), [false, false])
  t.strictSame([hasExpired(dated({ state: 'live' }), begin), isServed(dated({ state: 'live' }), begin)], [false, true])
})

t.test('a certificate is renewed with a third of its lifetime left, or half of one under ten days', async (t) => {
  const notBefore = '2026-01-01T00:00:00.000Z'
  const lives: [notAfter: string, renewsAt: string][] = [
    ['2026-04-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'], // 90 days
    ['2026-01-11T00:00:00.000Z', '2026-01-07T16:00:00.000Z'], // 10 days
    ['2026-01-07T00:00:00.000Z', '2026-01-04T00:00:00.000Z'], // 6 days
    ['2026-01-01T00:01:00.000Z', '2026-01-01T00:00:30.000Z'], // a minute
  ]
  for (const [notAfter, time] of lives) t.equal(renewsAt({ notBefore, notAfter }).toISOString(), time)
})
