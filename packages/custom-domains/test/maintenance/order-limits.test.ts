import t from 'tap'
import { hasExpired, limitOf } from '../../src/maintenance/order-limits.ts'
import type { Domain, PlacedOrder } from '../../src/state/domain.ts'
import { after, DAY, HOUR, MINUTE, SECOND } from '../fixtures/clock.ts'
import { domainOf } from '../fixtures/domains.ts'

const host = 'docs.shop.test'
const dated = (changes: Partial<Domain>) => domainOf(host, changes)
const certificate = { issuer: 'Tests', notBefore: after(0), notAfter: after(90 * DAY) }
const order = (at: string, of = host): PlacedOrder => ({ authority: 'https://ca.test', host: of, at })

/** When an order is allowed again, in milliseconds from the beginning. */
function limitEnds(orders: PlacedOrder[], now: number, domain = dated({}), orderLimit?: number): number | undefined {
  const limit = limitOf(domain, orders, new Date(after(now)), { authority: 'https://ca.test', orderLimit })
  return limit && now + limit.ms
}

/** Orders at equal intervals. */
const ordersAt = (count: number, interval: number, hostAt: (index: number) => string = () => host) =>
  Array.from({ length: count }, (_, index) => order(after(index * interval), hostAt(index)))

t.test('a domain orders at most four certificates an hour', async (t) => {
  const orders = ordersAt(4, 10 * MINUTE)
  t.equal(limitEnds(orders, 31 * MINUTE), HOUR)
  t.equal(limitEnds(orders, HOUR), undefined)
  t.equal(limitEnds(orders.slice(1), HOUR / 2), undefined)
  t.equal(limitEnds(orders, -HOUR), undefined, 'the clock was set back')
})

t.test('a domain orders at most five certificates a week, or in the lifetime of a shorter one', async (t) => {
  t.equal(limitEnds(ordersAt(5, DAY), 5 * DAY), 7 * DAY)
  t.equal(limitEnds(ordersAt(5, DAY), 7 * DAY), undefined)
  const short = dated({ certificate: { ...certificate, notAfter: after(30 * MINUTE) } })
  t.equal(limitEnds(ordersAt(5, 20 * MINUTE), 81 * MINUTE, short), undefined)
})

t.test('a registered domain gets fifty first certificates a week; renewals are not limited', async (t) => {
  const orders = ordersAt(50, HOUR, (index) => `${index}.shop.test`)
  t.equal(limitEnds(orders, 50 * HOUR), 7 * DAY)
  t.equal(limitEnds(orders.slice(1), 50 * HOUR), undefined)
  const renewals = orders.map((order) => ({ ...order, isRenewal: true as const }))
  t.equal(limitEnds(renewals, 50 * HOUR), undefined)
  t.equal(limitEnds(orders, 50 * HOUR, dated({ certificate })), undefined)
  t.equal(limitEnds(orders, 50 * HOUR, domainOf('docs.other.test')), undefined)
})

t.test('all domains together order 300 certificates in three hours', async (t) => {
  const orders = ordersAt(300, SECOND, (index) => `www.${index}.test`)
  const expiring = dated({ certificate: { ...certificate, notBefore: after(-89 * DAY), notAfter: after(DAY) } })
  t.equal(limitEnds(orders, HOUR, expiring), 3 * HOUR)
  t.equal(limitEnds(orders.slice(1), HOUR, expiring), undefined)
  t.equal(limitEnds(orders, HOUR, expiring, 301), undefined, 'an authority of your own may allow more')
})

t.test(
  'what expires next may use the whole limit of the account, new domains nine tenths, and the rest eight',
  async (t) => {
    const expiring = dated({ certificate: { ...certificate, notBefore: after(-89 * DAY), notAfter: after(DAY) } })
    const isAllowed = (count: number) =>
      [expiring, dated({}), dated({ certificate })].map(
        (domain) =>
          limitEnds(
            ordersAt(count, SECOND, (index) => `www.${index}.test`),
            HOUR,
            domain,
          ) === undefined,
      )
    t.strictSame(isAllowed(239), [true, true, true])
    t.strictSame(isAllowed(240), [true, true, false])
    t.strictSame(isAllowed(270), [true, false, false])
    t.strictSame(isAllowed(300), [false, false, false])
  },
)

t.test('orders that replace a certificate are exempt, but for our own limit', async (t) => {
  const renewal = { start: after(0), end: after(DAY), at: after(0) }
  const replaced = dated({ certificate: { ...certificate, authority: 'https://ca.test', renewal } })
  const others = ordersAt(300, SECOND, (index) => `www.${index}.test`)
  t.equal(limitEnds(others, HOUR, replaced), undefined)
  t.not(limitEnds(others, HOUR, dated({ certificate: { ...certificate, renewal } })), undefined, 'of another authority')
  const exempt = others.map((order) => ({ ...order, isExempt: true as const }))
  t.equal(limitEnds(exempt, HOUR, dated({})), undefined, 'they do not count')
  t.equal(limitEnds(ordersAt(4, 10 * MINUTE), 31 * MINUTE, replaced), HOUR)
})

t.test('orders are kept for a week', async (t) => {
  const expired = (now: number) => ordersAt(3, DAY).map((order) => hasExpired(order, new Date(after(now))))
  t.strictSame(expired(7 * DAY), [true, false, false])
  t.strictSame(expired(-HOUR), [true, true, true], 'the clock was set back')
})
