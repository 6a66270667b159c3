import t, { type Test } from 'tap'
import { originOf, withOrigin, withoutKey } from '../../src/certificates/certificate.ts'
import { IssueError, OrderEndedError, type Stall } from '../../src/certificates/issuer.ts'
import { replaceForeignCertificates } from '../../src/maintenance/startup.ts'
import { after, begin, DAY, fakeClock, HOUR, MINUTE } from '../fixtures/clock.ts'
import { diskOf, full } from '../fixtures/disk.ts'
import {
  certificateAt,
  domainOf,
  liveWorld,
  startWorld,
  until,
  untilAborted,
  type World,
  type WorldOptions,
  worldOf,
} from '../fixtures/domains.ts'

const host = 'docs.shop.test'
const [staging, production] = ['https://staging.test/directory', 'https://ca.test/directory']

const unavailable = new IssueError({ code: 'ca_unavailable', detail: 'Down.' })
const refused = new IssueError({ code: 'ca_refused', detail: 'No.' })
const ended = new OrderEndedError({ code: 'ca_refused', detail: 'No.' })

/** A world whose authority fails once, after an order was saved. */
async function failingWorld(t: Test, error: Error) {
  const world = await worldOf(t)
  const { issue } = world.script
  world.script.issue = async (...given) => {
    world.script.issue = issue
    await issue(...given)
    throw error
  }
  await world.publish(host)
  return world
}

/** Whether the domain is live, and how many orders were placed for it. */
const outcomeOf = (world: World) => `${world.get(host)?.state} ${world.orders.length}`

t.test('an order whose certificate was not fetched is completed, not placed again', async (t) => {
  const world = await failingWorld(t, unavailable)
  t.match(world.get(host), { state: 'failed', problem: { code: 'ca_unavailable' } })
  const resumed: string[] = []
  world.script.resume = async (host, { url, key }) => {
    resumed.push(url, key)
    return certificateAt(host, world.clock.now())
  }
  await world.pass(MINUTE)
  t.strictSame([outcomeOf(world), resumed], ['live 1', [`${production}/order`, 'KEY']])
  t.strictSame([...world.disk.orders], [], 'it is deleted')
  t.equal(world.state.current().orders.size, 1, 'the weekly limit counts one')
})

t.test('a certificate that an old order still yields is renewed at once if it is due', async (t) => {
  const world = await failingWorld(t, unavailable)
  world.script.resume = () => Promise.reject(unavailable)
  await world.pass(5 * DAY)
  world.script.resume = async (host) => certificateAt(host, begin, 6 * DAY)
  await world.pass(2 * HOUR)
  t.strictSame(world.orders, [host, host])
  t.match(world.get(host), { state: 'live', problem: undefined })
})

for (const stall of ['lost', 'unfinished'] as const) {
  t.test(`an order that stays ${stall} is given up in the end, and another one is placed`, async (t) => {
    const patience = stall === 'lost' ? HOUR : DAY
    const stalled = new IssueError({ code: 'ca_unavailable', detail: 'Later.' }, 0, '', stall)
    const world = await failingWorld(t, stalled)
    world.script.resume = () => Promise.reject(stalled)
    const isKept = () => world.disk.orders.has(host)
    await world.pass(MINUTE)
    t.equal(isKept(), true)
    await world.pass(patience / 2)
    t.equal(isKept(), true)
    t.strictSame(world.orders, [host])
    await world.pass(2 * patience)
    t.equal(outcomeOf(world), 'live 2')
  })
}

t.test('an order that was unfinished for hours is kept when it seems lost', async (t) => {
  const stalled = (stall: Stall) => new IssueError({ code: 'ca_unavailable', detail: 'Later.' }, 0, '', stall)
  const world = await failingWorld(t, stalled('unfinished'))
  for (const stall of ['unfinished', 'lost'] as const) {
    world.script.resume = () => Promise.reject(stalled(stall))
    await world.pass(stall === 'unfinished' ? 3 * HOUR : HOUR)
  }
  t.strictSame([world.disk.orders.has(host), world.orders], [true, [host]])
})

