import t, { type Test } from 'tap'
import { IssueError } from '../../src/certificates/issuer.ts'
import type { Domain, Problem } from '../../src/state/domain.ts'
import type { ChangeObserver } from '../../src/state/domain-state.ts'
import type { DomainData } from '../../src/state/message.ts'
import { conditionOf } from '../../src/webhook/condition.ts'
import { enqueueEvents, touchDueDomains } from '../../src/webhook/events.ts'
import { begin, DAY, fakeClock, HOUR, MINUTE } from '../fixtures/clock.ts'
import { diskOf } from '../fixtures/disk.ts'
import { certificateAt, domainOf, target, type World, type WorldOptions, worldOf } from '../fixtures/domains.ts'

const host = 'docs.shop.test'

/** A world whose changes enqueue events. */
async function notifying(t: Test, options: WorldOptions = {}) {
  const { clock = fakeClock() } = options
  const complete: ChangeObserver['complete'] = (before, draft) =>
    enqueueEvents(before, draft, { target, now: clock.now() })
  return worldOf(t, { ...options, clock, observer: { complete, onChange() {} } })
}

async function notifyingLive(t: Test) {
  const world = await notifying(t)
  await world.publish(host)
  return world
}

const typesOf = ({ state }: World) => [...state.current().outbox.values()].map(({ event }) => event.type)
/** The check that the outbox makes. */
const addDueEvents = ({ state, clock }: World) => state.apply((draft) => touchDueDomains(draft, clock.now()))
const last = ({ state }: World) => [...state.current().outbox.values()].at(-1)?.event

t.test('a domain goes live: one event, with its certificate', async (t) => {
  const world = await notifyingLive(t)
  t.strictSame(typesOf(world), ['domain.live'])
  const data = { domain: host, state: 'live', certificate: { notAfter: '2026-03-31T23:00:00.000Z', daysLeft: 89 } }
  t.strictSame(last(world), { type: 'domain.live', timestamp: begin.toISOString(), data })
  await world.pass(5 * DAY)
  t.strictSame(typesOf(world), ['domain.live'], 'not by the daily check')
  await world.pass(200 * DAY)
  t.strictSame(typesOf(world), ['domain.live'], 'not by renewals')
})

t.test('a removed domain: no event', async (t) => {
  const world = await notifyingLive(t)
  await world.registry.remove(host)
  t.strictSame(typesOf(world), ['domain.live'])
})

t.test('a missing record: one event for all retries, and another one for another problem', async (t) => {
  let problem: Problem | undefined = { code: 'record_missing' }
  const world = await notifying(t, { script: { dns: () => problem } })
  await world.registry.add(host)
  t.strictSame(typesOf(world), [])
  await world.verify(host)
  const shown = {
    code: 'record_missing',
    message: `There is no DNS record for ${host}.`,
    steps: [/create this record/],
    notes: [/48 hours/, /^The next automatic check/],
    nextTryAt: '2026-01-01T00:01:00.000Z',
  }
  const data = { domain: host, state: 'failed', certificate: undefined, problem: shown }
  t.match(last(world), { type: 'domain.failing', data })
  await world.pass(2 * DAY)
  t.strictSame(typesOf(world), ['domain.failing'])
  problem = { code: 'cname_mismatch', found: 'x.test', expected: target, isZoneAppended: false }
  await world.pass(2 * DAY)
  t.match(last(world), { type: 'domain.failing', data: { problem: { code: 'cname_mismatch' } } })
  problem = undefined
  await world.pass(2 * DAY)
  t.strictSame(typesOf(world), ['domain.failing', 'domain.failing', 'domain.live'])
})

t.test('a transient problem is reported after twenty minutes', async (t) => {
  let isDown = true
  const world = await notifying(t)
  world.script.issue = async () => {
    if (isDown) throw new IssueError({ code: 'ca_unavailable', detail: 'Later.' })
    return certificateAt(host, world.clock.now())
  }
  await world.publish(host)
  await world.pass(20 * MINUTE)
  t.strictSame([typesOf(world), world.get(host)?.attempts], [[], 3])
  await world.pass(2 * MINUTE)
  t.strictSame([typesOf(world), world.get(host)?.attempts], [['domain.failing'], 4])
  isDown = false
  await world.pass(2 * HOUR)
  t.strictSame(typesOf(world), ['domain.failing', 'domain.live'])
})

/** Advances the time by six hours at a time, with the check that the outbox makes. */
async function passWithLooks(world: World, ms: number) {
  for (let passed = 0; passed < ms; passed += 6 * HOUR) {
    await world.pass(6 * HOUR)
    await addDueEvents(world)
  }
}

t.test('a failing renewal is reported at first, with 14, 7, 3 and 1 days left, and at the expiry', async (t) => {
  const world = await notifyingLive(t)
  world.script.caa = () => ({ code: 'caa_blocks', level: 'shop.test', found: [], expected: '' })
  await world.pass(5 * HOUR) // its certificate ends an hour before a day does
  await passWithLooks(world, 100 * DAY)
  const events = [...world.state.current().outbox.values()].map(({ event }) => event)
  const left = events.map(({ type, data }) => `${type} ${(data as DomainData).certificate?.daysLeft}`)
  const reported = [37, 14, 7, 3, 1].map((days) => `domain.renewal_failing ${days}`)
  t.strictSame(left, ['domain.live 89', ...reported, 'domain.expired 0'])
  t.match(events[1]?.data, { state: 'live', problem: { code: 'caa_blocks' } })
  world.script.caa = () => undefined
  await world.pass(2 * DAY)
  t.equal(last(world)?.type, 'domain.live')
})

