import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { deferred } from 'test-kit/until'
import { renewsAt } from '../../src/maintenance/schedule.ts'
import type { Domain } from '../../src/state/domain.ts'
import { type ChangeObserver, loadDomainState } from '../../src/state/domain-state.ts'
import type { Message } from '../../src/state/message.ts'
import { LeadershipLostError } from '../../src/state/storage.ts'
import { enqueueEvents } from '../../src/webhook/events.ts'
import { type Outbox, outboxOf } from '../../src/webhook/outbox.ts'
import type { Answer } from '../../src/webhook/send.ts'
import { after, begin, DAY, fakeClock, HOUR, MINUTE, SECOND } from '../fixtures/clock.ts'
import { type Disk, diskOf, full, put, storageOn, storedOn } from '../fixtures/disk.ts'
import { domainOf, target, until, untilAborted } from '../fixtures/domains.ts'

const delivered: Answer = { outcome: 'delivered', reason: 'status 204' }
const gone: Answer = { outcome: 'gone', reason: 'status 410' }
const failed: Answer = { outcome: 'failed', reason: 'status 500', retryAfterMs: 0 }

function messageOf(id: string, changes: Partial<Message> = {}): Message {
  const event = { type: 'domain.live', timestamp: after(0), data: { domain: id, state: 'live' } } as const
  return { id, event, attempts: 0, notBefore: after(0), ...changes }
}
const both = [messageOf('one'), messageOf('two')]

interface Options {
  messages?: Message[]
  domains?: Domain[]
  disk?: Disk
  /** Called before each write. */
  fault?: () => unknown
  isLeader?: boolean
}

/** An outbox with these messages, and what it has sent. */
async function outboxWith(t: Test, answer: (id: string) => Answer | Promise<Answer>, options: Options = {}) {
  const { messages = [messageOf('one')], domains = [], fault, isLeader = true } = options
  const disk = options.disk ?? diskOf(...domains)
  for (const value of options.disk ? [] : messages) put(disk, [{ kind: 'message', name: value.id, value }])
  const clock = fakeClock()
  const running: Outbox[] = []
  const observer: ChangeObserver = {
    complete: (before, draft) => enqueueEvents(before, draft, { target, now: clock.now() }),
    onChange: () => running[0]?.wake(),
  }
  const state = await loadDomainState(storageOn(disk, fault), domainOf, { observer })
  const sent: string[] = []
  const lines: string[] = []
  const counts = { delivered: 0, failed: 0, dropped: 0 }
  const note = (level: string) => (details: object, message: string) =>
    void lines.push(`${level}: ${message} ${Object.values(details).join(' ')}`)
  const outbox = outboxOf({
    state,
    send(message, signal) {
      sent.push(message.id)
      return Promise.race([answer(message.id), untilAborted(signal)])
    },
    clock,
    log: { info: note('info'), warn: note('warn'), error: note('error') },
    count: (outcome) => counts[outcome]++,
    random: () => 0.5,
  })
  running.push(outbox)
  t.teardown(outbox.close)
  outbox.setLeading(isLeader)
  const settle = () => until(() => clock.waiting() === 1)
  await setImmediate()
  return {
    ...{ outbox, state, clock, disk, sent, lines, counts, settle },
    waiting: () => [...state.current().outbox.keys()],
    pass: (ms: number) => clock.pass(ms, settle),
    stored: () => storedOn(disk, 'message'),
  }
}

t.test('messages are delivered in order, and then deleted', async (t) => {
  const world = await outboxWith(t, () => delivered, { messages: both })
  await world.settle()
  t.strictSame(world.sent, ['one', 'two'])
  t.strictSame([world.waiting(), world.stored()], [[], []])
  t.strictSame(world.lines[0], 'info: webhook delivered one domain.live one status 204')
  t.strictSame(world.counts, { delivered: 2, failed: 0, dropped: 0 })
  const data = { authority: 'https://ca.test', account: 'second', former: 'first' }
  const replaced = messageOf('three', { event: { type: 'account.replaced', timestamp: after(0), data } })
  await world.state.commit(({ outbox }) => outbox.set('three', replaced))
  await until(() => world.lines.length === 3)
  t.strictSame(world.lines[2], 'info: webhook delivered three account.replaced https://ca.test status 204')
})

