import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import t from 'tap'
import { IssueError } from '../../domains/certificates/issuer.ts'
import { dueAt } from '../../domains/maintenance/schedule.ts'
import type { RedirectStatus } from '../../domains/state/domain.ts'
import { type DomainState, loadDomainState } from '../../domains/state/domain-state.ts'
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
} from '../fixtures/domains.ts'

type Answer = 'good' | 'bad' | 'broken'

/** `delay` is in turns of the event loop. */
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
const everything = ['state', 'configuration', 'certificate']

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

/** What happens at once, what after it at once, and so on. */
const plays = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 12 })

const find = (host: string) => domainOf(host, { state: 'verifying' })

function shownOf(state: DomainState) {
  const { domains, primary, redirects } = state.current()
  return { hosts: [...domains.keys()], primary, redirects: [...redirects] }
}

/** What a start would begin with, whatever was written last. */
async function atStart(disk: Disk) {
  return shownOf(await loadDomainState(storageOn(structuredClone(disk)), find))
}

function missing(hosts: string[], others: string[]): string[] {
  return hosts.filter((host) => !others.includes(host))
}

/** Parts that the steps change: what they answer, how full the disk is, when the process dies. */
function scripted(clock: FakeClock) {
  const full = new Set<string>()
  const looking = new Set<string>()
  const state = { dns: 'good', authority: 'good', writesLeft: Number.POSITIVE_INFINITY, mistake: '' }
  const script: Partial<Script> = {
    fault(write) {
      if (state.writesLeft-- <= 0) throw new Error('the process is gone')
      if (full.has(write)) throw new Error('ENOSPC')
    },
    async dns({ host }) {
      if (looking.has(host)) state.mistake = `${host} is looked at twice at once`
      looking.add(host)
      await setImmediate()
      looking.delete(host)
      if (state.dns === 'broken') throw new Error('a mistake in the program')
      return state.dns === 'good' ? undefined : { code: 'record_missing' }
    },
    async issue(host) {
      await setImmediate()
      if (state.authority === 'good') return certificateAt(host, clock.now())
      if (state.authority === 'broken') throw new Error('a mistake in the program')
      throw new IssueError({ code: 'rate_limited', detail: 'Later.' }, 3 * HOUR)
    },
  }
  return { full, state, script }
}

/** A process, and those that follow it on the same disk. */
async function play(groups: Step[][]) {
  const [disk, clock] = [emptyDisk(), fakeClock()]
  const { full, state, script } = scripted(clock)

  async function start() {
    const kept = [...full]
    full.clear() // with a full disk nothing starts
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
    const acting = group.map((step) => act(step, world).catch(() => {})) // refused by the disk
    const isOver = group.some(({ kind }) => kind === 'restart' || kind === 'crash')
    await Promise.all([...acting, isOver && world.close()])
    const after = await atStart(disk)
    const done = (kind: string) => group.flatMap((step) => (step.kind === kind && 'host' in step ? step.host : []))
    assert.deepEqual(missing(before, [...after.hosts, ...done('remove')]), [], 'no domain is lost')
    assert.deepEqual(missing(after.hosts, [...before, ...stored, ...done('add')]), [], 'no domain comes back')
    if (!isOver && !world.state.unsaved()) assert.deepEqual(after, shownOf(world.state), 'what counts is saved')
    if (isOver) world = await start()
    await world.settle()
    check(world)
    assert.equal(state.mistake, '')
  }
  full.clear()
  await world.state.commit(() => {})
  assert.deepEqual(await atStart(disk), shownOf(world.state), 'a start goes on with what was')
  await world.close()
  assert.equal(clock.waiting(), 0, 'no timer is left')
}

/** With nothing under way, every domain is served, or has failed and waits, or has never been asked for. */
function check({ state: { current }, served, disk, clock }: World) {
  const { domains, primary, redirects, orders = [] } = current()
  assert.ok(primary === undefined ? redirects.size === 0 : domains.has(primary), 'the primary domain is one')
  for (const from of redirects.keys()) assert.ok(from !== primary && domains.has(from), 'domains redirect')
  for (const [host, domain] of domains) {
    const { state, problem } = domain
    assert.ok(['added', 'live', 'failed'].includes(state), 'nothing is left half done')
    assert.equal(state === 'failed' && !problem, false, 'who fails is told why')
    assert.equal(
      state === 'live' && !served.has(host) && !disk.certificates.has(host),
      false,
      'who is live has a certificate',
    )
    assert.equal(state === 'added' && dueAt(domain, clock.now()) !== undefined, false, 'who was added waits for a user')
    const times = orders.filter((order) => order.host === host).map(({ at }) => Date.parse(at))
    assert.ok(
      times.every((time, order) => order < 4 || time - Number(times[order - 4]) >= HOUR),
      'four orders an hour',
    )
    assert.ok(times.length <= 5, 'and five a week')
  }
  assert.equal(clock.waiting(), 1, 'one timer')
}

t.test('no interleaving of requests, faults and crashes loses a domain or leaves one half done', async (t) => {
  await t.resolves(fc.assert(fc.asyncProperty(plays, play), { numRuns: 100 }))
})
