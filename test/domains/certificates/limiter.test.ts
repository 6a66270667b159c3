import t from 'tap'
import { IssueError } from '../../../domains/certificates/issuer.ts'
import { orderLimiter } from '../../../domains/certificates/limiter.ts'
import { loadDomainState } from '../../../domains/state/domain-state.ts'
import {
  DAY,
  domainOf,
  emptyDisk,
  type FakeClock,
  fakeClock,
  HOUR,
  MINUTE,
  startWorld,
  storageOn,
  until,
  type World,
  worldOf,
} from '../../fixtures/domains.ts'
import { gate } from '../../fixtures/gate.ts'
import { messageOf } from '../../fixtures/message.ts'

const never = new AbortController().signal
const limited = (retryAfterMs: number) => new IssueError({ code: 'rate_limited', detail: 'Too many.' }, retryAfterMs)

async function limiterAt(clock: FakeClock, storage = storageOn(emptyDisk())) {
  return orderLimiter('https://ca.test', await loadDomainState(storage, domainOf), clock)
}

const errorOf = (promise: Promise<unknown>) => promise.catch((error) => error)

t.test('five orders run at a time, and the next one starts when one ends', async (t) => {
  const { enter } = await limiterAt(fakeClock())
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
  const { enter } = await limiterAt(fakeClock())
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
  const { enter } = await limiterAt(clock)
  const turns = await Promise.all(Array.from({ length: 5 }, () => enter(never)))
  const waiting = enter(never)
  await turns[0]?.note(limited(HOUR))
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
  await probe.note()
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
      const { enter } = await limiterAt(clock)
      const turn = await enter(never)
      await turn.note(limited(asked))
      turn.end()
      t.match(await errorOf(enter(never)), { retryAfterMs: held })
      clock.jump(-DAY)
      ;(await enter(never)).end()
    }
    const { enter } = await limiterAt(clock)
    const turn = await enter(never)
    await turn.note(new Error('EIO'))
    turn.end()
    await t.resolves(enter(never))
  },
)

t.test('a wait holds before it is stored, and an order that succeeds meanwhile does not end it', async (t) => {
  const { opened, open } = gate<void>()
  let saving = Promise.resolve()
  const saveState = () => saving
  const { enter } = await limiterAt(fakeClock(), { ...storageOn(emptyDisk()), saveState })
  const [one, other] = [await enter(never), await enter(never)]
  saving = opened
  const noted = one.note(limited(HOUR))
  await other.note()
  other.end()
  t.match(await errorOf(enter(never)), { retryAfterMs: HOUR })
  open()
  await noted
  await other.note()
  t.match(await errorOf(enter(never)), { retryAfterMs: HOUR })
})

t.test('a restart keeps the wait, and a success afterwards ends it', async (t) => {
  const [disk, clock] = [emptyDisk(), fakeClock()]
  async function publish({ registry, settle }: World, host: string) {
    await registry.add(host)
    await registry.verify(host)
    await settle()
  }
  const first = await startWorld({ disk, clock })
  first.script.issue = async () => {
    throw limited(HOUR)
  }
  await publish(first, 'docs.shop.test')
  await first.close()
  const holds = () => JSON.parse(String(disk.state)).holds
  t.match(holds(), { 'https://ca.test/directory': { problem: { code: 'rate_limited' } } })

  const next = await worldOf(t, { disk, clock })
  await publish(next, 'help.shop.test')
  t.match(next.get('help.shop.test'), { state: 'failed', problem: { code: 'rate_limited', detail: 'Too many.' } })
  t.strictSame(next.orders, [])
  clock.jump(2 * HOUR)
  next.worker.wake()
  await next.settle()
  t.strictSame(next.orders, ['docs.shop.test', 'help.shop.test'])
  t.equal(holds(), undefined)
})

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
