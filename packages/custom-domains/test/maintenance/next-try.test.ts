import t from 'tap'
import { longestWait, nextTry } from '../../src/maintenance/schedule.ts'
import { after, MINUTE } from '../fixtures/clock.ts'
import { domainOf } from '../fixtures/domains.ts'

const now = new Date('2026-01-01T00:00:00.000Z')
const minutes = (attempts: number, { retryAfterMs = 0, random = 0.5, longest = Infinity } = {}) =>
  (nextTry({ attempts, now, retryAfterMs, random, longest }).getTime() - now.getTime()) / 60_000

t.test('retries are spread by 10% around their time', async (t) => {
  t.equal(minutes(4, { random: 0 }), 54)
  t.equal(minutes(4, { random: 1 - Number.EPSILON }), 66)
})

t.test('no wait is longer than a tenth of the rest of the life, or of the whole life once it has ended', async (t) => {
  const minutes = (left?: number, code: 'ca_unavailable' | 'ca_refused' = 'ca_unavailable') => {
    const notAfter = new Date(now.getTime() + Number(left) * MINUTE)
    const certificate = left !== undefined && {
      issuer: '',
      notBefore: after(-1_000_000 * MINUTE),
      notAfter: notAfter.toISOString(),
    }
    const domain = domainOf('docs.shop.test', { ...(certificate && { certificate }) })
    return longestWait(domain, { code, detail: '' }, now) / MINUTE
  }
  t.strictSame([minutes(), minutes(10_000), minutes(30), minutes(1), minutes(-1)], [60, 60, 3, 1, 60])
  t.strictSame([minutes(100_000, 'ca_refused'), minutes(30, 'ca_refused')], [24 * 60, 3])
  t.equal(minutes(-1, 'ca_refused'), 24 * 60)
})

t.test('a wait that the authority asks for may be longer', async (t) => {
  t.equal(minutes(9, { longest: 60 * MINUTE }), 60)
  t.equal(minutes(9, { longest: 60 * MINUTE, retryAfterMs: 120 * MINUTE, random: 0 }), 120)
})

t.test('a longer wait of the authority is observed, a shorter one has no effect', async (t) => {
  t.equal(minutes(1, { retryAfterMs: 3_600_000, random: 0 }), 60)
  t.equal(minutes(5, { retryAfterMs: 3_600_000 }), 180)
})

t.test('retries after the same limit are spread over half of the wait, at most an hour', async (t) => {
  t.equal(minutes(1, { retryAfterMs: 1_800_000, random: 0.5 }), 37.5)
  t.equal(minutes(1, { retryAfterMs: 36_000_000, random: 0.5 }), 630)
})
