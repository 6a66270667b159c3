import t from 'tap'
import { readCertificate } from '../../src/certificates/certificate.ts'
import { type Step, transition } from '../../src/maintenance/transitions.ts'
import type { Domain, Problem } from '../../src/state/domain.ts'
import { after, begin, DAY, HOUR, MINUTE } from '../fixtures/clock.ts'
import { certificateAt, domainOf } from '../fixtures/domains.ts'

const host = 'docs.shop.test'
const next = (domain: Domain, step: Step) => transition(domain, step, begin, 0.5)

t.test('a rate limit lasts as long as the authority says, or until the next retry', async (t) => {
  const problem = { code: 'rate_limited', detail: 'Too many.' } as const
  const limits = (attempts: number, retryAfterMs?: number) => {
    const wait = retryAfterMs === undefined ? {} : { retryAfterMs }
    const { notBefore, limitedUntil } = next(domainOf(host, { attempts }), { kind: 'failed', problem, ...wait })
    return [notBefore, limitedUntil]
  }
  t.strictSame(limits(0, HOUR), [after(1.075 * HOUR), after(HOUR)], 'the retry itself is spread')
  t.strictSame(limits(9, HOUR), [after(DAY), after(HOUR)])
  t.strictSame(limits(0), [after(MINUTE), after(MINUTE)])
})

t.test('an expired certificate starts another period of retries, at once', async (t) => {
  const certificate = { issuer: '', notBefore: after(-90 * DAY), notAfter: after(-1) }
  const problem = { code: 'certificate_expired', notAfter: after(-1) }
  const domain = domainOf(host, { state: 'live', certificate, liveSince: after(-90 * DAY) })
  const { liveSince, ...rest } = domain
  const times = { attempts: 0, failingSince: after(0), failedAt: after(0), notBefore: after(0) }
  t.strictSame(next(domain, { kind: 'expired' }), { ...rest, state: 'failed', problem, ...times })
  const failures = [{ authority: 'https://ca.test', problem: { code: 'ca_refused', detail: 'No.' } as const }]
  const failing = { ...domain, failures, attempts: 9, failingSince: after(-30 * DAY), notBefore: after(HOUR) }
  t.match(next(failing, { kind: 'expired' }), { ...times, failures: undefined })
  const restored = domainOf(host)
  t.equal(next(restored, { kind: 'expired' }), restored, 'restored without its certificate')
})

t.test('a domain that goes live has the dates of its certificate and no problem', async (t) => {
  const { problem, failingSince, ...domain } = domainOf(host, { state: 'issuing' })
  const refused: Problem = { code: 'ca_refused', detail: 'No.' }
  const times = { failingSince: after(-DAY), failedAt: after(-HOUR), notBefore: after(0), limitedUntil: after(0) }
  const failures = [{ authority: 'https://ca.test', problem: refused }]
  const waiting = { isRequested: true, waitingSince: after(-DAY), attempts: 3 } as const
  const failing: Domain = { ...domain, ...times, ...waiting, problem: refused, failures }
  const pem = await certificateAt(host, begin)
  const { hosts, ...certificate } = readCertificate(pem)
  const live = { ...domain, state: 'live', attempts: 0, liveSince: after(0), certificate }
  t.strictSame(next(failing, { kind: 'live', pem }), live)
  t.strictSame(next(failing, { kind: 'live', pem, issuedAt: after(0) }), { ...live, issuedAt: after(0) })
  t.match(next({ ...failing, liveSince: after(-DAY) }, { kind: 'live', pem }), { liveSince: after(-DAY) })
  t.throws(() => next(failing, { kind: 'live', pem: 'rubbish' }))
})
