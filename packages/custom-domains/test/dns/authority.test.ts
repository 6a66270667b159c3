import t, { type Test } from 'tap'
import { until } from 'test-kit/until'
import type { AuthorityOptions } from '../../src/dns/authority.ts'
import { caaChecker } from '../../src/dns/caa.ts'
import { lifetimeOf } from '../../src/dns/resolver.ts'
import { dnsVerifier, type Verification } from '../../src/dns/verify.ts'
import type { DomainName, Outdated } from '../../src/state/domain.ts'
import { serveDns, startDnsServer, type Zone } from '../fixtures/dns-server.ts'
import { type DelegationParts, startDelegation } from '../fixtures/name-server.ts'
import { neverAborted } from '../fixtures/never-aborted.ts'

const target = 'cname.platform.test'
const docs: DomainName = { host: 'docs.shop.test', kind: 'subdomain', zone: 'shop.test', label: 'docs' }
const help: DomainName = { ...docs, host: 'help.docs.shop.test', label: 'help.docs' }
const apex: DomainName = { host: 'shop.test', kind: 'apex', zone: 'shop.test', label: '@' }
const platform: Zone = { [target]: 'A 192.0.2.1' }
const leadsHere: Zone = { 'docs.shop.test': `CNAME ${target}` }
const elsewhere: Zone = { 'docs.shop.test': 'CNAME pages.test' }
const silence: Zone = { 'docs.shop.test': 'silence' }
const broken: Zone = { 'docs.shop.test': 'SERVFAIL' }

const missing = { problem: { code: 'record_missing' } }
const mismatch = { problem: { code: 'cname_mismatch', found: 'pages.test', expected: target, isZoneAppended: false } }
const right = { problem: undefined }
const unreachable = (name = 'docs.shop.test') => ({ problem: { code: 'dns_unreachable', name } })
const lacking = { outdated: { found: [] } }

async function start(t: Test, parts: DelegationParts, options: AuthorityOptions = {}) {
  const servers = await startDelegation(t, { ...parts, cached: { ...platform, ...parts.cached } })
  const { verify } = dnsVerifier({ ...servers.options, ...options })
  const controller = new AbortController()
  t.teardown(() => controller.abort()) // an abandoned query would keep the process running until its timeout
  return {
    ...servers,
    verify: (name: DomainName = docs, signal = controller.signal) => verify(name, [target], signal),
    /** Whether both servers of the zone have been queried. */
    isAsked: () => servers.one.queries.length > 0 && servers.two.queries.length > 0,
  }
}

/** The seconds until the cached record expires. */
function secondsOf({ outdated }: Verification): number {
  const { until: expiry } = outdated as Outdated & { until: string }
  return Math.round((Date.parse(expiry) - Date.now()) / 60_000) * 60
}

t.test('the time that a resolver keeps what it has is known', async (t) => {
  const unknown = await start(t, { zone: leadsHere })
  t.equal(secondsOf(await unknown.verify()), 1500, 'the least of the TTL and the minimum of the SOA record')
  const former = await start(t, { cached: elsewhere, zone: leadsHere })
  t.equal(secondsOf(await former.verify()), 1800)
  const address = await start(t, { cached: { 'shop.test': 'A 198.51.100.1' }, zone: { 'shop.test': 'A 192.0.2.1' } })
  t.equal(secondsOf(await address.verify(apex)), 1800, 'the longest, though it has no AAAA record')
  const answer = { name: 'docs.shop.test', type: 'A', ttl: 2 ** 31 - 1, data: '192.0.2.1' } as const
  t.equal(lifetimeOf({ answers: [answer], authorities: [] }), 86_400, 'a day at most')
})

const pages = [{ type: 'CNAME', value: 'pages.test' }]
const former = { outdated: { found: pages } }
const at = (server: string, found: typeof pages) => ({ outdated: { server, found } })
const bogus = ['docs.shop.test']
const dnssec = { problem: { code: 'dnssec_broken', name: 'docs.shop.test' } }
const everywhere = { cached: leadsHere, zone: leadsHere }
const isAuthoritative = true
/** Split-horizon DNS, and a cache like that of CoreDNS. */
const split = { cached: leadsHere, zone: elsewhere }
const claiming = { cached: elsewhere, zone: leadsHere, isAuthoritative }

