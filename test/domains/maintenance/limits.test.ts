import t from 'tap'
import { limitOf, recentOrders } from '../../../domains/maintenance/limits.ts'
import type { Domain } from '../../../domains/state/domain.ts'
import { begin, DAY, domainOf, HOUR, MINUTE, SECOND } from '../../fixtures/domains.ts'

const host = 'docs.shop.test'
const after = (ms: number) => new Date(begin.getTime() + ms).toISOString()
const dated = (changes: Partial<Domain>) => domainOf(host, changes)
const certificate = { issuer: 'Tests', notBefore: after(0), notAfter: after(90 * DAY) }

/** When an order is allowed again, as milliseconds from the beginning. */
function limitEnds(domain: Domain, now: number, others: Domain[] = []): number | undefined {
  const limit = limitOf(domain, [domain, ...others], new Date(after(now)))
  return limit && now + limit.ms
}

/** Orders at equal intervals, from the beginning on. */
const orders = (count: number, interval: number) => Array.from({ length: count }, (_, index) => after(index * interval))

t.test('a domain orders at most four certificates an hour', async (t) => {
  const domain = dated({ orderedAt: orders(4, 10 * MINUTE) })
  t.equal(limitEnds(domain, 31 * MINUTE), HOUR)
  t.equal(limitEnds(domain, HOUR), undefined)
  t.equal(limitEnds(dated({ orderedAt: domain.orderedAt.slice(1) }), HOUR / 2), undefined)
  t.equal(limitEnds(domain, -HOUR), undefined, 'the clock was set back')
})

t.test('and at most five a week, or in the life of a shorter certificate', async (t) => {
  const domain = dated({ orderedAt: orders(5, DAY) })
  t.equal(limitEnds(domain, 5 * DAY), 7 * DAY)
  t.equal(limitEnds(domain, 7 * DAY), undefined)
  const short = dated({ orderedAt: orders(5, MINUTE), certificate: { ...certificate, notAfter: after(30 * MINUTE) } })
  t.equal(limitEnds({ ...short, orderedAt: orders(5, 20 * MINUTE) }, 81 * MINUTE), undefined)
})

t.test('a registered domain gets fifty first certificates a week; renewals go on', async (t) => {
  const others = orders(50, HOUR).map((time, index) => domainOf(`${index}.shop.test`, { orderedAt: [time] }))
  t.equal(limitEnds(dated({}), 50 * HOUR, others), 7 * DAY)
  t.equal(limitEnds(dated({}), 50 * HOUR, others.slice(1)), undefined)
  t.equal(limitEnds(dated({ certificate }), 50 * HOUR, others), undefined)
  t.equal(limitEnds(domainOf('docs.other.test'), 50 * HOUR, others), undefined)
})

t.test('all domains together order 300 certificates in three hours', async (t) => {
  const others = orders(300, SECOND).map((time, index) => domainOf(`www.${index}.test`, { orderedAt: [time] }))
  t.equal(limitEnds(dated({ certificate }), HOUR, others), 3 * HOUR)
  t.equal(limitEnds(dated({ certificate }), HOUR, others.slice(1)), undefined)
})

t.test('no order follows a success within a day, or within half the life of a short certificate', async (t) => {
  const ends = (life: number) =>
    limitEnds(dated({ issuedAt: after(0), certificate: { ...certificate, notAfter: after(life) } }), SECOND)
  t.equal(ends(90 * DAY), DAY)
  t.equal(ends(6 * HOUR), 3 * HOUR)
  t.equal(limitEnds(dated({ issuedAt: after(0) }), SECOND), undefined)
})

t.test('the orders of a week are kept', async (t) => {
  const orderedAt = orders(3, DAY)
  t.strictSame(recentOrders(dated({ orderedAt }), new Date(after(7 * DAY))), orderedAt.slice(1))
  t.strictSame(recentOrders(dated({ orderedAt }), new Date(after(-HOUR))), [], 'the clock was set back')
})
