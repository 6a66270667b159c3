import t, { type Test } from 'tap'
import { IssueError } from '../../src/certificates/issuer.ts'
import { after, begin, DAY, fakeClock, HOUR, MINUTE } from '../fixtures/clock.ts'
import { domainOf, worldOf } from '../fixtures/domains.ts'

const authority = 'https://ca.test/directory'
const THREE_HOURS = 3 * HOUR

/** All domains have a certificate of a former authority; the present one takes so many orders in three hours. */
async function changedAuthority(t: Test, { accepts = 20, orderLimit = 300 }) {
  const clock = fakeClock()
  const accepted: { host: string; at: number }[] = []
  const world = await worldOf(t, { clock, orderLimit })
  const { issue } = world.script
  world.script.issue = async (host, ...given) => {
    const now = clock.now().getTime()
    const recent = accepted.filter(({ at }) => at > now - THREE_HOURS)
    if (recent.length >= accepts) {
      const wait = (recent.at(-accepts)?.at ?? 0) + THREE_HOURS - now
      throw new IssueError({ code: 'rate_limited', detail: 'too many new orders from this account' }, wait)
    }
    accepted.push({ host, at: now })
    return issue(host, ...given)
  }
  /** @param left until its certificate expires */
  async function add(count: number, left: number) {
    const dates = { issuer: '', notBefore: after(left - 90 * DAY), notAfter: after(left) }
    const certificate = { ...dates, authority: 'https://former.test' }
    await world.state.commit(({ domains }) => {
      for (let index = 0; index < count; index++) {
        const host = `docs.${domains.size}.test`
        const times = { verifiedAt: after(0), liveSince: after(0), reissueAt: after(0) }
        domains.set(host, domainOf(host, { state: 'live', ...times, certificate }))
      }
    })
  }
  const isNew = (host: string) => world.get(host)?.certificate?.authority === authority
  return { ...world, accepted, add, isNew }
}

for (const [title, limits] of [
  ['that the authority knows alone', { accepts: 20 }],
  ['that is configured', { accepts: 300, orderLimit: 20 }],
] as const)
  t.test(`a limit ${title}: what expires is renewed first, then a new customer gets in, then the rest`, async (t) => {
    const world = await changedAuthority(t, limits)
    await world.add(60, 60 * DAY)
    world.worker.wake()
    await world.pass(HOUR)
    await world.add(3, 20 * HOUR)
    await world.registry.add('new.customer.test')
    await world.registry.verify('new.customer.test')
    for (let hour = 0; hour < 6 && !world.isNew('new.customer.test'); hour++) await world.pass(HOUR)
    t.ok(world.isNew('new.customer.test'), `after ${(world.clock.now().getTime() - begin.getTime()) / HOUR} hours`)
    await world.pass(HOUR)
    t.ok(['docs.60.test', 'docs.61.test', 'docs.62.test'].every(world.isNew), 'what expires')
    t.ok(world.accepted.length < 2 * 20 + 4, 'long before the rest')
    await world.pass(15 * HOUR)
    t.ok(world.accepted.length >= 64, 'which follows')
  })

t.test('the domains of a queue come one after another, without asking in between', async (t) => {
  const world = await changedAuthority(t, { accepts: 300, orderLimit: 10 })
  await world.add(40, 60 * DAY)
  world.worker.wake()
  await world.pass(MINUTE)
  const turns = [...world.state.current().domains.values()].map(({ notBefore }) => notBefore)
  t.equal(turns.filter((at) => at === undefined).length, 8)
  let looks = 0
  world.script.dns = () => void looks++
  await world.pass(5 * THREE_HOURS)
  t.equal(new Set(world.accepted.map(({ host }) => host)).size, 40)
  t.equal(world.accepted.length, 40)
  t.ok(looks < 3 * 40, `${looks} lookups for 32 orders, and a daily check of each`)
})
