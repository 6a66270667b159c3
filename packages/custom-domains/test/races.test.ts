import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { fc } from '../../../test/fixtures/properties.ts'
import { IssueError } from '../src/certificates/issuer.ts'
import { dueAt } from '../src/maintenance/schedule.ts'
import type { RedirectStatus } from '../src/state/domain.ts'
import { type DomainState, loadDomainState } from '../src/state/domain-state.ts'
import {
  certificateAt,
  DAY,
  type Disk,
  domainOf,
  emptyDisk,
  type FakeClock,
  fakeClock,
  HOUR,
  MINUTE,
  type Script,
  SECOND,
  startWorld,
  storageOn,
  type World,
} from './fixtures/domains.ts'

type Answer = 'good' | 'bad' | 'broken'

/** `delay` is in iterations of the event loop. */
type Step = { delay: number } & (
  | { kind: 'add' | 'verify' | 'remove' | 'setPrimary' | 'removeRedirect'; host: string }
  | { kind: 'setRedirect'; host: string; status: RedirectStatus }
  | { kind: 'pass' | 'jump'; ms: number }
  | { kind: 'dns' | 'authority'; answer: Answer }
  | { kind: 'disk'; full: readonly string[] }
  | { kind: 'restart' }
  | { kind: 'crash'; writes: number }
)

const one = fc.constantFrom
const host = one('a.shop.test', 'b.shop.test', 'shop.test')
const delay = fc.nat(6)
const everything = ['state', 'certificate']

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ delay, host, kind: one('add', 'verify', 'remove', 'setPrimary', 'removeRedirect') }),
  fc.record({ delay, host, kind: one('add', 'verify', 'remove') }),
  fc.record({ delay, host, kind: one('setRedirect'), status: one<RedirectStatus[]>(301, 302, 307, 308) }),
  fc.record({ delay, kind: one('pass'), ms: one(30 * SECOND, 10 * MINUTE, HOUR, DAY, 61 * DAY) }),
  fc.record({ delay, kind: one('jump'), ms: one(-DAY, -HOUR, HOUR, 31 * DAY, 91 * DAY) }),
  fc.record({ delay, kind: one('dns', 'authority'), answer: one<Answer[]>('good', 'good', 'bad', 'broken') }),
  fc.record({ delay, kind: one('disk'), full: one([], [], everything, ...everything.map((write) => [write])) }),
  fc.record({ delay, kind: one('restart') }),
  fc.record({ delay, kind: one('crash'), writes: fc.nat(4) }),
)

/** Groups of concurrent steps, one after another. */
const plays = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 12 })

const find = (host: string) => domainOf(host, { state: 'verifying' })

function shownOf(state: DomainState) {
  const { domains, primary, redirects } = state.current()
  return { hosts: [...domains.keys()].sort(), primary, redirects: [...redirects].sort() }
}

/** What a process would start with, after the last write. */
async function atStart(disk: Disk) {
  return shownOf(await loadDomainState(storageOn(structuredClone(disk)), find))
}

function missing(hosts: string[], others: string[]): string[] {
  return hosts.filter((host) => !others.includes(host))
}

/** What the steps change: the results of the parts, the space on the disk, when the process dies. */
function scripted(clock: FakeClock) {
  const full = new Set<string>()
  const looking = new Set<string>()
  const state = { dns: 'good', authority: 'good', writesLeft: Number.POSITIVE_INFINITY, error: '' }
  const script: Partial<Script> = {
    fault(write) {
      if (state.writesLeft-- <= 0) throw new Error('the process is gone')
      if (full.has(write)) throw new Error('ENOSPC')
    },
    async dns({ host }) {
      if (looking.has(host)) state.error = `${host} is verified twice at the same time`
      looking.add(host)
      await setImmediate()
      looking.delete(host)
      if (state.dns === 'broken') throw new Error('a programming error')
      return state.dns === 'good' ? undefined : { code: 'record_missing' }
    },
    async issue(host) {
      await setImmediate()
      if (state.authority === 'good') return certificateAt(host, clock.now())
      if (state.authority === 'broken') throw new Error('a programming error')
      throw new IssueError({ code: 'rate_limited', detail: 'Later.' }, 3 * HOUR)
    },
  }
  return { full, state, script }
}