/** Of `docs`, unless another name follows. */
const cases: [behaviour: string, parts: DelegationParts, expected: object, name?: DomainName][] = [
  ['a record that the resolver does not have yet is right', { zone: leadsHere }, lacking],
  ['a record whose previous value is cached is right', { cached: elsewhere, zone: leadsHere }, former],
  ['a record that all servers have is right', everywhere, right],
  ["a record that is wrong at the zone's servers is wrong", { cached: leadsHere, zone: elsewhere }, mismatch],
  ['a record that was deleted there is missing', { cached: leadsHere, zone: {} }, missing],
  ['a wrong record that the resolver cannot resolve is wrong', { cached: broken, zone: elsewhere }, mismatch],
  ['a right record that it cannot resolve is unreachable', { cached: broken, zone: leadsHere }, unreachable()],
  ["invalid signatures are the owner's problem", { ...everywhere, bogus }, dnssec],
  ['a wrong record with invalid signatures is wrong', { bogus, cached: leadsHere, zone: elsewhere }, mismatch],
  ['invalid signatures of the target are not', { ...everywhere, bogus: [target] }, unreachable(target)],
  ['a resolver with the record in a zone of its own decides', { ...split, isAuthoritative }, right],
  ['so does one whose zone has the record alone', { ...split, isAuthoritative: ['CNAME'] }, right],
  ['one with a cache that claims to be authoritative does not', claiming, former],
  ['a record that some servers lack is still propagating', { ...everywhere, second: {} }, at('ns2.shop.test', [])],
  ['a former value at some is, too', { zone: elsewhere, second: leadsHere }, at('ns1.shop.test', pages)],
  ['an apex is looked up', { zone: { 'shop.test': 'A 192.0.2.1' } }, lacking, apex],
  ['an apex is looked up behind an alias', { zone: { 'shop.test': `CNAME ${target}` } }, lacking, apex],
  ['an apex whose alias leads nowhere has no record', { zone: { 'shop.test': 'CNAME gone.test' } }, missing, apex],
]
for (const [behaviour, parts, expected, name] of cases)
  t.test(behaviour, async (t) => {
    const { verify, isAsked } = await start(t, parts)
    const { problem, outdated } = await verify(name)
    const { until, ...found } = { until: '', ...outdated }
    t.strictSame({ problem, outdated: outdated && found }, { problem: undefined, outdated: undefined, ...expected })
    t.ok(isAsked())
  })

t.test('of a target with many addresses, all are collected at its own servers', async (t) => {
  const addresses = { 'ns1.shop.test': 'A 127.0.0.11', 'ns2.shop.test': 'A 127.0.0.12' }
  const top: Zone = { 'shop.test': 'NS ns1.shop.test', 'platform.test': 'NS ns2.shop.test', ...addresses }
  const cached: Zone = {
    [target]: 'CNAME balancer.platform.test',
    'balancer.platform.test': 'A 192.0.2.1, A 192.0.2.2',
  }
  const { verify, one, two } = await start(t, { cached, top, zone: { 'shop.test': 'A 192.0.2.11, A 192.0.2.12' } })
  let turn = 0
  const balancer = {
    get A() {
      const last = 2 * (Math.ceil(turn++ / 2) % 6) + 2 // each pair twice in a row
      return [`192.0.2.${last - 1}`, `192.0.2.${last}`]
    },
  }
  two.zones['platform.test'] = { 'balancer.platform.test': balancer }
  t.match(await verify(apex), { problem: undefined })
  one.zones['shop.test'] = { 'shop.test': 'A 192.0.2.11, A 192.0.2.13' }
  const found = [{ type: 'A', value: '192.0.2.13' }]
  t.strictSame(await verify(apex), { problem: { code: 'conflicting_record', found } })
})

