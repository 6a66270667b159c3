import t from 'tap'
import { limitOf, mayCount } from '../../src/maintenance/order-limits.ts'
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

const ordersAt = (count: number, interval: number, hostAt: (index: number) => string = () => host) =>
  Array.from({ length: count }, (_, index) => order(after(index * interval), hostAt(index)))

const elsewhere = (count: number, interval: number) => ordersAt(count, interval, (index) => `www.${index}.test`)
const expiring = dated({ certificate: { ...certificate, notBefore: after(-89 * DAY), notAfter: after(DAY) } })

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

t.test('what expires may use the whole limit of the account, new domains nine tenths, the rest eight', async (t) => {
  for (const [count, allowed] of Object.entries({ 239: 3, 240: 2, 269: 2, 270: 1, 299: 1, 300: 0 })) {
    const orders = elsewhere(Number(count), SECOND)
    const ranked = [expiring, dated({}), dated({ certificate })]
    for (const [rank, domain] of ranked.entries())
      t.equal(limitEnds(orders, HOUR, domain) === undefined, rank < allowed, `${count} orders, ${rank}`)
  }
})

t.test('orders that replace a certificate are exempt, but for our own limit', async (t) => {
  const renewal = { start: after(0), end: after(DAY), at: after(0) }
  const replaced = dated({ certificate: { ...certificate, authority: 'https://ca.test', renewal } })
  const others = elsewhere(300, SECOND)
  t.equal(limitEnds(others, HOUR, replaced), undefined)
  t.not(limitEnds(others, HOUR, dated({ certificate: { ...certificate, renewal } })), undefined, 'of another authority')
  const exempt = others.map((order) => ({ ...order, isExempt: true as const }))
  t.equal(limitEnds(exempt, HOUR, dated({})), undefined, 'they do not count')
  t.equal(limitEnds(ordersAt(4, 10 * MINUTE), 31 * MINUTE, replaced), HOUR)
})

t.test('orders are kept for a week', async (t) => {
  const kept = (now: number) => ordersAt(3, DAY).map(mayCount(new Date(after(now))))
  t.strictSame(kept(7 * DAY), [false, true, true])
  t.strictSame(kept(-HOUR), [false, false, false], 'the clock was set back')
})

t.test('who waits has a turn: what expires first, then new domains, then the rest, each by its time', async (t) => {
  const limits = { authority: 'https://ca.test', orderLimit: 10 }
  const waiting = (name: string, end: number | undefined, at = 2 * HOUR) =>
    domainOf(name, {
      addedAt: after(end === undefined ? at : 0),
      notBefore: after(at),
      ...(end !== undefined && { certificate: { ...certificate, notBefore: after(-80 * DAY), notAfter: after(end) } }),
    })
  const queue = [
    waiting('late.test', 30 * DAY),
    waiting('new.test', undefined),
    waiting('soon.test', 2 * DAY),
    waiting('sooner.test', DAY),
    waiting('newer.test', undefined, 2.1 * HOUR),
    waiting('early.test', 20 * DAY),
  ]
  const orders = elsewhere(10, 6 * MINUTE)
  const turnOf = (domain: Domain, now: number, others = queue) => {
    const refusal = limitOf(domain, orders, new Date(after(now)), limits, others)
    t.equal(refusal?.isTurn ?? true, true)
    return refusal && (now + refusal.ms) / MINUTE
  }
  const [late, fresh, soon, sooner, newer, early] = queue as [Domain, Domain, Domain, Domain, Domain, Domain]
  const turns = [sooner, soon, fresh, newer, early, late].map((domain) => turnOf(domain, 2 * HOUR))
  // new domains may use nine tenths of the limit, other renewals eight
  t.strictSame(turns, [180, 186, 180 + 18, 180 + 24, 180 + 36, 180 + 42])
  t.equal(turnOf(sooner, 3 * HOUR), undefined)
  t.equal(turnOf(late, 3 * HOUR + 18 * MINUTE), 222, 'those whose turn it is come first')
  t.equal(turnOf(late, 3 * HOUR + 18 * MINUTE, []), undefined)
  const many = Array.from({ length: 25 }, (_, index) => waiting(`${index}.urgent.test`, HOUR * (index + 1)))
  t.equal(turnOf(soon, 2 * HOUR, many), 180 + 30 + 2 * 180, 'those before it take the whole limit twice')
  t.equal(limitOf(soon, [], new Date(after(3 * HOUR)), limits, many)?.ms, 6 * HOUR)
})
