import t from 'tap'
import { adoptPlatform, orderAnother } from '../../src/maintenance/startup.ts'
import type { Domain } from '../../src/state/domain.ts'
import { begin, HOUR } from '../fixtures/clock.ts'
import { diskOf, full } from '../fixtures/disk.ts'
import { domainOf, target, worldOf } from '../fixtures/domains.ts'

const { name } = domainOf('orders.platform.test')
const later = new Date(begin.getTime() + HOUR)

t.test('the platform domain comes first, is due immediately, and keeps its state across restarts', async (t) => {
  const { state, disk, registry } = await worldOf(t, { limit: 2 })
  await registry.add('docs.shop.test')
  await adoptPlatform(state, name, begin)
  const [first, second] = [...state.current().domains.values()]
  t.match(first, { name, isPlatform: true, state: 'verifying', addedAt: begin.toISOString() })
  t.equal(second?.name.host, 'docs.shop.test')
  const { length } = disk.writes
  await adoptPlatform(state, name, later)
  t.strictSame([disk.writes.length, state.current().domains.get(name.host)], [length, first])
  t.match(await registry.add('help.shop.test'), { state: 'added' }, 'it does not count towards the limit')
})

t.test('without a valid name there is no platform domain, and a previous one is dropped', async (t) => {
  const { state, disk } = await worldOf(t)
  const { length } = disk.writes
  await adoptPlatform(state, undefined, begin)
  t.equal(disk.writes.length, length)
  await adoptPlatform(state, name, begin)
  await adoptPlatform(state, undefined, begin)
  t.equal(state.current().domains.size, 0)
})

t.test('a custom domain that becomes the platform domain keeps its certificate', async (t) => {
  const { state } = await worldOf(t)
  await state.commit(({ domains }) => domains.set(name.host, domainOf(name.host, { state: 'live' })))
  await adoptPlatform(state, name, later)
  t.match(state.current().domains.get(name.host), { isPlatform: true, state: 'live', addedAt: begin.toISOString() })
})

t.test('a domain that is removed while its certificate is found broken is not ordered for', async (t) => {
  const { state } = await worldOf(t, { disk: diskOf(domainOf('docs.shop.test', { state: 'live' })) })
  const [broken] = state.current().domains.values()
  await state.commit(({ domains }) => domains.clear())
  await orderAnother(state, broken as Domain, later)
  t.equal(state.current().domains.size, 0)
})

t.test('a read-only disk does not prevent the start', async (t) => {
  const { state, script } = await worldOf(t)
  script.fault = full
  await adoptPlatform(state, name, begin)
  t.match(state.current().domains.get(name.host), { isPlatform: true })
})

t.test('the list has the certificate and the problem of the platform domain, without steps for users', async (t) => {
  const { state, worker, registry, script, settle } = await worldOf(t)
  script.dns = ({ host }) => ({ code: 'dns_unreachable', name: host })
  await adoptPlatform(state, name, begin)
  const platform = { domain: name.host, cnameTarget: target }
  t.strictSame(registry.list().platform, platform)
  worker.start(name.host)
  await settle()
  t.match(registry.list(), {
    platform: { ...platform, certificate: undefined, problem: { code: 'dns_unreachable', steps: [] } },
    domains: [],
  })
  script.dns = () => undefined
  worker.start(name.host)
  await settle()
  t.match(registry.list().platform, { problem: undefined, certificate: { renewsAt: String } })
})