t.test('servers that do not know the zone are ignored', async (t) => {
  const { verify, one, two } = await start(t, { zone: leadsHere, second: {} })
  delete two.zones['shop.test']
  t.match(await verify(), { problem: undefined, outdated: { found: [], until: String } })
  delete one.zones['shop.test']
  t.strictSame(await verify(), missing, 'the resolver decides if all are lame')
})

t.test('the resolver decides if no server of the zone responds', async (t) => {
  const { verify, one, two, ports } = await start(t, { cached: leadsHere, zone: elsewhere })
  for (const { address } of [one, two]) ports.set(address, 1)
  t.strictSame(await verify(), right)
  const silent = await start(t, { cached: leadsHere, zone: silence }, { timeoutMs: 1_000 })
  t.strictSame(await silent.verify(), right)
  const down = await start(t, { cached: { ...leadsHere, test: 'SERVFAIL' }, zone: elsewhere })
  t.strictSame(await down.verify(), right)
})

t.test('once two unrelated top-level domains are silent, the next attempt is minutes later', async (t) => {
  const unrelated = { unrelated: 'NS a.nic.unrelated', 'a.nic.unrelated': 'A 127.0.0.10' }
  const others: Zone = { related: 'NS a.nic.test', ...unrelated }
  const { verify, top, ports } = await start(t, { cached: { ...elsewhere, ...others }, zone: leadsHere })
  const isBlockedAfter = async (...hosts: string[]) => {
    ports.set(top.address, 1)
    for (const host of hosts) t.match(await verify({ ...docs, host }), { problem: {} })
    ports.set(top.address, top.port)
    const { problem } = await verify()
    return problem !== undefined
  }
  t.equal(await isBlockedAfter('docs.shop.test', 'docs.shop.test'), false)
  t.equal(await isBlockedAfter('docs.shop.test', 'docs.shop.related'), false)
  t.equal(await isBlockedAfter('docs.shop.unrelated'), false, 'one has responded since')
  top.queries.length = 0
  t.equal(await isBlockedAfter('docs.shop.test', 'docs.shop.unrelated'), true)
  t.strictSame(top.queries, [])
  const now = performance.now()
  t.intercept(performance, 'now', { value: () => now + 590_000 })
  t.match(await verify(), mismatch, 'the resolver decides')
  t.intercept(performance, 'now', { value: () => now + 600_000 })
  t.match(await verify(), { outdated: { found: pages } })
})

t.test('name servers in another zone are looked up', async (t) => {
  const top: Zone = { 'shop.test': 'NS NS1.provider.test, NS ns2.provider.test, NS broken.provider.test' }
  const cached: Zone = {
    'ns1.provider.test': 'A 127.0.0.11',
    'ns2.provider.test': 'A 127.0.0.12, AAAA 2001:db8::12',
    'broken.provider.test': 'SERVFAIL',
  }
  const { verify, isAsked } = await start(t, { cached, top, zone: leadsHere })
  t.match(await verify(), lacking)
  t.ok(isAsked())
})

t.test('at most thirteen servers of a zone are queried', async (t) => {
  const names = Array.from({ length: 20 }, (_, index) => `NS ns${index}.provider.test`)
  const { verify, resolver } = await start(t, { top: { 'shop.test': names.join(', ') }, zone: leadsHere })
  t.strictSame(await verify(), missing)
  const queried = new Set(resolver.queries.filter((query) => query.endsWith('.provider.test')))
  t.equal(queried.size, 26, 'the A and the AAAA record of each')
})

t.test('name servers that all refuse to serve the zone are named', async (t) => {
  const { verify, one, two } = await start(t, { cached: broken, zone: leadsHere })
  delete one.zones['shop.test']
  t.strictSame(await verify(), unreachable(), 'one of them has the record, which the resolver cannot resolve')
  delete two.zones['shop.test']
  const refused = { zone: 'shop.test', servers: ['ns1.shop.test', 'ns2.shop.test'] }
  t.strictSame(await verify(), { problem: { ...unreachable().problem, refused } })
  const failing = await start(t, { cached: broken, zone: broken })
  t.strictSame(await failing.verify(), unreachable(), 'a failure is no refusal')
})