/** A process and its successors on the same disk. */
async function play(groups: Step[][]) {
  const [disk, clock] = [emptyDisk(), fakeClock()]
  const { full, state, script } = scripted(clock)

  async function start() {
    const kept = [...full]
    full.clear() // nothing starts with a full disk
    state.writesLeft = Number.POSITIVE_INFINITY
    const world = await startWorld({ disk, clock, script })
    for (const write of kept) full.add(write)
    world.worker.wake()
    return world
  }

  async function act(step: Step, { registry, pass }: World): Promise<unknown> {
    for (let ticks = 0; ticks < step.delay; ticks++) await setImmediate()
    if (step.kind === 'setRedirect') return registry.setRedirect(step.host, step.status)
    if ('host' in step) return registry[step.kind](step.host)
    if (step.kind === 'pass') return pass(step.ms)
    if (step.kind === 'jump') return clock.jump(step.ms)
    if (step.kind === 'crash') state.writesLeft = step.writes
    if ('answer' in step) state[step.kind] = step.answer
    if (step.kind !== 'disk') return undefined
    full.clear()
    for (const write of step.full) full.add(write)
    return undefined
  }

  let world = await start()
  for (const group of groups) {
    const before = shownOf(world.state).hosts
    const stored = (await atStart(disk)).hosts // and those whose removal is not saved yet
    const acting = group.map((step) => act(step, world).catch(() => {})) // rejected by the disk
    const isOver = group.some(({ kind }) => kind === 'restart' || kind === 'crash')
    await Promise.all([...acting, isOver && world.close()])
    const after = await atStart(disk)
    const done = (kind: string) => group.flatMap((step) => (step.kind === kind && 'host' in step ? step.host : []))
    assert.deepEqual(missing(before, [...after.hosts, ...done('remove')]), [], 'no domain is lost')
    assert.deepEqual(missing(after.hosts, [...before, ...stored, ...done('add')]), [], 'no domain comes back')
    if (!isOver && !world.state.unsaved()) assert.deepEqual(after, shownOf(world.state), 'the current state is saved')
    if (isOver) world = await start()
    await world.settle()
    check(world)
    assert.equal(state.error, '')
  }
  full.clear()
  await world.state.commit(() => {})
  assert.deepEqual(await atStart(disk), shownOf(world.state), 'a new process loads the same state')
  await world.close()
  assert.equal(clock.waiting(), 0, 'no timer is left')
}

/** When nothing is running, every domain is served, has failed and waits, or was never verified. */
function check({ state: { current }, served, disk, clock }: World) {
  const { domains, primary, redirects, orders } = current()
  assert.ok(primary === undefined ? redirects.size === 0 : domains.has(primary), 'the primary domain exists')
  for (const from of redirects.keys()) assert.ok(from !== primary && domains.has(from), 'domains redirect')
  for (const [host, domain] of domains) {
    const { state, problem } = domain
    assert.ok(['added', 'live', 'failed'].includes(state), 'no domain is left in progress')
    assert.equal(state === 'failed' && !problem, false, 'a failure has a problem')
    assert.equal(
      state === 'live' && !served.has(host) && !disk.certificates.has(host),
      false,
      'a live domain has a certificate',
    )
    assert.equal(
      state === 'added' && dueAt(domain, clock.now()) !== undefined,
      false,
      'an added domain waits for a user',
    )
    const times = [...orders.values()].filter((order) => order.host === host).map(({ at }) => Date.parse(at))
    assert.ok(
      times.every((time, order) => order < 4 || time - Number(times[order - 4]) >= HOUR),
      'at most four orders an hour',
    )
    assert.ok(times.length <= 5, 'at most five orders a week')
  }
  assert.equal(clock.waiting(), 1, 'one timer')
}

t.test('no interleaving of requests, faults and crashes loses a domain or leaves one incomplete', async (t) => {
  await t.resolves(fc.assert(fc.asyncProperty(plays, play), { numRuns: 100 }))
})