t.test('a changed record is reported by the daily check and at the renewal; then the recovery', async (t) => {
  const world = await notifyingLive(t)
  world.script.dns = () => ({ code: 'record_missing' })
  await passWithLooks(world, 2 * DAY)
  t.match(last(world), { type: 'domain.record_changed', data: { state: 'live', problem: { code: 'record_missing' } } })
  await passWithLooks(world, 84 * DAY)
  t.strictSame(typesOf(world).slice(1), ['domain.record_changed', ...Array(3).fill('domain.renewal_failing')])
  world.script.dns = () => undefined
  await world.verify(host)
  t.equal(last(world)?.type, 'domain.recovered')
})

const certificate = { issuer: 'x', notBefore: '2026-01-01T00:00:00.000Z', notAfter: '2026-04-01T00:00:00.000Z' }
const live = domainOf(host, { state: 'live', certificate, attempts: 9 })
const trouble: Problem = { code: 'record_missing' }

/** The event for a domain that is older than the webhook, halfway through its certificate's lifetime. */
const found: Record<string, [domain: Domain, type: string | undefined]> = {
  live: [live, undefined],
  'live, with a changed record': [{ ...live, problem: trouble }, 'domain.record_changed'],
  failed: [domainOf(host, { state: 'failed', problem: trouble }), 'domain.failing'],
  added: [domainOf(host), undefined],
}
for (const [what, [domain, type]] of Object.entries(found)) {
  t.test(`a domain found ${what}: ${type ?? 'no event'}`, async (t) => {
    const clock = fakeClock(new Date('2026-02-01T00:00:00.000Z'))
    const world = await notifying(t, { disk: diskOf(domain), clock })
    await addDueEvents(world)
    t.strictSame(typesOf(world), type ? [type] : [])
  })
}

/** The stored format of servers: changing it would repeat a notification or lose a recovery. */
const failed = domainOf(host, { state: 'failed', problem: trouble })
const until = (notAfter: string) => ({ ...certificate, notAfter })
const renewing = { ...live, problem: trouble, reissueAt: '2026-01-31T00:00:00.000Z' }
const notified: [lastNotified: string, same: Domain, next: string | undefined][] = [
  ['live', live, undefined],
  ['failing record_missing', failed, 'domain.live'],
  ['expired', { ...failed, certificate: until('2026-02-01T00:00:00.000Z') }, 'domain.live'],
  ['record_changed record_missing', { ...live, problem: trouble }, 'domain.recovered'],
  ['renewal_failing first', renewing, 'domain.recovered'],
  ['renewal_failing 7', { ...renewing, certificate: until('2026-02-08T00:00:00.000Z') }, 'domain.recovered'],
]
for (const [lastNotified, same, next] of notified) {
  t.test(`stored as "${lastNotified}": not reported again; then ${next ?? 'no event'} once it is live`, async (t) => {
    const clock = fakeClock(new Date('2026-02-01T00:00:00.000Z'))
    const world = await notifying(t, { disk: diskOf({ ...same, lastNotified }), clock })
    t.strictSame(typesOf(world), [])
    await world.state.commit(({ domains }) => domains.set(host, { ...live, lastNotified }))
    t.strictSame(typesOf(world), next ? [next] : [])
  })
}

t.test("an event has the authority's explanation of when to renew", async (t) => {
  const explanationUrl = 'https://ca.test/why'
  const renewal = { start: begin.toISOString(), end: begin.toISOString(), at: begin.toISOString(), explanationUrl }
  const world = await notifying(t)
  const changed = { ...live, problem: trouble, certificate: { ...certificate, renewal } }
  await world.state.commit(({ domains }) => domains.set(host, changed))
  t.match(last(world)?.data, { certificate: { explanationUrl } })
})

t.test('the platform domain has no steps for users', async (t) => {
  const domain = domainOf('orders.platform.test', { state: 'failed', problem: trouble, isPlatform: true })
  const world = await notifying(t, { disk: diskOf(domain) })
  await addDueEvents(world)
  t.match(last(world)?.data, {
    domain: 'orders.platform.test',
    problem: { code: 'record_missing', addressee: 'operator', steps: [] },
  })
})

t.test('a DNS failure is not reported while the certificate is not due', async (t) => {
  const now = new Date('2026-02-01T00:00:00.000Z')
  const due = new Date('2026-03-10T00:00:00.000Z')
  const renewalFailing = { event: 'domain.renewal_failing', detail: 'first' }
  const unreachable: Domain = { ...live, problem: { code: 'dns_unreachable', name: host } }
  t.equal(conditionOf(unreachable, now), undefined)
  t.strictSame(conditionOf(unreachable, due), renewalFailing)
  t.equal(conditionOf({ ...unreachable, attempts: 1 }, due), undefined)
  t.strictSame(conditionOf({ ...unreachable, reissueAt: now.toISOString() }, now), renewalFailing)
  t.strictSame(conditionOf({ ...live, problem: { code: 'ca_refused', detail: '' } }, now), renewalFailing)
})

t.test('a replaced account is reported with its change, the first account is not', async (t) => {
  const world = await notifying(t)
  const [authority, former, account] = ['https://ca.test', 'https://ca.test/acct/1', 'https://ca.test/acct/2']
  await world.state.commit(({ accounts }) => accounts.set(authority, former))
  t.strictSame(typesOf(world), [])
  await world.state.commit(({ accounts }) => accounts.set(authority, account))
  await world.state.commit(() => {})
  t.strictSame(typesOf(world), ['account.replaced'])
  const data = { authority, account, former }
  t.strictSame(last(world), { type: 'account.replaced', timestamp: begin.toISOString(), data })
})