t.test('a delegated name needs its record in the zone below', async (t) => {
  const delegated = 'docs.shop.test'
  const delegating: Zone = { [delegated]: 'NS ns2.shop.test', 'ns2.shop.test': 'A 127.0.0.12' }
  const { verify, two } = await start(t, { zone: delegating })
  const mail = 'NS ns2.shop.test, MX 10 mail.shop.test'
  const records: Zone = { [delegated]: mail }
  delete two.zones['shop.test']
  two.zones[delegated] = records
  for (const name of [docs, help]) t.strictSame(await verify(name), { problem: { code: 'record_missing', delegated } })
  records[help.host] = `CNAME ${target}.${delegated}`
  t.match(await verify(help), { problem: { code: 'cname_mismatch', isZoneAppended: true, delegated } })
  records[delegated] = `${mail}, A 198.51.100.1`
  t.match(await verify(), { problem: { found: [{ type: 'A', value: '198.51.100.1' }], delegated } })
  records[delegated] = 'A 192.0.2.1'
  t.match(await verify(), { problem: undefined }, 'an ALIAS record, as at an apex')
})

t.test('a delegation within one server is found', async (t) => {
  const delegated = 'docs.shop.test'
  const { verify, one, two } = await start(t, { zone: { [delegated]: 'NS ns1.shop.test' } })
  const appended = `${target}.${delegated}`
  async function verified(zone: Zone) {
    for (const { zones } of [one, two]) zones[delegated] = zone
    return (await verify(help)).problem
  }
  const soa = { [delegated]: 'SOA ns1.shop.test' }
  t.strictSame(await verified(soa), { code: 'record_missing', delegated })
  const { problem } = mismatch
  const records = { ...soa, [help.host]: `CNAME ${appended}` }
  t.strictSame(await verified(records), { ...problem, found: appended, isZoneAppended: true, delegated })
  records[delegated] = 'SERVFAIL'
  t.strictSame(await verified(records), { ...problem, found: appended }, 'the zone is unknown')
})

t.test('addresses that a server returns for names outside its zone are ignored', async (t) => {
  const top: Zone = { 'shop.test': 'NS ns.elsewhere.example', 'ns.elsewhere.example': 'A 127.0.0.11' }
  const { verify, one } = await start(t, { top, zone: leadsHere })
  t.strictSame(await verify(), missing)
  t.strictSame(one.queries, [])
})

/** What is queried at a server of the top-level domain that responds to every query with a delegation to itself. */
async function queriesInLoop(t: Test, host: string, zoneOf: (name: string, count: number) => string) {
  let count = 0
  const { address, port, queries } = await serveDns(t, ({ name }) => ({
    authorities: [{ name: zoneOf(name, count++), type: 'NS', ttl: 60, data: 'a.nic.test' }],
    additionals: [{ name: 'a.nic.test', type: 'A', ttl: 60, data: '127.0.0.1' }],
  }))
  const cached: Zone = { test: 'NS a.nic.test', 'a.nic.test': `A ${address}`, ...platform }
  const { address: resolver } = await startDnsServer(t, cached, { isAuthoritative: false })
  const addressPolicy = () => ({ address, port })
  const { verify } = dnsVerifier({ servers: [resolver], addressPolicy, timeoutMs: 60_000 })
  t.strictSame(await verify({ ...docs, host }, [target], neverAborted), missing)
  return queries
}

t.test('delegations end, whatever a server returns', async (t) => {
  const host = 'a.b.c.d.e.f.g.h.shop.test'
  for (const zone of ['test', 'com', 'other.test', `x.${host}`])
    t.strictSame(await queriesInLoop(t, host, () => zone), [`A ${host}`], zone)
  const same = await queriesInLoop(t, host, () => 'shop.test')
  t.strictSame(same, [`A ${host}`, `A ${host}`, `CNAME ${host}`, `CNAME ${host}`])
  const labels = host.split('.')
  const deeper = await queriesInLoop(t, host, (_name, count) => labels.slice(-2 - count).join('.'))
  t.equal(deeper.length, 6)
})