t.test('a domain that is removed and added again does not wait for the former order', async (t) => {
  const world = await failingWorld(t, unavailable)
  world.script.resume = () => t.fail('it was resumed') as never
  await world.registry.remove(host)
  world.clock.jump(MINUTE)
  await world.publish(host)
  t.equal(outcomeOf(world), 'live 2')
})

t.test('a certificate that is requested anew does not come from an earlier order', async (t) => {
  const world = await failingWorld(t, unavailable)
  world.script.resume = () => t.fail('it was resumed') as never
  world.clock.jump(MINUTE)
  await world.registry.reissue(host)
  await world.settle()
  t.equal(outcomeOf(world), 'live 2')
})

t.test('an order that is missing, broken or of another authority is replaced', async (t) => {
  for (const stored of [undefined, '{"authority":"https://other.test"}', 'rubbish']) {
    const world = await failingWorld(t, unavailable)
    if (stored) world.disk.orders.set(host, stored)
    else world.script.resume = async () => undefined
    await world.pass(MINUTE)
    t.equal(outcomeOf(world), 'live 2', String(stored))
  }
})

t.test('an order that the authority ends is discarded, and any other kept', async (t) => {
  for (const error of [ended, refused]) {
    const world = await failingWorld(t, error)
    t.equal(world.disk.orders.has(host), error === refused)
    await world.pass(MINUTE)
    t.equal(outcomeOf(world), error === refused ? 'live 1' : 'live 2')
  }
})

t.test('a certificate is revoked once no instance can use it again, even if its key cannot be deleted', async (t) => {
  const world = await liveWorld(t, host)
  const revoked = String(world.served.get(host))
  world.script.fault = full
  let calls = 0
  world.script.revoke = async () => void calls++
  const unsaved = { code: 'not_saved', message: /ENOSPC: .*\. Its certificate has not been revoked.$/ }
  await t.rejects(world.registry.remove(host, 'keyCompromise'), unsaved)
  t.equal(calls, 0)
  world.script.fault = (write) => write === 'certificate' && full()
  t.equal(await world.registry.remove(host, 'keyCompromise'), undefined)
  t.equal(calls, 1)
  t.equal(world.disk.certificates.get(host), revoked)

  const restarted = await worldOf(t, { disk: world.disk, clock: world.clock })
  t.equal(await restarted.certificates.loadCertificate(host), undefined)
  t.notMatch(world.disk.certificates.get(host), /PRIVATE KEY/, 'it is deleted as soon as it can be')
  await restarted.publish(host)
  t.strictSame(restarted.orders, [host])
  t.not(restarted.served.get(host), revoked)
})

t.test('an order with a revoked key is not completed; a revocation is kept until the expiry', async (t) => {
  const world = await worldOf(t)
  const pem = withOrigin(await certificateAt(host, begin, 3 * DAY), { authority: production, issuedAt: '2025' })
  const key = String(/-----BEGIN PRIVATE KEY.*END PRIVATE KEY-----/s.exec(pem))
  const order = { authority: production, url: 'https://ca.test/order', key, begunAt: begin.toISOString() }
  world.disk.certificates.set(host, pem)
  world.disk.orders.set(host, JSON.stringify(order))
  await world.registry.remove(host, 'keyCompromise')
  world.script.resume = () => Promise.reject(new Error('with a revoked key'))
  await world.publish(host)
  t.equal(world.get(host)?.state, 'live')
  t.equal(world.state.current().revoked?.size, 1)
  await world.pass(4 * DAY)
  await world.registry.remove(host, 'superseded')
  t.equal(world.state.current().revoked?.size, 1, 'the first certificate has expired')
})

t.test('a certificate that could not be saved is not used once it is revoked', async (t) => {
  const world = await worldOf(t)
  world.script.fault = (write) => write === 'certificate' && full()
  await world.publish(host)
  t.match(world.get(host), { problem: { code: 'storage_failed' } })
  t.equal(world.disk.orders.size, 1, 'after a restart, it would be fetched again')
  t.equal(await world.registry.remove(host, 'keyCompromise'), undefined)
  t.equal(await world.certificates.loadCertificate(host), undefined)
})

