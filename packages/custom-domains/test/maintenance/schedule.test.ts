import t from 'tap'
import {
  dueAt,
  hasExpired,
  isServed,
  nextRequestAt,
  renewalDueAt,
  renewsAt,
  retryAt,
} from '../../src/maintenance/schedule.ts'
import type { Domain } from '../../src/state/domain.ts'
import { after, begin, DAY, HOUR, MINUTE, SECOND } from '../fixtures/clock.ts'
import { domainOf } from '../fixtures/domains.ts'

const dated = (changes: Partial<Domain>) => domainOf('docs.shop.test', changes)
const certificate = { issuer: 'Tests', notBefore: after(0), notAfter: after(90 * DAY) }
const hosts = Array.from({ length: 1_000 }, (_, index) => `docs.shop${index}.test`)
const problem = { code: 'record_missing' } as const
const failure = { problem, failingSince: after(60 * DAY), failedAt: after(60 * DAY) }
const failing = { state: 'live', certificate, ...failure } as const

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
    [{ state: 'live', certificate }, renewsAt('docs.shop.test', certificate).getTime()],
    [{ ...failing, notBefore: after(61 * DAY) }, begin.getTime() + 61 * DAY],
    [{ ...failing, notBefore: after(91 * DAY) }, begin.getTime() + 90 * DAY], // the certificate's end comes first
    [{ ...failing, failedAt: after(0), notBefore: after(91 * DAY) }, renewsAt('docs.shop.test', certificate).getTime()],
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

t.test('automatic retries of a first certificate stop after thirty days, those of a live domain never', async (t) => {
  t.strictSame(retryAt(dated({ failingSince: after(0), notBefore: after(30 * DAY) }), begin), new Date(after(30 * DAY)))
  t.equal(retryAt(dated({ failingSince: after(0), notBefore: after(30 * DAY + 1) }), begin), undefined)
  t.equal(retryAt(dated({}), begin), undefined)
  const live = dated({ state: 'live', certificate, failingSince: after(0), notBefore: after(31 * DAY) })
  t.strictSame(retryAt(live, begin), new Date(after(31 * DAY)))
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

t.test('a certificate is renewed with a third of its life left, half of one under ten days, or sooner', async (t) => {
  const notBefore = after(0)
  for (const life of [90 * DAY, 10 * DAY, 9.9 * DAY, 6 * DAY, MINUTE]) {
    const [notAfter, left] = [after(life), life / (life < 10 * DAY ? 2 : 3)]
    const lefts = hosts.map((host) => Date.parse(notAfter) - renewsAt(host, { notBefore, notAfter }).getTime())
    t.ok(Math.min(...lefts) >= left && Math.min(...lefts) < left * 1.01, notAfter)
    t.ok(Math.max(...lefts) <= left * 1.25 && Math.max(...lefts) > left * 1.24, 'spread over the quarter before')
  }
})

t.test('the rule of one certificate a day delays no renewal, however short the lifetime is', async (t) => {
  for (const lifetime of [MINUTE, DAY, 2 * DAY, 3 * DAY, 6 * DAY, 90 * DAY]) {
    const short = { ...certificate, notAfter: after(lifetime) }
    for (const host of hosts) {
      const domain = domainOf(host, { state: 'live', certificate: short, issuedAt: short.notBefore })
      if (+renewalDueAt(domain, short, new Date(after(SECOND))) === +renewsAt(host, short)) continue
      t.fail(`${host} waits, ${lifetime / DAY} days`)
      break
    }
  }
})

t.test('live domains are checked once a day, each at a time of its own', async (t) => {
  const now = new Date(after(10 * DAY))
  const live = { state: 'live', certificate, verifiedAt: after(9.9 * DAY) } as const
  const due = hosts.map((host) => Number(dueAt(domainOf(host, live), now)) - now.getTime())
  t.ok(due.every((time) => time > 0.3 * DAY && time < 1.5 * DAY))
  for (let hour = 0; hour < 24; hour++) {
    const { length } = due.filter((time) => Math.floor((time / HOUR + 24) % 24) === hour)
    t.ok(length > 20 && length < 65, `${length} in an hour`)
  }
})

t.test('a live domain is checked daily and renewed in time, whatever it waits for after a failure', async (t) => {
  const [verifiedAt, now] = [after(0), new Date(after(60 * DAY))]
  for (const failed of [10 * DAY, 60 * DAY]) {
    // the second time, the renewal has failed already
    const due = dueAt(dated({ ...failing, verifiedAt, failedAt: after(failed), notBefore: after(80 * DAY) }), now)
    const days = (Number(due) - begin.getTime() - failed) / DAY
    t.ok(days >= 0.5 && days <= 1.5, String(due))
  }
})

t.test('checks that a start has missed are made at the next time of day', async (t) => {
  const since = new Date(after(10 * DAY))
  const due = hosts.map((host) => {
    const domain = domainOf(host, { state: 'live', certificate, verifiedAt: after(DAY) })
    return Number(dueAt(domain, since, { since, count: 1_000 })) - since.getTime()
  })
  t.ok(due.every((time) => time >= 0 && time <= DAY))
  t.ok(Math.max(...due) - Math.min(...due) > 0.9 * DAY)
})

t.test('renewal windows are checked soon after a start, and then as the authority suggests', async (t) => {
  const since = new Date(after(10 * DAY))
  const renewal = { start: after(60 * DAY), end: after(61 * DAY), at: after(60 * DAY), checkAt: after(20 * DAY) }
  const dueOf = (host: string, verifiedAt: string, count: number) => {
    const domain = domainOf(host, { state: 'live', certificate: { ...certificate, renewal }, verifiedAt })
    return Number(dueAt(domain, since, { since, count })) - since.getTime()
  }
  for (const count of [10, 10_000]) {
    const longest = count === 10 ? 10 * MINUTE : 5000 * SECOND
    const due = hosts.map((host) => dueOf(host, after(9 * DAY), count))
    t.ok(due.every((time) => time >= 0 && time <= longest))
    t.ok(Math.max(...due) - Math.min(...due) > 0.9 * longest, 'spread')
  }
  t.ok(dueOf('docs.shop.test', after(10 * DAY), 10) > DAY / 2, 'checked since')
})

t.test('the authority may suggest another time, but half of the default rest remains for retries', async (t) => {
  const suggested = (at: number, notAfter = certificate.notAfter) => {
    const renewal = { start: after(0), end: after(0), at: after(at) }
    return renewsAt('docs.shop.test', { ...certificate, notAfter, renewal }).toISOString()
  }
  t.equal(suggested(1 * DAY), after(1 * DAY))
  t.equal(suggested(74 * DAY), after(74 * DAY))
  t.equal(suggested(90 * DAY), after(75 * DAY))
  t.equal(suggested(1 * DAY, after(60 * SECOND)), after(45 * SECOND))
})
