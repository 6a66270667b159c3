import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { deferred } from 'test-kit/until'
import { renewsAt } from '../../src/maintenance/schedule.ts'
import { sharedChallenges } from '../../src/maintenance/shared-challenges.ts'
import type { IssuedCertificate, Problem } from '../../src/state/domain.ts'
import { LeadershipLostError } from '../../src/state/storage.ts'
import { after, begin, DAY, HOUR, MINUTE, SECOND } from '../fixtures/clock.ts'
import { diskOf, domainsOn, full } from '../fixtures/disk.ts'
import { certificateAt, domainOf, liveWorld, until, untilAborted, type World, worldOf } from '../fixtures/domains.ts'

const host = 'docs.shop.test'
const missing: Problem = { code: 'record_missing' }

t.test('a failing domain is retried at growing intervals for thirty days', async (t) => {
  const tries: number[] = []
  const world = await worldOf(t)
  world.script.dns = () => (tries.push((world.clock.now().getTime() - begin.getTime()) / MINUTE) ? missing : undefined)
  await world.publish(host)
  await world.pass(90 * DAY)
  t.strictSame(tries.slice(0, 9), [0, 1, 6, 21, 81, 261, 621, 1341, 2781])
  const last = (tries.at(-1) ?? 0) / (24 * 60)
  t.ok(last > 29 && last <= 30)
  t.match(world.get(host), { state: 'failed', problem: missing, attempts: tries.length })
  t.match(world.registry.list().domains[0]?.problem, { nextTryAt: undefined })
  await world.verify(host)
  t.match(world.get(host), { attempts: 1, failingSince: world.get(host)?.failedAt }, 'another period')
  world.script.dns = () => undefined
  await world.pass(HOUR)
  t.equal(world.get(host)?.state, 'live')
})

/** When the certificate is due for renewal, in milliseconds from the beginning. */
const renewalOf = (world: World) =>
  renewsAt(host, world.get(host)?.certificate as IssuedCertificate).getTime() - begin.getTime()

t.test('a certificate is renewed with a third of its lifetime left, while the domain stays live', async (t) => {
  const world = await liveWorld(t, host)
  const [first] = world.served.values()
  const states = new Set<string | undefined>()
  world.script.fault = () => states.add(domainsOn(world.disk)[0]?.state)
  const due = renewalOf(world)
  await world.pass(due - 1)
  t.strictSame(world.orders, [host])
  await world.pass(1)
  t.strictSame(world.orders, [host, host])
  t.not(world.served.get(host), first)
  t.strictSame([...states], ['live'])
  t.match(world.get(host), { liveSince: after(0), issuedAt: after(due) })
  t.match([...world.state.current().orders.values()], [{ at: after(due) }], 'no limit counts the first order any more')
})

t.test('a clock that is set back does no harm', async (t) => {
  const world = await liveWorld(t, host)
  world.clock.jump(-20 * DAY)
  await world.pass(HOUR)
  t.match(world.get(host), { state: 'live', problem: undefined })
  t.match(await world.registry.verify(host), { state: 'verifying' })
  await world.settle()
  t.match(world.get(host), { state: 'live', problem: undefined }, 'its certificate is not valid yet')
  world.clock.jump(20 * DAY)
  await world.pass(2 * DAY)
  t.match(world.get(host), { state: 'live', problem: undefined })
  t.strictSame(world.orders, [host])
})

t.test('a domain that a fast clock took down is live again once the clock is right', async (t) => {
  const world = await liveWorld(t, host)
  world.script.dns = () => missing
  await world.publish('other.shop.test')
  world.clock.jump(365 * DAY)
  await world.wake()
  t.match(world.get(host), { state: 'failed', problem: missing })
  t.match(world.get('other.shop.test'), { attempts: 2, notBefore: after(365 * DAY + 5 * MINUTE) })
  world.clock.jump(-365 * DAY)
  await world.wake()
  t.match(world.get(host), { state: 'live', problem: undefined, notBefore: undefined }, 'even without its record')
  t.match(world.get('other.shop.test'), { attempts: 3, notBefore: after(15 * MINUTE) })
  t.strictSame(world.orders, [host])
})

t.test('a renewed certificate whose state was not saved is used before the domain fails', async (t) => {
  const world = await liveWorld(t, host)
  world.clock.jump(200 * DAY)
  world.disk.certificates.set(host, await certificateAt(host, world.clock.now()))
  await world.wake()
  t.match(world.get(host), { state: 'live', certificate: { notAfter: after(290 * DAY - HOUR) } })
  t.strictSame([world.orders, world.lines.at(-1)], [[host], 'info: the domain is live'])
})

