// Limits of Let's Encrypt, driven to their end: an authority that counts as it does, with a token bucket for each limit.
import t from 'tap'
import { IssueError } from '../../src/certificates/issuer.ts'
import { DAY } from '../fixtures/clock.ts'
import { type World, worldOf } from '../fixtures/domains.ts'

const WEEK = 7 * DAY

/** https://letsencrypt.org/docs/rate-limits/ @param used by other programs */
function limitOn(world: World, text: string, capacity: number, used: number) {
  const { issue } = world.script
  const refill = WEEK / capacity
  let emptied = world.clock.now().getTime() + used * refill
  const counts = { rejections: 0, certificates: 0 }
  world.script.issue = async (...order) => {
    const now = world.clock.now().getTime()
    const next = Math.max(emptied, now) + refill
    if (next > now + WEEK) {
      counts.rejections++
      throw new IssueError({ code: 'rate_limited', detail: text }, next - now - WEEK)
    }
    emptied = next
    counts.certificates++
    return issue(...order)
  }
  return counts
}

const statesOf = (world: World) => [...world.state.current().domains.values()].map(({ state }) => state)

t.test('fifty certificates a week for a registered domain: the others follow, seldom asked for in vain', async (t) => {
  const world = await worldOf(t)
  const text = 'too many certificates (50) already issued for "shop.test" in the last 168h0m0s, retry after …'
  const counts = limitOn(world, text, 50, 30)
  for (let index = 0; index < 60; index++) {
    await world.registry.add(`docs${index}.shop.test`)
    await world.registry.verify(`docs${index}.shop.test`)
  }
  await world.settle()
  t.equal(counts.certificates, 20)
  t.ok(counts.rejections <= 5, 'at most one for each order at a time')
  for (let day = 0; day < 14; day++) await world.pass(DAY)
  t.strictSame([...new Set(statesOf(world))], ['live'])
  t.equal(counts.certificates, 60)
  t.ok(counts.rejections < 60, `${counts.rejections} rejections`)
})
