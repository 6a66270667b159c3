import t from 'tap'
import { nextTry } from '../../src/maintenance/schedule.ts'
import { transition } from '../../src/maintenance/transitions.ts'
import { after, begin, DAY, HOUR, MINUTE } from '../fixtures/clock.ts'
import { domainOf } from '../fixtures/domains.ts'

interface Wait {
  retryAfterMs?: number
  random?: number
  code?: 'ca_unavailable' | 'ca_refused'
  /** How long the certificate is still valid; without one, the domain is new. */
  left?: number | undefined
  since?: number
}

function minutes(
  attempts: number,
  { retryAfterMs = 0, random = 0.5, code = 'ca_refused', left, since = -1e6 }: Wait = {},
) {
  const dates = { issuer: '', notBefore: after(since * MINUTE), notAfter: after((left ?? 0) * MINUTE) }
  const domain = domainOf('docs.shop.test', left === undefined ? {} : { certificate: dates })
  const at = nextTry({ domain, attempts, problem: { code, detail: '' }, now: begin, retryAfterMs, random })
  return Math.round((at.getTime() - begin.getTime()) / 600) / 100
}

t.test('retries are spread by 10% around their time', async (t) => {
  t.equal(minutes(4, { random: 0 }), 54)
  t.equal(minutes(4, { random: 1 - Number.EPSILON }), 66)
})

t.test('no wait is longer than a tenth of the rest of the life, or of the whole life once it has ended', async (t) => {
  const unavailable = (left?: number) => minutes(9, { code: 'ca_unavailable', left })
  t.strictSame([undefined, 10_000, 30, 1, -1].map(unavailable), [60, 60, 3, 1, 60])
  const refused = [100_000, 30, -1].map((left) => minutes(9, { left }))
  t.strictSame(refused, [24 * 60, 3, 24 * 60])
  t.equal(minutes(9, { left: -100, since: -8_100 }), 800)
  for (const random of [0, 0.5, 1])
    t.equal(minutes(1, { left: 300, retryAfterMs: 5 * HOUR, random }), 30, 'nor asked for')
})

t.test('a longer wait of the authority is observed, a shorter one has no effect', async (t) => {
  t.equal(minutes(1, { retryAfterMs: HOUR, random: 0 }), 63)
  t.equal(minutes(9, { retryAfterMs: 2 * HOUR, random: 0, code: 'ca_unavailable' }), 126)
  t.equal(minutes(5, { retryAfterMs: HOUR }), 180)
})

t.test('after the same limit, what expires retries first, then new domains, and the rest later', async (t) => {
  const spread = (left?: number) =>
    [0, 1].map((random) => minutes(1, { retryAfterMs: 10 * HOUR, random, left }) - 600).join('-')
  t.strictSame([spread(111_000), spread(), spread(111_200)], ['0-6', '6-12', '12-60'])
  const short = minutes(1, { retryAfterMs: HOUR / 2, left: 900_000, random: 1 })
  t.equal(short, 45, 'over half of the wait, if that is shorter')
})

t.test('a domain waits exactly until its turn, which is no failure', async (t) => {
  const problem = { code: 'rate_limited', detail: '', queue: 'https://ca.test' } as const
  const domain = domainOf('docs.shop.test', { attempts: 7 })
  const failed = transition(domain, { kind: 'failed', problem, retryAfterMs: 12 * MINUTE }, begin, 0.9)
  t.match(failed, { attempts: 7, notBefore: after(12 * MINUTE), problem })
  const certificate = { issuer: '', notBefore: after(-90 * DAY), notAfter: after(HOUR) }
  const urgent = transition({ ...domain, certificate }, { kind: 'failed', problem, retryAfterMs: HOUR }, begin, 0.9)
  t.match(urgent, { notBefore: after(6 * MINUTE) })
})