t.test('an event that only time makes due is delivered within an hour', async (t) => {
  const certificate = { issuer: 'x', notBefore: after(0), notAfter: after(90 * DAY) }
  const noted = { problem: { code: 'record_missing' }, lastNotified: 'record_changed record_missing' } as const
  const domain = domainOf('docs.shop.test', { state: 'live', certificate, ...noted })
  const world = await outboxWith(t, () => delivered, { messages: [], domains: [domain] })
  await world.settle()
  const days = renewsAt(domain.name.host, certificate).getTime() - begin.getTime()
  await world.pass(days - HOUR)
  t.strictSame(world.lines, [])
  await world.pass(2 * HOUR)
  t.match(world.lines, [/domain.renewal_failing docs.shop.test status 204$/])
})

t.test('a message is sent up to ten times in three days, with the same id, and then dropped', async (t) => {
  const world = await outboxWith(t, () => failed)
  await world.settle()
  t.match(world.stored(), [{ id: 'one', attempts: 1, notBefore: '2026-01-01T00:00:05.000Z' }])
  const counts: number[] = []
  for (const wait of [5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)]) {
    await world.pass(wait - 1)
    const before = world.sent.length
    await world.pass(1)
    counts.push(before, world.sent.length)
  }
  t.strictSame(counts, [1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10])
  t.strictSame([world.waiting(), world.stored()], [[], []])
  const failures = Array(10).fill('warn: webhook delivery failed one domain.live one status 500')
  t.strictSame(world.lines, [...failures, 'error: webhook message dropped one domain.live one the last attempt failed'])
  t.strictSame(world.counts, { delivered: 0, failed: 10, dropped: 1 })
})

t.test('a failing message does not delay others', async (t) => {
  let isDown = true
  const answer = (id: string) => (id === 'one' && isDown ? failed : delivered)
  const world = await outboxWith(t, answer, { messages: both })
  await world.settle()
  t.strictSame([world.sent, world.waiting()], [['one', 'two'], ['one']])
  isDown = false
  await world.pass(5 * SECOND)
  t.strictSame([world.sent, world.waiting()], [['one', 'two', 'one'], []])
})

t.test('Retry-After of the receiver delays all messages', async (t) => {
  let isBusy = true
  const later = messageOf('three', { notBefore: after(DAY) })
  const answer = () => (isBusy ? { ...failed, retryAfterMs: HOUR } : delivered)
  const world = await outboxWith(t, answer, { messages: [...both, later] })
  await world.settle()
  isBusy = false
  await world.pass(HOUR - 1)
  t.strictSame(world.sent, ['one'])
  await world.pass(1)
  t.strictSame(world.sent, ['one', 'one', 'two'])
  await world.pass(23 * HOUR)
  t.strictSame(world.sent, ['one', 'one', 'two', 'three'])
})

t.test('after a 410, nothing is sent or stored until a restart', async (t) => {
  const world = await outboxWith(t, () => gone, { messages: both })
  await world.settle()
  t.strictSame([world.sent, world.waiting()], [['one'], []])
  await world.state.commit((draft) => void Object.assign(draft, { outbox: new Map([['three', messageOf('three')]]) }))
  await until(() => world.waiting().length === 0)
  await world.settle()
  t.strictSame(world.sent, ['one'])
  const off = 'webhook receiver answered 410; delivery is off until the next restart'
  t.strictSame(world.lines[0], `error: ${off} one domain.live one status 410`)
  t.strictSame(world.lines.at(-1), 'error: webhook message dropped three domain.live three the receiver is gone')
  t.strictSame(world.counts, { delivered: 0, failed: 1, dropped: 3 })
})

