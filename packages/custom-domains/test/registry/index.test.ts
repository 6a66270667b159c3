import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { deferred } from 'test-kit/until'
import type { Update } from '../../src/registry/index.ts'
import type { Domain, RedirectStatus } from '../../src/state/domain.ts'
import { after, DAY, HOUR, SECOND } from '../fixtures/clock.ts'
import { domainsOn, full, hostsOn, storedOn } from '../fixtures/disk.ts'
import { domainOf, liveWorld, until, worldOf } from '../fixtures/domains.ts'

const host = 'docs.shop.test'
const unknown = { code: 'domain_not_found' }

t.test('what is not allowed is refused with the reason, before anything is stored', async (t) => {
  const asked: string[] = []
  let answer: boolean | string = 'plan_required'
  const { registry, disk } = await worldOf(t, {
    async allow(host, owner) {
      asked.push(owner === undefined ? host : `${host} of ${owner}`)
      return answer
    },
  })
  const { length } = disk.writes
  await t.rejects(registry.add(' DOCS.shop.test'), { code: 'not_allowed', reason: 'plan_required' })
  answer = false
  await t.rejects(registry.add(host), { code: 'not_allowed', reason: 'not_allowed' })
  await t.rejects(registry.add('not a domain'), { code: 'invalid_domain' })
  t.equal(disk.writes.length, length)
  const platform = { domain: 'orders.platform.test', cnameTarget: 'sites.platform.test' }
  t.strictSame(registry.list(), { platform, accounts: [], total: 0, count: 0, domains: [] })
  answer = true
  t.match(await registry.add('shop.test', { pair: 'to-www', owner: 'one' }), { domain: 'shop.test', state: 'added' })
  t.strictSame(asked, [host, host, 'www.shop.test of one', 'shop.test of one'])
})

t.test('an instance that does not lead shows how far the leader has come with a request', async (t) => {
  const world = await worldOf(t)
  world.worker.setLeading(false)
  await world.registry.add(host)
  await world.registry.verify(host)
  const shown = { added: 'verifying', failed: 'verifying', verified: 'verified', issuing: 'issuing' } as const
  for (const [state, expected] of Object.entries(shown)) {
    await world.state.commit(({ domains }) => domains.set(host, { ...domains.get(host), state } as Domain))
    t.equal(world.registry.list().domains[0]?.state, expected, state)
  }
})

t.test('a domain that another instance has just added is read before an operation', async (t) => {
  const { state, registry } = await worldOf(t)
  const refresh = () => state.commit(({ domains }) => domains.set(host, domainOf(host)))
  t.intercept(state, 'refresh', { value: refresh })
  const { verify, reissue, remove, revoke, redirect, update } = registry
  for (const operate of [
    verify,
    reissue,
    remove,
    (host: string) => revoke(host, 'superseded'),
    (host: string) => redirect(host, false),
    (host: string) => update(({ setData }) => setData(host, 1)),
  ]) {
    await operate(host)
    await state.commit(({ domains }) => domains.delete(host))
  }
})

t.test('names are normalized first, and a domain is added once', async (t) => {
  const { registry } = await worldOf(t)
  const [typed, domain] = ['docs.bücher.test', 'docs.xn--bcher-kva.test']
  t.match(await registry.add(' Docs.BÜCHER.test. '), { domain, displayName: typed })
  await t.rejects(registry.add(typed), { code: 'domain_exists', status: 409 })
  t.match(await registry.verify(typed), { state: 'verifying' })
  await registry.update(({ roles, setData }) => {
    roles.set('first', 'DOCS.bücher.test.')
    setData('docs.Bücher.test', 1)
  })
  t.match([registry.roleOf('first'), registry.find(typed)?.data], [domain, 1])
  const loop = { code: 'redirect_loop', status: 409, message: 'That domain redirects to this one.' }
  await t.rejects(registry.redirect(typed, 'DOCS.bücher.test.'), loop)
  t.match(await registry.redirect(typed, false), { domain })
  t.equal(await registry.remove(typed), undefined)
  t.strictSame(registry.list().domains, [])
})

