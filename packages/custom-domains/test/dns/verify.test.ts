import t, { type Test } from 'tap'
import { until } from 'test-kit/until'
import type { AuthorityOptions } from '../../src/dns/authority.ts'
import { dnsVerifier } from '../../src/dns/verify.ts'
import type { DomainName } from '../../src/state/domain.ts'
import { startDnsServer, type Zone } from '../fixtures/dns-server.ts'
import { neverAborted } from '../fixtures/never-aborted.ts'

const target = 'cname.platform.test'
const platform: Zone = { [target]: 'A 192.0.2.1, A 192.0.2.2, AAAA 2001:db8::1' }
const docs: DomainName = { host: 'docs.shop.test', kind: 'subdomain', zone: 'shop.test', label: 'docs' }
const apex: DomainName = { host: 'shop.test', kind: 'apex', zone: 'shop.test', label: '@' }

const missing = { code: 'record_missing' }
/** @param found such as `A 198.51.100.1, AAAA 2001:db8::bad` */
const conflicting = (found: string, via?: string) => ({
  code: 'conflicting_record',
  ...(via && { via }),
  found: found.split(', ').map((record) => {
    const [, type, value] = /^(\S+) (.*)$/.exec(record) ?? []
    return { type, value }
  }),
})
const mismatch = (found: string, isZoneAppended = false) => ({
  code: 'cname_mismatch',
  found,
  expected: target,
  isZoneAppended,
})
const unreachable = (name: string) => ({ code: 'dns_unreachable', name })
const unresolvable = { code: 'target_unresolvable', target }

async function start(t: Test, zone: Zone) {
  const server = await startDnsServer(t, { ...platform, ...zone })
  return { ...server, verify: verifierOf({ servers: [server.address] }) }
}

function verifierOf(options: AuthorityOptions) {
  const { verify } = dnsVerifier(options)
  return async (name: DomainName, ...targets: [string, ...string[]]) =>
    (await verify(name, targets, neverAborted)).problem
}

/**
 * The records of the domain itself, if it exists, and those of other names. The record is right without a problem;
 * `conflicting` means that all of them conflict.
 */
type Case = [behaviour: string, records: string | undefined, problem?: object | undefined, others?: Zone]

const leadsHere = `CNAME ${target}`
const proxied = 'A 104.16.0.1, AAAA 2606:4700::6810:1, TXT x'
const long = ['a'.repeat(250), 'b'.repeat(250), 'c'.repeat(250)]
const other = 'A 198.51.100.1'
const several = `CNAME ${target}, CNAME pages.test`
const twice = 'docs.shop.test.shop.test'
const doubled = { ...missing, doubled: twice }
const wildcards: Zone = { '*.docs.shop.test': '', '*.shop.test': leadsHere }
const balancer: Zone = { [target]: 'CNAME balancer.platform.test', 'balancer.platform.test': 'A 192.0.2.9' }
const page = '04 70616765 00'
const services = `HTTPS 0000 ${page}, SVCB 0001 00`

const subdomains: Case[] = [
  ['the exact CNAME is right', leadsHere],
  ['the case of the CNAME does not matter', 'CNAME CName.Platform.TEST'],
  ['the same CNAME record twice is right', `${leadsHere}, ${leadsHere}`],
  ['a wildcard CNAME is right', undefined, undefined, { '*.shop.test': leadsHere }],
  ['a target that is a CNAME itself is right', leadsHere, undefined, balancer],
  ['a target with a private address is right', leadsHere, undefined, { [target]: 'A 127.0.0.1' }],
  ['a chain is a mismatch', 'CNAME old.shop.test', mismatch('old.shop.test'), { 'old.shop.test': leadsHere }],
  ['a CNAME of a name below the target is a mismatch', `CNAME x.${target}`, mismatch(`x.${target}`)],
  ['a zone appended to the target is reported', `CNAME ${target}.shop.test`, mismatch(`${target}.shop.test`, true)],
  ['an A record blocks it even if it leads here', 'A 192.0.2.1', conflicting('A 192.0.2.1', 'flattening')],
  ["a proxy's addresses are recognized", proxied, conflicting(proxied, 'proxy')],
  ['a proxy beside another server is a conflict', 'A 104.16.0.1, A 198.51.100.1', conflicting],
  ['HTTPS and SVCB records block the CNAME', services, conflicting('HTTPS 0 page., SVCB 1 .')],
  ['an AAAA record blocks the CNAME', 'AAAA 2001:db8::bad', conflicting],
  ['a wildcard A record is a conflict', undefined, conflicting('A 198.51.100.1'), { '*.shop.test': 'A 198.51.100.1' }],
  ["those beside the right CNAME are, but the target's", `${leadsHere}, A 192.0.2.2, ${other}`, conflicting(other)],
  ['an MX record blocks the CNAME', 'MX 10 mail.shop.test', conflicting],
  ['a TXT record blocks the CNAME', 'TXT "v=spf1 " "-all"', conflicting('TXT v=spf1 -all')],
  ['a name with NS records is the apex of a zone', 'NS ns1.shop.test, TXT x', { ...missing, delegated: docs.host }],
  ['records that need TCP are read', `TXT "${long.join('" "')}"`, conflicting(`TXT ${long.join('')}`)],
  ['a name without records is missing', undefined, missing, { 'x.docs.shop.test': 'A 198.51.100.1' }],
  ['a name that does not exist is missing', undefined, missing],
  ['a record whose name got the zone twice is found', undefined, doubled, { [twice]: leadsHere }],
  ['a wildcard is not one whose name got the zone twice', '', missing, wildcards],
  ['a record of that name that leads elsewhere is none', undefined, missing, { [twice]: 'CNAME pages.test' }],
  ['a failure to look for one is ignored', undefined, missing, { [twice]: 'SERVFAIL' }],
  ['several CNAME records are reported, even if the first one is right', several, conflicting(several, 'aliases')],
  ["a target without an address is the platform's fault", leadsHere, unresolvable, { [target]: 'TXT down' }],
  ['a target that cannot be resolved is reported', leadsHere, unreachable(target), { [target]: 'SERVFAIL' }],
  ['a target in a loop is reported', leadsHere, unreachable(target), { [target]: 'CNAME x.test', 'x.test': leadsHere }],
  ['SERVFAIL is not a missing record', 'SERVFAIL', unreachable('docs.shop.test')],
  ['a response is needed for every type', `${leadsHere}, AAAA SERVFAIL`, unreachable('docs.shop.test')],
]