t.test('a state that cannot be saved is retried later, not immediately', async (t) => {
  const world = await worldOf(t)
  await world.registry.add(host)
  await world.registry.verify(host)
  world.script.fault = full
  await world.settle()
  const problem = { code: 'storage_failed', detail: 'ENOSPC: no space left on device' }
  t.match(world.get(host), { state: 'failed', problem, notBefore: after(MINUTE), attempts: 1 })
  t.strictSame(world.lines, ['error: the attempt failed unexpectedly'])
  t.equal(world.clock.waiting(), 1)
  await world.pass(HOUR)
  t.match(world.get(host), { state: 'failed', problem, attempts: 4 })
  t.strictSame([world.orders, world.served.size], [[], 0])
  world.script.fault = () => {}
  await world.pass(HOUR)
  t.match(world.get(host), { state: 'live', problem: undefined })
  t.strictSame(world.orders, [host])
  t.match(domainsOn(world.disk), [{ state: 'live' }])
})

t.test('an attempt ends when the leadership is lost, and waits before the next one', async (t) => {
  const world = await worldOf(t, { disk: diskOf(domainOf(host, { state: 'verifying' })) })
  world.script.fault = () => {
    throw new LeadershipLostError('another instance leads')
  }
  await world.wake()
  t.match(world.get(host), { state: 'verifying', problem: undefined })
  t.strictSame([world.lines, world.orders], [[], []])
  world.script.fault = () => {}
  await world.pass(SECOND)
  t.equal(world.get(host)?.state, 'live')
  t.strictSame(world.orders, [host])
})

t.test('closing aborts the running attempts, and starts no other', async (t) => {
  const { promise, resolve } = deferred<undefined>()
  const world = await worldOf(t, { script: { issue: (_host, signal) => untilAborted(signal) } })
  world.script.dns = ({ host }) => (host === 'slow.shop.test' ? promise : undefined)
  for (const each of [host, 'slow.shop.test']) {
    await world.registry.add(each)
    await world.registry.verify(each)
  }
  await until(() => world.orders.length === 1 && world.get('slow.shop.test')?.state === 'verifying')
  const closed = world.close()
  resolve(undefined)
  await closed
  world.worker.wake()
  world.worker.start(host)
  t.equal(world.clock.waiting(), 0)
  t.strictSame([world.worker.progressOf(host), world.lines], [undefined, []])
  t.match(domainsOn(world.disk), [{ state: 'issuing' }, { state: 'verifying' }])
})

t.test('an instance that is not the leader makes no attempts', async (t) => {
  const { promise, resolve } = deferred<undefined>()
  const world = await worldOf(t, { script: { dns: () => promise } })
  world.worker.setLeading(false)
  await world.registry.add(host)
  t.match(await world.registry.verify(host), { state: 'verifying' })
  t.match(await world.registry.verify(host), { state: 'verifying' }, 'as for an attempt of this instance')
  t.equal(world.clock.waiting(), 0)
  world.worker.setLeading(true)
  await until(() => world.worker.progressOf(host) !== undefined)
  world.worker.setLeading(false)
  t.strictSame([world.worker.progressOf(host), world.clock.waiting()], [undefined, 0], 'they are aborted')
  resolve(undefined)
  world.worker.setLeading(true)
  await world.settle()
  t.equal(world.get(host)?.state, 'live')
  t.strictSame(world.orders, [host])
})

t.test('removing a domain ends an attempt that hangs, and waits for its end', async (t) => {
  const { promise, resolve } = deferred<never>()
  const issue = () => promise
  const events: string[] = []
  const world = await worldOf(t, { script: { dns: () => new Promise(() => {}) } })
  await world.registry.add(host)
  await world.registry.verify(host)
  t.equal(await world.registry.remove(host), undefined, 'during a lookup')

  Object.assign(world.script, { dns: () => undefined, issue })
  await world.registry.add(host)
  await world.registry.verify(host)
  await until(() => world.orders.length > 0)
  const removed = world.registry.remove(host).then(() => events.push('removed'))
  await until(() => world.get(host) === undefined)
  await setImmediate()
  events.push('ended')
  resolve(Promise.reject(new Error('the order ends late')) as never)
  await removed
  t.strictSame([events, world.lines], [['ended', 'removed'], []])
})

const again = domainOf(host, { addedAt: after(DAY) })
const changes = { removed: undefined, 'removed and added again': again, 'removed by another instance': undefined }
for (const [what, next] of Object.entries(changes)) {
  t.test(`an attempt writes nothing to a domain that was ${what}`, async (t) => {
    const { promise, resolve } = deferred<undefined>()
    const { worker, registry, state, get, orders, lines } = await worldOf(t, { script: { dns: () => promise } })
    await registry.add(host)
    await registry.verify(host)
    await until(() => get(host)?.state === 'verifying')
    await state.commit(({ domains }) => (next ? domains.set(host, next) : domains.delete(host)))
    if (what.endsWith('instance')) {
      worker.wake()
      t.equal(worker.progressOf(host), undefined, 'it is aborted')
    }
    resolve(undefined)
    await until(() => worker.progressOf(host) === undefined)
    await worker.stop(host)
    if (!next) worker.start(host)
    await until(() => worker.progressOf(host) === undefined)
    t.strictSame([get(host), lines, orders], [next, [], []])
  })
}

