import t from 'tap'
import { IssueError } from '../../../domains/certificates/issuer.ts'
import { orderLimiter } from '../../../domains/certificates/limiter.ts'
import { DAY, domainOf, fakeClock, HOUR, MINUTE, until, worldOf } from '../../fixtures/domains.ts'
import { messageOf } from '../../fixtures/message.ts'

const never = new AbortController().signal
const limited = (retryAfterMs: number) => new IssueError({ code: 'rate_limited', detail: 'Too many.' }, retryAfterMs)

const errorOf = (promise: Promise<unknown>) => promise.catch((error) => error)

t.test('five orders run at a time, and the next one starts when one ends', async (t) => {
  const { enter } = orderLimiter(fakeClock())
  const turns = await Promise.all(Array.from({ length: 5 }, () => enter(never)))
  let isIn = false
  const sixth = enter(never).then(() => {
    isIn = true
  })
  await Promise.resolve()
  t.equal(isIn, false)
  turns[2]?.end()
  await sixth
})

t.test('who no longer wants its turn leaves the queue', async (t) => {
  const { enter } = orderLimiter(fakeClock())
  t.equal(await messageOf(() => enter(AbortSignal.abort(new Error('gone')))), 'gone')
  const turns = await Promise.all(Array.from({ length: 5 }, () => enter(never)))
  const controller = new AbortController()
  const left = messageOf(() => enter(controller.signal))
  const next = enter(never)
  controller.abort(new Error('removed'))
  t.equal(await left, 'removed')
  turns[0]?.end()
  ;(await next).end()
  controller.abort()
})

t.test('a wait that the authority asks for is for all, and then one order goes ahead', async (t) => {
  const clock = fakeClock()
  const { enter } = orderLimiter(clock)
  const turns = await Promise.all(Array.from({ length: 5 }, () => enter(never)))
  const waiting = enter(never)
  turns[0]?.note(limited(HOUR))
  for (const { end } of turns) end()
  t.match(await errorOf(waiting), { problem: { code: 'rate_limited', detail: 'Too many.' }, retryAfterMs: HOUR })
  clock.jump(HOUR - MINUTE)
  t.match(await errorOf(enter(never)), { retryAfterMs: MINUTE })
  clock.jump(MINUTE)
  const probe = await enter(never)
  let isIn = false
  const second = enter(never).then((turn) => {
    isIn = true
    return turn
  })
  await Promise.resolve()
  t.equal(isIn, false, 'until the first one succeeds')
  probe.note()
  probe.end()
  const others = [await second, ...(await Promise.all([1, 2, 3, 4].map(() => enter(never))))]
  t.equal(others.length, 5)
})

t.test(
  'a wait without an end takes a minute; one on a single domain, three hours; a clock set back, none',
  async (t) => {
    const clock = fakeClock()
    for (const [asked, held] of [
      [0, MINUTE],
      [7 * DAY, 3 * HOUR],
    ] as const) {
      const { enter } = orderLimiter(clock)
      const turn = await enter(never)
      turn.note(limited(asked))
      turn.end()
      t.match(await errorOf(enter(never)), { retryAfterMs: held })
      clock.jump(-DAY)
      ;(await enter(never)).end()
    }
    const { enter } = orderLimiter(clock)
    const turn = await enter(never)
    turn.note(new Error('EIO'))
    turn.end()
    await t.resolves(enter(never))
  },
)

t.test('three hundred domains are due, and the authority refuses after five orders', async (t) => {
  const count = 300
  let tries = 0
  const world = await worldOf(t, { random: () => (tries++ % 100) / 100 })
  world.script.issue = async () => {
    throw limited(HOUR)
  }
  const hosts = Array.from({ length: count }, (_, index) => `docs.shop${index}.test`)
  await world.state.commit(({ domains }) => {
    for (const host of hosts) domains.set(host, domainOf(host, { state: 'verifying' }))
  })
  world.worker.wake()
  await until(() => hosts.every((host) => world.get(host)?.state === 'failed'))
  t.equal(world.orders.length, 5)
  const times = hosts.map((host) => Date.parse(String(world.get(host)?.notBefore)) - world.clock.now().getTime())
  t.ok(times.every((time) => time >= HOUR))
  t.ok(Math.max(...times) - Math.min(...times) > HOUR / 2, 'the next tries are spread')
})