t.test('a redirect is one hop, to a domain of the same owner, and ends with either of the two', async (t) => {
  const { registry } = await worldOf(t)
  for (const name of ['a.test', 'b.test', 'c.test']) await registry.add(name, { owner: 'one' })
  await registry.add('d.test', { owner: 'two' })
  const redirects = () => registry.list().domains.map(({ redirect }) => redirect?.to)
  await t.rejects(registry.redirect('b.test', 'd.test'), unknown)
  t.match(await registry.redirect('b.test', 'C.test'), { redirect: { to: 'c.test' } })
  t.match(await registry.redirect('a.test', 'b.test', 302), { redirect: { to: 'c.test', status: 302 } })
  await t.rejects(registry.redirect('c.test', 'a.test'), { code: 'redirect_loop' })
  await registry.redirect('b.test', false)
  await registry.redirect('c.test', 'b.test', 308)
  t.strictSame(redirects(), ['b.test', undefined, 'b.test', undefined], 'what led there follows')
  t.match(registry.list({ owner: 'two' }), { count: 1, domains: [{ domain: 'd.test' }] })
  for (const status of [301, 302, 307, 308] satisfies RedirectStatus[])
    t.match(await registry.redirect('a.test', 'b.test', status), { redirect: { to: 'b.test', status } })
  await t.rejects(registry.redirect('none.test', 'a.test'), unknown)
  await t.rejects(registry.redirect('none.test', false), unknown)
  await registry.remove('c.test')
  t.match(await registry.add('c.test', { owner: 'one' }), { redirect: undefined })
  await registry.remove('b.test')
  t.strictSame(redirects(), [undefined, undefined, undefined])
})

t.test('verify returns immediately, and each state on the way to live is saved', async (t) => {
  const world = await worldOf(t)
  const { registry, disk } = world
  const seen = new Set<string | undefined>()
  world.script.fault = () => seen.add(domainsOn(disk)[0]?.state)
  await registry.add(host)
  t.match(await registry.verify(host), { state: 'verifying', canVerifyAt: after(30 * SECOND) })
  await world.settle()
  world.script.fault('state')
  t.strictSame([...seen], [undefined, 'added', 'verifying', 'verified', 'issuing', 'live'])
  t.strictSame(world.orders, [host])
  const certificate = { notAfter: after(90 * DAY - HOUR), renewsAt: String }
  t.match(registry.list().domains, [{ state: 'live', liveSince: after(0), certificate }])
  t.equal(world.served.get(host), disk.certificates.get(host))
  world.clock.jump(29.5 * SECOND)
  await t.rejects(registry.verify(host), { retryAfter: 1, message: 'Try again in 1 second.' })
})

t.test('a domain that is removed during a request is unknown', async (t) => {
  const world = await worldOf(t)
  await world.registry.add(host)
  const { verify, remove, redirect } = world.registry
  t.match(await Promise.all([verify(host), remove(host)]), [{ state: 'verifying' }, undefined])
  await world.registry.add(host)
  await Promise.all([remove(host), t.rejects(verify(host), unknown)])
  await world.registry.add(host)
  await world.registry.add('old.shop.test')
  await Promise.all([remove('old.shop.test'), t.rejects(redirect('old.shop.test', host), unknown)])
  t.strictSame([...world.state.current().redirects], [])
  t.strictSame([[...world.state.current().domains.keys()], world.orders, world.lines], [[host], [], []])
})

t.test('removing ends everything, a second removal finds nothing, and adding again orders nothing', async (t) => {
  const world = await liveWorld(t, host)
  const acknowledged = deferred<void>()
  t.intercept(world.state, 'whenAcknowledged', { value: () => acknowledged.promise })
  let isRemoved = false
  const removed = world.registry.remove(host).then(() => {
    isRemoved = true
  })
  await until(() => world.get(host) === undefined)
  await setImmediate()
  t.notOk(isRemoved, 'another instance may still serve it')
  acknowledged.resolve()
  await removed
  await t.rejects(world.registry.remove(host), unknown)
  t.strictSame(world.registry.list().domains, [])
  t.match([domainsOn(world.disk), storedOn(world.disk, 'order')], [[], [{ host }]], 'its order still counts')
  await world.pass(2 * DAY)
  await world.publish(host)
  t.match(world.get(host), { state: 'live', liveSince: after(2 * DAY) })
  t.strictSame(world.orders, [host])
})