t.test('an order that is still stored after its certificate is deleted at the next check', async (t) => {
  const world = await worldOf(t)
  await world.publish(host)
  const outdated = { authority: production, url: '', key: '', begunAt: world.clock.now().toISOString() }
  world.disk.orders.set(host, JSON.stringify(outdated))
  world.script.resume = () => t.fail('it was completed') as never
  world.script.fault = (write) => write === 'order' && full()
  await world.pass(2 * DAY)
  t.strictSame([world.get(host)?.problem, world.disk.orders.size], [undefined, 1], 'which may fail')
  world.script.fault = () => {}
  await world.pass(2 * DAY)
  t.strictSame([[...world.disk.orders], world.orders], [[], [host]])
  world.disk.orders.set(host, JSON.stringify(outdated))
  await world.pass(61 * DAY)
  t.strictSame(world.orders, [host, host])
})

t.test('after a reissue that saved its certificate but not its state, no other is ordered', async (t) => {
  const world = await liveWorld(t, host)
  await world.pass(MINUTE)
  const now = world.clock.now()
  const issuedAt = new Date(now.getTime() + 1).toISOString()
  const pem = withOrigin(await certificateAt(host, now), { authority: production, issuedAt })
  world.disk.certificates.set(host, pem)
  await world.registry.reissue(host)
  await world.settle()
  t.strictSame([world.served.get(host), world.orders, world.get(host)?.reissueAt], [pem, [host], undefined])
})

/** As at the start of a process. */
async function started(t: Test, options: WorldOptions) {
  const world = await worldOf(t, options)
  await replaceForeignCertificates(world.state, world.authorities, world.clock.now())
  await world.wake()
  return world
}

t.test('after a change of the authority, every domain gets exactly one certificate of the new one', async (t) => {
  const first = await started(t, { authority: staging })
  const other = 'other.shop.test'
  for (const each of [host, other]) await first.publish(each)
  await first.registry.remove(other)
  await first.close()

  const { disk, clock } = first
  const second = await started(t, { disk, clock, authority: production })
  t.strictSame(second.orders, [host])
  t.equal(originOf(String(second.served.get(host))).authority, production)
  t.match(second.get(host), { state: 'live', certificate: { authority: production }, reissueAt: undefined })
  await second.publish(other)
  t.strictSame(second.orders, [host, other], 'the stored certificate of the previous authority is not used')
  await second.close()
  const third = await started(t, { disk, clock, authority: production })
  t.strictSame(third.orders, [])
})

t.test('while the new authority is unreachable, the certificate of the previous one is served', async (t) => {
  const first = await started(t, { authority: staging })
  await first.publish(host)
  await first.close()
  const { disk, clock } = first
  const second = await started(t, { disk, clock, script: { identities: () => Promise.reject(unavailable) } })
  t.match(second.get(host), { state: 'live', problem: { code: 'ca_unavailable' } })
  t.equal(originOf(String(disk.certificates.get(host))).authority, staging)
  const { reissueAt } = second.get(host) ?? {}
  await replaceForeignCertificates(second.state, second.authorities, new Date(after(HOUR)))
  t.equal(second.get(host)?.reissueAt, reissueAt, 'pending orders stay valid')
  second.script.identities = async () => []
  await second.pass(MINUTE)
  t.match(second.get(host), { state: 'live', certificate: { authority: production }, problem: undefined })
})

t.test('only orders that the authority has confirmed count', async (t) => {
  const [disk, clock] = [diskOf(domainOf(host, { state: 'verifying' })), fakeClock()]
  for (const _kill of Array(8).keys()) {
    const world = await startWorld({ disk, clock })
    world.script.issue = (_host, signal) => untilAborted(signal)
    world.worker.wake()
    await until(() => world.orders.length > 0)
    await world.close()
  }
  const world = await worldOf(t, { disk, clock })
  await world.wake()
  t.equal(world.get(host)?.state, 'live')
})