t.test('of more than a thousand messages, the oldest are dropped', async (t) => {
  const messages = Array.from({ length: 1003 }, (_, index) => messageOf(`${index}`, { notBefore: after(HOUR) }))
  const world = await outboxWith(t, () => delivered, { messages })
  await world.settle()
  t.strictSame([world.waiting().length, world.waiting()[0], world.counts.dropped], [1000, '3', 3])
  t.strictSame(world.lines.at(-1), 'error: webhook message dropped 2 domain.live 2 the outbox is full')
})

t.test('a clock that was set back does not delay a message', async (t) => {
  const messages = [messageOf('one', { attempts: 1, notBefore: after(30 * DAY) })]
  const world = await outboxWith(t, () => delivered, { messages })
  await world.settle()
  t.strictSame(world.sent, ['one'])
})

t.test('closing aborts an attempt without a response, and the next process repeats it', async (t) => {
  const world = await outboxWith(t, () => new Promise(() => {}))
  await until(() => world.sent.length === 1)
  await world.outbox.close()
  t.equal(world.clock.waiting(), 0)
  const next = await outboxWith(t, () => delivered, { disk: world.disk })
  await next.settle()
  t.strictSame([next.sent, next.waiting()], [['one'], []])
})

t.test('closing waits until a delivery is saved', async (t) => {
  const { promise, resolve } = deferred<void>()
  let wait = async () => {}
  const world = await outboxWith(t, () => delivered, { isLeader: false, fault: () => wait() })
  wait = () => promise
  world.outbox.setLeading(true)
  await until(() => world.lines.length === 1)
  const ends: string[] = []
  const closing = world.outbox.close().then(() => ends.push('closed'))
  await setImmediate()
  ends.push('saved')
  resolve()
  await closing
  t.strictSame([ends, world.stored()], [['saved', 'closed'], []])
})

t.test('only the leader delivers; the next leader delivers what it could not', async (t) => {
  const { promise, resolve } = deferred<Answer>()
  const world = await outboxWith(t, () => promise, { isLeader: false })
  world.outbox.wake()
  await setImmediate()
  t.strictSame([world.sent, world.clock.waiting()], [[], 0])
  world.outbox.setLeading(true)
  world.outbox.setLeading(false)
  world.outbox.setLeading(true)
  await until(() => world.sent.length === 2)
  world.outbox.setLeading(false)
  resolve(delivered)
  await setImmediate()
  t.strictSame([world.waiting(), world.clock.waiting()], [['one'], 0])
  world.outbox.setLeading(true)
  await world.settle()
  t.strictSame(world.waiting(), [])
})

t.test('a delivery that cannot be saved, as the leadership is lost, is not repeated immediately', async (t) => {
  let isLost = false
  const fault = () => {
    if (isLost) throw new LeadershipLostError('another instance leads')
  }
  let attempts = 0
  const answer = () => {
    isLost = ++attempts === 1
    return delivered
  }
  const world = await outboxWith(t, answer, { fault })
  await world.settle()
  t.strictSame([world.sent, world.waiting()], [['one'], ['one']])
  isLost = false
  await world.pass(SECOND)
  t.strictSame([world.sent, world.waiting()], [['one', 'one'], []])
})

t.test('with a full disk, a message is delivered once', async (t) => {
  const world = await outboxWith(t, () => delivered, { fault: full })
  await world.settle()
  await world.pass(DAY)
  t.strictSame([world.sent, world.waiting()], [['one'], []])
})

t.test('an instance that loses the leadership while it saves a delivery sends nothing more', async (t) => {
  let lose = () => {}
  const world = await outboxWith(t, () => delivered, { messages: both, isLeader: false, fault: () => lose() })
  lose = () => world.outbox.setLeading(false)
  world.outbox.setLeading(true)
  await until(() => world.waiting().length === 1)
  await setImmediate()
  t.strictSame([world.sent, world.clock.waiting()], [['one'], 0])
})