t.test('a change that a full disk rejects has no effect', async (t) => {
  const world = await worldOf(t)
  const { registry, disk } = world
  await registry.add(host)
  await registry.add('old.shop.test')
  const [before, kept] = [registry.list(), structuredClone(disk)]
  world.script.fault = full
  const reason = 'ENOSPC: no space left on device'
  const message = `Nothing was changed, because it cannot be saved: ${reason}.`
  for (const change of [
    () => registry.add('new.shop.test'),
    () => registry.verify(host),
    () => registry.reissue(host),
    () => registry.update(({ roles }) => roles.set('first', host)),
    () => registry.redirect('old.shop.test', host),
    () => registry.redirect('old.shop.test', false),
  ]) {
    await t.rejects(change() as Promise<unknown>, { code: 'not_saved', status: 503, message })
    t.strictSame([registry.list(), disk], [{ ...before, unsaved: reason }, kept])
  }
  world.script.fault = () => {}
  t.match(await registry.verify(host), { state: 'verifying' }, 'a rejected request causes no wait')
})

t.test('a removal that cannot be saved stops the traffic, and is reported as unsaved', async (t) => {
  const world = await liveWorld(t, host)
  await world.registry.add('old.shop.test')
  await world.registry.redirect('old.shop.test', host)
  await world.registry.update(({ roles }) => roles.set('first', host))
  world.script.fault = full
  await t.rejects(world.registry.remove(host), {
    code: 'not_saved',
    message: `${host} is no longer served, but its removal is not saved yet, so that a restart would undo it: ENOSPC: no space left on device.`,
  })
  await t.rejects(world.registry.verify(host), unknown, 'what is stored is not read again')
  const { domains, roles, redirects } = world.state.current()
  t.strictSame([[...domains.keys()], roles.size, redirects.size], [['old.shop.test'], 0, 0])
  world.script.fault = () => {}
  await world.registry.add('new.shop.test')
  t.strictSame(hostsOn(world.disk), ['old.shop.test', 'new.shop.test'])
})

t.test('the limit on domains holds, however many are added concurrently', async (t) => {
  const { registry } = await worldOf(t, { limit: 2 })
  const tooMany = { code: 'too_many_domains', message: 'You have reached the limit of 2 domains. Remove one first.' }
  await registry.add(host)
  const [second] = await Promise.all([registry.add('a.shop.test'), t.rejects(registry.add('b.shop.test'), tooMany)])
  t.match(second, { domain: 'a.shop.test' })
  await t.rejects(registry.add('c.shop.test'), tooMany)
  await registry.remove(host)
  t.match(await registry.add('c.shop.test'), { domain: 'c.shop.test' })
})

t.test('an update is one save, all or nothing, and again on top of what another instance has saved', async (t) => {
  const { registry, state, disk, get } = await worldOf(t)
  for (const name of ['a.test', 'b.test', 'c.test']) await registry.add(name, { owner: 'one', data: name })
  const before = structuredClone(disk)
  const failing = ({ roles, redirect }: Update) => {
    roles.set('first', 'a.test')
    redirect('b.test', 'a.test')
    throw new RangeError('no')
  }
  await t.rejects(registry.update(failing), RangeError)
  t.strictSame(disk, before)

  await registry.update(({ find, roles, redirects, redirect, setData }) => {
    t.strictSame(find('A.test'), { domain: 'a.test', owner: 'one', data: 'a.test' })
    t.equal(find('none.test'), undefined)
    roles.set('first', 'a.test')
    roles.set('second', 'b.test')
    roles.delete('second')
    t.equal(roles.get('second'), undefined)
    for (const host of ['b.test', 'c.test']) redirect(host, 'a.test', 302)
    t.equal(redirects.size, 2)
    setData('c.test', undefined)
  })
  t.equal(disk.writes.length, before.writes.length + 1)
  t.strictSame([...state.current().roles], [['first', 'a.test']])
  t.equal(get('c.test')?.data, undefined)
  await registry.remove('a.test')
  t.equal(registry.roleOf('first'), undefined, 'a role ends with its domain')
  const named = registry.update(({ roles }) => roles.set('domain', 'b.test'))
  await t.rejects(named, new TypeError('a role cannot be called domain'))
})