const servicesHere =
  'HTTPS 0001 00 0001 0003 02 6832 0004 0004 c0000201, HTTPS 0000 05 636e616d65 08 706c6174666f726d 04 74657374 00'
const servicesElsewhere =
  `HTTPS 0001 00 0001 0006 02 6832 02 6833 0006 0010 20010db8000000000000000000000bad, HTTPS 0001 ${page}, ` +
  'HTTPS 0002 00 0003 0002 20fb, HTTPS 0003 00 0005 0001 00 fde8 0000'
const misled =
  'HTTPS 1 . alpn=h2,h3 ipv6hint=2001:db8::bad, HTTPS 1 page., HTTPS 2 . port=8443, HTTPS 3 . ech=… key65000'

const apexes: Case[] = [
  ["all addresses of the target's are right", `${platform[target]}, MX 10 mail.shop.test`],
  ["some addresses of the target's are right", 'A 192.0.2.2'],
  ['another address is reported', 'A 192.0.2.1, A 198.51.100.1', conflicting('A 198.51.100.1')],
  ['a leftover AAAA record is reported', 'A 192.0.2.1, AAAA 2001:db8::bad', conflicting('AAAA 2001:db8::bad')],
  ['a wildcard beside an apex without addresses is no record for it', 'TXT x', missing, { '*.shop.test': leadsHere }],
  ['no address is missing', 'MX 10 mail.shop.test, NS ns1.shop.test', missing],
  ['HTTPS records that lead here are right', `A 192.0.2.1, ${servicesHere}`],
  ['HTTPS records that lead browsers elsewhere are reported', `A 192.0.2.1, ${servicesElsewhere}`, conflicting(misled)],
  ['malformed HTTPS records, and dropped queries, are ignored', 'A 192.0.2.1, HTTPS 0001 05 70, SVCB SERVFAIL'],
  ["the target's own HTTPS records are right", leadsHere, undefined, { [target]: `A 192.0.2.1, HTTPS 0001 ${page}` }],
  ['SVCB records are of no use to browsers', `A 192.0.2.1, SVCB 0000 ${page}`],
  [
    "a proxy's addresses are recognized",
    'A 172.67.1.1, HTTPS 0001 00 0004 0004 ac430101',
    conflicting('A 172.67.1.1, HTTPS 1 . ipv4hint=172.67.1.1', 'proxy'),
  ],
]

for (const [name, cases] of [[docs, subdomains] as const, [apex, apexes] as const]) {
  t.test(`of ${name.kind === 'apex' ? 'an apex domain' : 'a subdomain'}`, async (t) => {
    for (const [behaviour, records, problem, others] of cases) {
      t.test(behaviour, async (t) => {
        const { verify } = await start(t, { ...(records !== undefined && { [name.host]: records }), ...others })
        const expected = typeof problem === 'function' ? conflicting(String(records)) : problem
        t.strictSame(await verify(name, target), expected)
      })
    }
  })
}