t.test('name servers at addresses that are not public are never queried', async (t) => {
  const { options, top } = await startDelegation(t, { cached: { ...platform, ...leadsHere }, zone: elsewhere })
  const { verify } = dnsVerifier({ servers: options.servers })
  t.strictSame(await verify(docs, [target], neverAborted), right)
  t.strictSame(top.queries, [])
  const inside = await start(t, { cached: broken, zone: leadsHere })
  for (const { address } of [inside.one, inside.two]) inside.ports.delete(address)
  t.strictSame(await inside.verify(), unreachable())
  t.strictSame([...inside.one.queries, ...inside.two.queries], [])
})

t.test('a signal ends the wait for name servers', async (t) => {
  for (const [silent, query, part] of [
    ['top', 'A docs.shop.test', { zone: {}, top: silence }],
    ['one', 'A docs.shop.test', { zone: silence }],
    ['resolver', 'CNAME docs.shop.test', { zone: {}, cached: silence }],
  ] as const) {
    const { verify, ...servers } = await start(t, part)
    const controller = new AbortController()
    const verified = verify(docs, controller.signal)
    await until(() => servers[silent].queries.includes(query))
    controller.abort(new Error('aborted'))
    await t.rejects(verified, { message: 'aborted' })
  }
  const { verify } = await start(t, { zone: leadsHere })
  await t.rejects(verify(docs, AbortSignal.abort(new Error('aborted before'))), { message: 'aborted before' })
  t.match(await verify(), lacking, 'this does not count as a blocked network')
})

t.test('a name server has a second for each response', async (t) => {
  const { verify } = await start(t, { zone: leadsHere }, { timeoutMs: undefined } as object)
  const limits = t.capture(AbortSignal, 'timeout', AbortSignal.timeout)
  await verify()
  t.ok(limits().some(({ args: [ms] }) => ms === 1_000))
})

t.test('a programming error does not count as a failure of the name servers', async (t) => {
  const addressPolicy = () => {
    throw new TypeError('a fault')
  }
  const { verify } = await start(t, { zone: leadsHere }, { addressPolicy })
  await t.rejects(verify(), { message: 'a fault' })
})

const [ours, theirs] = ['CAA 0 issue "ca.test"', 'CAA 0 issue "other.test"']

/** What `ca.test` may issue for docs. */
async function permission(t: Test, parts: DelegationParts, signal = neverAborted) {
  const servers = await startDelegation(t, parts)
  const check = () => caaChecker(servers.options).check('docs.shop.test', { identities: ['ca.test'] }, signal)
  return { check, ...servers }
}

t.test('the servers of the zone and of its parents are queried for CAA records', async (t) => {
  const cached: Zone = { 'shop.test': theirs }
  for (const [zone, queries] of [
    [{ 'shop.test': ours }, ['A docs.shop.test']],
    [{}, ['A docs.shop.test', 'CAA test']],
  ] as [Zone, string[]][]) {
    const { check, top } = await permission(t, { cached, zone })
    t.equal(await check(), undefined)
    t.match(top.queries, queries)
  }
})

t.test('CAA records that a validating resolver rejects cannot be relied on', async (t) => {
  for (const level of ['docs.shop.test', 'test']) {
    const { check } = await permission(t, { zone: {}, bogus: [level] })
    t.strictSame(await check(), { code: 'caa_unreachable', level })
  }
})

t.test('the resolver is queried for CAA records if no server of the zone responds, or behind an alias', async (t) => {
  const cached: Zone = { 'docs.shop.test': ours, [target]: theirs }
  const lame = await permission(t, { cached, zone: { 'docs.shop.test': 'CAA SERVFAIL' } })
  t.equal(await lame.check(), undefined)
  const alias = await permission(t, { cached, zone: leadsHere })
  t.match(await alias.check(), { code: 'caa_blocks', level: target })
  const aborted = await permission(t, { cached, zone: leadsHere }, AbortSignal.abort(new Error('aborted')))
  await t.rejects(aborted.check(), { message: 'aborted' })
})