t.test('the timer is set at least once an hour', async (t) => {
  const world = await liveWorld(t, host)
  world.clock.jump(60 * DAY) // without notification
  await world.pass(HOUR - SECOND)
  t.strictSame(world.orders, [host])
  await world.pass(SECOND)
  t.strictSame(world.orders, [host, host])
})

t.test('a live domain is checked daily, and a problem is reported before its certificate expires', async (t) => {
  const world = await liveWorld(t, host)
  const looks: number[] = []
  let problem: Problem | undefined
  world.script.dns = () => {
    looks.push((world.clock.now().getTime() - begin.getTime()) / DAY)
    return problem
  }
  const done = () => [world.orders.length, world.lines.length, world.disk.writes.length]
  const before = done()
  await world.pass(5 * DAY)
  const intervals = looks.map((look, index) => Math.round((look - (looks[index - 1] ?? look)) * DAY))
  t.strictSame(intervals, [0, DAY, DAY, DAY, DAY])
  t.strictSame(done(), before, 'without an order, a line in the log or a write')
  problem = missing
  await world.pass(1.2 * DAY)
  const since = String(world.get(host)?.failingSince)
  t.match(world.get(host), { state: 'live', problem })
  const [{ summary } = { summary: '' }] = world.registry.list().domains
  t.match(summary, `First noticed at ${since.slice(0, 16).replace('T', ' ')} UTC.`)
  problem = undefined
  await world.pass(DAY)
  t.match(world.get(host), { state: 'live', problem: undefined })
  t.equal(world.lines.at(-1), 'info: the domain is live', 'again')
})

t.test('a new leader spreads the checks over a day', async (t) => {
  const world = await liveWorld(t, host)
  world.worker.setLeading(false)
  world.clock.jump(10 * DAY)
  const looks: number[] = []
  world.script.dns = () => void looks.push(world.clock.now().getTime() - begin.getTime() - 10 * DAY)
  world.worker.setLeading(true)
  await world.pass(DAY)
  t.ok(looks.length === 1 && Number(looks[0]) > 0)
})

async function addDue({ state, worker }: World, hosts: string[]) {
  await state.commit(({ domains }) => {
    for (const each of hosts) domains.set(each, domainOf(each, { state: 'verifying' }))
  })
  worker.wake()
}

t.test('many domains that are due are attempted a few at a time, and one that a user requests at once', async (t) => {
  const world = await worldOf(t)
  const { promise, resolve } = deferred<undefined>()
  const looks = new Set<string>()
  world.script.dns = ({ host }) => looks.add(host) && promise
  await world.registry.add(host)
  const hosts = Array.from({ length: 60 }, (_, index) => `docs.shop${index}.test`)
  await addDue(world, hosts)
  await until(() => looks.size === 50)
  await world.registry.verify(host)
  await until(() => looks.has(host))
  t.equal(looks.size, 51)
  resolve(undefined)
  await until(() => [...world.state.current().domains.values()].every(({ state }) => state === 'live'))
  t.equal(looks.size, 61)
})

t.test('a hundred orders that are never completed delay no other domain', async (t) => {
  const world = await worldOf(t)
  const { issue } = world.script
  world.script.issue = async (host, signal, save, former, onValidated) => {
    if (!host.startsWith('stuck')) return issue(host, signal, save, former, onValidated)
    onValidated?.()
    return untilAborted(signal)
  }
  const hosts = [...Array.from({ length: 100 }, (_, index) => `stuck.shop${index}.test`), host]
  await addDue(world, hosts)
  await until(() => world.get(host)?.state === 'live' && world.orders.length === 101)
  t.equal(world.clock.now().getTime(), begin.getTime())
})

t.test('a challenge is presented once every instance can respond to it', async (t) => {
  const { state } = await worldOf(t)
  const [acknowledged, events] = [deferred<void>(), [] as string[]]
  t.intercept(state, 'whenAcknowledged', { value: () => acknowledged.promise })
  const presented = sharedChallenges(state)
    .set('token', 'authorization')
    .then(() => events.push('presented'))
  await until(() => state.current().challenges.get('token') === 'authorization')
  await setImmediate()
  events.push('acknowledged')
  acknowledged.resolve()
  await presented
  t.strictSame(events, ['acknowledged', 'presented'])
})

t.test('challenges that no attempt needs any more are cleared', async (t) => {
  const world = await worldOf(t)
  await world.state.apply(({ challenges }) => challenges.set('token', 'left by a former leader'))
  world.worker.wake()
  await until(() => world.state.current().challenges.size === 0)
})