t.test('a removal can revoke the certificate, which is then never served again', async (t) => {
  const world = await liveWorld(t, host)
  const revoked: string[] = []
  world.script.revoke = async (host, _pem, reason) => void revoked.push(host, reason)
  const limits = t.capture(AbortSignal, 'timeout', AbortSignal.timeout)
  t.equal(await world.registry.remove('DOCS.shop.test', 'cessationOfOperation'), undefined)
  t.match(limits(), [{ args: [30_000] }])
  t.strictSame([revoked, world.get(host)], [[host, 'cessationOfOperation'], undefined])
  await t.rejects(world.registry.remove('none.shop.test', 'unspecified'), { code: 'domain_not_found' })
  t.notMatch(world.disk.certificates.get(host), /PRIVATE KEY/)
  await world.pass(HOUR)
  await world.registry.add(host)
  t.equal(await world.registry.remove(host, 'unspecified'), undefined, 'without a certificate, it is just removed')
  await world.publish(host)
  t.equal(outcomeOf(world), 'live 2')
})

t.test('a domain is kept while its certificate is revoked, and is live again with another key', async (t) => {
  const world = await liveWorld(t, host)
  const former = String(world.served.get(host))
  const revoked: string[] = []
  world.script.revoke = async (_host, pem) => void revoked.push(pem)
  t.match(await world.registry.revoke(host, 'keyCompromise'), { domain: host })
  t.strictSame(revoked, [withoutKey(former)])
  t.equal(world.get(host)?.unrevoked, undefined)
  await world.settle()
  t.not(world.served.get(host), former)
  t.equal(outcomeOf(world), 'live 2')
  world.script.revoke = () => Promise.reject(unavailable)
  const message = `${host} is served only with another certificate, but its certificate has not been revoked: "Down."`
  await t.rejects(world.registry.revoke(host.toUpperCase(), 'keyCompromise'), { code: 'not_revoked', message })
  await t.rejects(world.registry.revoke('none.shop.test', 'superseded'), { code: 'domain_not_found' })
})

t.test('a failed revocation is reported once the traffic has stopped, and can be retried', async (t) => {
  const world = await liveWorld(t, host)
  world.script.revoke = () => Promise.reject(unavailable)
  const message = `${host} is no longer served, but its certificate has not been revoked: "Down."`
  for (const _attempt of [1, 2]) {
    await t.rejects(world.registry.remove(host, 'keyCompromise'), { code: 'not_revoked', message })
    t.equal(world.get(host), undefined)
  }
  world.script.revoke = () => Promise.reject(new Error('EIO'))
  await t.rejects(world.registry.remove(host, 'keyCompromise'), { message: 'EIO' })
  world.script.revoke = async () => {}
  t.equal(await world.registry.remove(host, 'keyCompromise'), undefined)
})

t.test('a kept domain keeps what was given, and is revoked by a second try, after a restart too', async (t) => {
  const first = await worldOf(t)
  let world = first
  const given = { owner: 'one', target: 'one.platform.test', data: { plan: 'pro' } }
  await world.registry.add(host, { ...given, isProofRequired: true })
  await world.verify(host)
  const former = withoutKey(String(world.disk.certificates.get(host)))
  const revoked: string[] = []
  world.script.revoke = () => Promise.reject(unavailable)
  await t.rejects(world.registry.revoke(host, 'keyCompromise'), { code: 'not_revoked' })
  await world.settle()
  t.match(world.get(host), { state: 'live', ...given, proof: { token: String, provenAt: String } })
  await t.rejects(world.registry.revoke(host, 'keyCompromise'), { code: 'not_revoked' })
  world = await worldOf(t, { disk: first.disk, clock: first.clock })
  t.match(world.registry.find(host), { state: 'live', unrevoked: undefined })
  world.script.revoke = async (_host, pem) => void revoked.push(pem)
  t.match(await world.registry.revoke(host, 'keyCompromise'), { domain: host })
  t.strictSame([revoked, first.orders.length, world.orders], [[former], 2, []])
  t.equal(world.get(host)?.unrevoked, undefined)
  t.equal(world.get(host)?.state, 'live', 'with the certificate that it has got meanwhile')
  t.match(first.disk.certificates.get(host), /PRIVATE KEY/, 'and its key')
})

