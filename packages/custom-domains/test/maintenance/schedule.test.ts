import t from 'tap'
import { dueAt, hasExpired, isServed, nextRequestAt, renewsAt, retryAt } from '../../src/maintenance/schedule.ts'
import type { Domain } from '../../src/state/domain.ts'
import { begin, DAY, domainOf, HOUR, SECOND } from '../fixtures/domains.ts'

const after = (ms: number) => new Date(begin.getTime() + ms).toISOString()
const dated = (changes: Partial<Domain>) => domainOf('docs.shop.test', changes)
const certificate = { issuer: 'Tests', notBefore: after(0), notAfter: after(90 * DAY) }
const problem = { code: 'record_missing' } as const

t.test('the due time depends only on the state', async (t) => {
  const cases: [changes: Partial<Domain>, due: number | undefined][] = [
    [{ state: 'added' }, undefined],
    [{ state: 'added', isRequested: true }, 0],
    [{ state: 'live', certificate, isRequested: true }, 0],
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
  for (const [changes, due] of cases) t.equal(dueAt(dated(changes), new Date(after(60 * DAY)))?.getTime(), due)
})

t.test('a failure while the clock was ahead is due now and limits nothing', async (t) => {
  const [failedAt, later] = [after(2 * 60 * SECOND), after(365 * DAY)]
  const wrong = dated({ failingSince: after(-DAY), failedAt, notBefore: later, limitedUntil: later })
  t.strictSame(retryAt(wrong, begin), begin)
  t.equal(nextRequestAt(wrong, begin).getTime(), 0)
  t.strictSame(retryAt(dated({ failingSince: failedAt, notBefore: later }), begin), begin, 'stored by 1.0')
  const right = { ...wrong, failedAt: after(SECOND), notBefore: after(HOUR), limitedUntil: after(HOUR) }
  t.strictSame([retryAt(right, begin), nextRequestAt(right, begin)], [new Date(after(HOUR)), new Date(after(HOUR))])
})

t.test('automatic retries stop after thirty days of failures', async (t) => {
  t.strictSame(retryAt(dated({ failingSince: after(0), notBefore: after(30 * DAY) }), begin), new Date(after(30 * DAY)))
  t.equal(retryAt(dated({ failingSince: after(0), notBefore: after(30 * DAY + 1) }), begin), undefined)
  t.equal(retryAt(dated({}), begin), undefined)
})

t.test('a user may retry after 30 seconds, or when a limit ends', async (t) => {
  const canRequest = (changes: Partial<Domain>, now: number) =>
    nextRequestAt(dated(changes), new Date(after(now))).toISOString()
  t.equal(canRequest({}, SECOND), new Date(0).toISOString())
  t.equal(canRequest({ askedAt: after(0) }, SECOND), after(30 * SECOND))
  t.equal(canRequest({ askedAt: after(0), limitedUntil: after(HOUR) }, SECOND), after(HOUR))
  t.equal(canRequest({ askedAt: after(0), problem, notBefore: after(HOUR) }, SECOND), after(30 * SECOND))
  t.equal(canRequest({ askedAt: after(HOUR) }, 0), new Date(0).toISOString(), 'the clock was set back')
})

t.test('a live domain is served until its certificate expires', async (t) => {
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

t.test('the authority may suggest another time, but half of the default rest remains for retries', async (t) => {
  const suggested = (at: number, notAfter = certificate.notAfter) =>
    renewsAt({ ...certificate, notAfter, renewal: { start: after(0), end: after(0), at: after(at) } }).toISOString()
  t.equal(suggested(1 * DAY), after(1 * DAY))
  t.equal(suggested(74 * DAY), after(74 * DAY))
  t.equal(suggested(90 * DAY), after(75 * DAY))
  t.equal(suggested(1 * DAY, after(60 * SECOND)), after(45 * SECOND))
})