t.test("a target that does not exist is the platform's fault; one may be written with a trailing dot", async (t) => {
  const gone = 'gone.platform.test'
  const { verify, zone } = await start(t, { 'docs.shop.test': `CNAME ${gone}` })
  t.strictSame(await verify(docs, gone), { code: 'target_unresolvable', target: gone })
  zone['docs.shop.test'] = leadsHere
  t.equal(await verify(docs, `${target}.`), undefined)
})

t.test('an address that the target had a day ago no longer counts', async (t) => {
  const { zone, verify } = await start(t, { [target]: 'A 192.0.2.1', 'shop.test': 'A 192.0.2.1' })
  t.equal(await verify(apex, target), undefined)
  zone[target] = 'A 192.0.2.2'
  const now = Date.now()
  t.intercept(Date, 'now', { value: () => now + 86_000_000 })
  t.equal(await verify(apex, target), undefined)
  t.intercept(Date, 'now', { value: () => now + 86_400_000 })
  t.strictSame(await verify(apex, target), conflicting('A 192.0.2.1'))
})

t.test('a right record takes five queries, besides the one for the zone', async (t) => {
  const { queries, verify } = await start(t, { 'docs.shop.test': leadsHere })
  const limits = t.capture(AbortSignal, 'timeout', AbortSignal.timeout)
  await verify(docs, target)
  t.strictSame([...new Set(limits().map(({ args: [ms] }) => ms))].sort(), [3_000, 6_000], 'of each, and of all')
  t.strictSame(queries.sort(), [
    'A cname.platform.test',
    'A docs.shop.test',
    'AAAA cname.platform.test',
    'AAAA docs.shop.test',
    'CNAME docs.shop.test',
    'NS test',
  ])
})

t.test('a server that does not respond, or is down, is not a missing record', async (t) => {
  const { queries, address } = await start(t, { 'docs.shop.test': 'silence' })
  const verify = verifierOf({ servers: [address], timeoutMs: 100, tries: 2 })
  t.strictSame(await verify(docs, target), unreachable('docs.shop.test'))
  const queried = () => queries.filter((query) => query === 'CNAME docs.shop.test').length
  await until(() => queried() >= 4) // a query may be read after its timeout
  t.equal(queried(), 4, 'two tries, and two without validation')
  const down = verifierOf({ servers: ['127.0.0.1:1'], timeoutMs: 100, tries: 1 })
  t.strictSame(await down(docs, target), unreachable('docs.shop.test'))
})

t.test('a programming error does not count as a DNS failure', async (t) => {
  const { verify } = await start(t, { 'docs.shop.test': leadsHere })
  await t.rejects(verify(docs, undefined as never), TypeError)
})

t.test('a record that leads to any name of the platform is right', async (t) => {
  const former = 'former.platform.test'
  for (const [name, records, problem] of [
    [docs, `CNAME ${former}`, undefined],
    [docs, leadsHere, undefined],
    [docs, 'CNAME other.platform.test', mismatch('other.platform.test')],
    [apex, 'A 192.0.2.77', undefined],
  ] as const) {
    const { verify } = await start(t, { [former]: 'A 192.0.2.77', [name.host]: records })
    t.strictSame(await verify(name, target, former), problem)
  }
})

t.test('a TXT record is found by its value', async (t) => {
  const texts = 'TXT other, TXT "the-" "token"'
  const server = await startDnsServer(t, { 'proof.shop.test': texts, 'bad.shop.test': 'SERVFAIL' })
  const { hasText } = dnsVerifier({ servers: [server.address], tries: 1 })
  t.equal(await hasText('proof.shop.test', 'the-token', neverAborted), true)
  t.equal(await hasText('proof.shop.test', 'another', neverAborted), false)
  t.strictSame(await hasText('bad.shop.test', 'x', neverAborted), { code: 'dns_unreachable', name: 'bad.shop.test' })
})

t.test('what the owner of a zone has in it is bounded, and cannot control a terminal or a page', async (t) => {
  const rest = ['x', 'y', 'z'].map((letter) => `"${letter.repeat(200)}"`).join(' ')
  const many = Array.from({ length: 60 }, (_, index) => `TXT "\u001b[2J\u202e${index}" ${rest}`)
  const { verify } = await start(t, {
    'docs.shop.test': many.join(', '),
    'alias.shop.test': 'CNAME \u001b[31m.evil.test',
  })
  const problem = await verify(docs, target)
  t.equal(problem?.code, 'conflicting_record')
  t.ok(JSON.stringify(problem).length < 10_000)
  const alias = await verify({ ...docs, host: 'alias.shop.test', label: 'alias' }, target)
  t.match(alias, { code: 'cname_mismatch', found: '\ufffd[31m.evil.test' })
  t.notMatch(JSON.stringify([problem, alias]), /\\u001b|\u202e/)
})