t.test('a certificate is renewed within the window that its authority suggests', async (t) => {
  const world = await liveWorld(t, host)
  const at = (days: number) => after(days * DAY)
  const formers: (string | undefined)[] = []
  const { issue } = world.script
  world.script.issue = (host, signal, save, former) => {
    formers.push(former)
    return issue(host, signal, save)
  }
  const suggest = (start: number, end: number) => {
    world.script.renewalWindow = async () => ({ start: at(start), end: at(end), retryAfterMs: DAY })
  }
  suggest(20, 24)
  await world.pass(2 * DAY)
  const chosen = { start: at(20), end: at(24), at: at(22) }
  t.match(world.get(host)?.certificate?.renewal, chosen)
  let queries = 0
  world.script.renewalWindow = () => Promise.reject(++queries > 0 && unavailable)
  await world.pass(2 * DAY)
  t.match(world.get(host)?.certificate?.renewal, chosen, 'it is kept while the authority is unreachable')
  t.ok(queries > 3 && queries < 8, `every six hours, ${queries} times`)
  t.match(world.registry.list().domains, [{ certificate: { renewsAt: at(22) } }])
  const former = world.served.get(host)
  await world.pass(18 * DAY - 1)
  t.equal(world.orders.length, 1)
  suggest(20, 24)
  await world.pass(1)
  t.strictSame([world.orders.length, formers], [2, [former]])
  t.equal(world.get(host)?.certificate?.renewal, undefined, 'the window was that of the previous certificate')

  suggest(1, 2)
  await world.pass(1.5 * DAY)
  t.equal(world.orders.length, 3, 'a past window means that it was revoked')
  world.script.renewalWindow = async () => undefined
  await world.pass(2 * DAY)
  t.equal(world.get(host)?.certificate?.renewal, undefined)
  world.script.renewalWindow = () => Promise.reject(new TypeError('x is undefined'))
  await world.pass(2 * DAY)
  const detail = 'an internal error, which the log describes'
  t.match(world.get(host), { state: 'live', problem: { code: 'internal_error', detail } })
})

t.test('a certificate that is revoked on the day of its issue is replaced, once by itself', async (t) => {
  const world = await liveWorld(t, host)
  const past = { start: begin.toISOString(), end: begin.toISOString(), retryAfterMs: HOUR }
  world.script.renewalWindow = async () => past
  await world.pass(HOUR)
  await world.registry.verify(host)
  await world.pass(HOUR)
  t.equal(world.orders.length, 2)
  await world.registry.verify(host)
  await world.pass(HOUR)
  t.equal(world.orders.length, 2, 'its successor is to be renewed, too, and waits a day')
  t.match(world.get(host), { state: 'live', problem: undefined })
  t.match(await world.registry.reissue(host), { state: 'verifying' }, 'users need not wait')
  await world.pass(HOUR)
  t.equal(world.orders.length, 3)
})

t.test('the authority is queried as often as it asks for, and soon after a start', async (t) => {
  const world = await liveWorld(t, host)
  let checks = 0
  world.script.renewalWindow = async () => {
    checks++
    return { start: after(60 * DAY), end: after(61 * DAY), retryAfterMs: 6 * HOUR }
  }
  await world.pass(2 * DAY)
  checks = 0
  await world.pass(DAY)
  t.ok(checks >= 4)
  await world.close()
  const restarted = await started(t, { disk: world.disk, clock: world.clock, script: world.script })
  checks = 0
  await restarted.pass(10 * MINUTE)
  t.equal(checks, 1)
})
