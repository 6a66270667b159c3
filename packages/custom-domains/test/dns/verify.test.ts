import t, { type Test } from 'tap'
import { until } from '../../../../test/fixtures/until.ts'
import type { AuthorityOptions } from '../../src/dns/authority.ts'
import { dnsVerifier } from '../../src/dns/verify.ts'
import type { DomainName } from '../../src/state/domain.ts'
import { startDnsServer, type Zone } from '../fixtures/dns-server.ts'
import { neverAborted } from '../fixtures/never-aborted.ts'

const target = 'cname.platform.test'
const platform: Zone = { [target]: { A: ['192.0.2.1', '192.0.2.2'], AAAA: ['2001:db8::1'] } }
const docs: DomainName = { host: 'docs.shop.test', kind: 'subdomain', zone: 'shop.test', label: 'docs' }
const apex: DomainName = { host: 'shop.test', kind: 'apex', zone: 'shop.test', label: '@' }

const missing = { code: 'record_missing' }
const conflicting = (...found: [type: string, value: string][]) => ({
  code: 'conflicting_record',
  found: found.map(([type, value]) => ({ type, value })),
})
const mismatch = (found: string, isZoneAppended = false) => ({
  code: 'cname_mismatch',
  found,
  expected: target,
  isZoneAppended,
})
const unreachable = (name: string) => ({ code: 'dns_unreachable', name })

/** The data of an HTTPS or SVCB record. */
function service(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(' ', ''), 'hex')
}

async function start(t: Test, zone: Zone) {
  const server = await startDnsServer(t, { ...platform, ...zone })
  return { ...server, verify: verifierOf({ servers: [server.address] }) }
}

function verifierOf(options: AuthorityOptions) {
  const { verify } = dnsVerifier(options)
  return async (name: DomainName, target: string) => (await verify(name, target, neverAborted)).problem
}

const subdomains: Record<string, [zone: Zone, problem: object | undefined]> = {
  'the exact CNAME is right': [{ 'docs.shop.test': { CNAME: [target] } }, undefined],
  'the case of the CNAME does not matter': [{ 'docs.shop.test': { CNAME: ['CName.Platform.TEST'] } }, undefined],
  'a wildcard CNAME is right': [{ '*.shop.test': { CNAME: [target] } }, undefined],
  'a target that is a CNAME itself is right': [
    {
      'docs.shop.test': { CNAME: [target] },
      [target]: { CNAME: ['balancer.platform.test'] },
      'balancer.platform.test': { A: ['192.0.2.9'] },
    },
    undefined,
  ],
  'a target with a private address is right': [
    { 'docs.shop.test': { CNAME: [target] }, [target]: { A: ['127.0.0.1'] } },
    undefined,
  ],
  'a chain to the target is a mismatch': [
    { 'docs.shop.test': { CNAME: ['old.shop.test'] }, 'old.shop.test': { CNAME: [target] } },
    mismatch('old.shop.test'),
  ],
  'another CNAME is a mismatch': [{ 'docs.shop.test': { CNAME: ['pages.test'] } }, mismatch('pages.test')],
  'a CNAME of a name below the target is a mismatch': [
    { 'docs.shop.test': { CNAME: [`x.${target}`] } },
    mismatch(`x.${target}`),
  ],
  'a zone appended to the target is reported': [
    { 'docs.shop.test': { CNAME: [`${target}.shop.test`] } },
    mismatch(`${target}.shop.test`, true),
  ],
  'a loop is a mismatch': [
    { 'docs.shop.test': { CNAME: ['other.shop.test'] }, 'other.shop.test': { CNAME: ['docs.shop.test'] } },
    mismatch('other.shop.test'),
  ],
  'an A record blocks the CNAME': [{ 'docs.shop.test': { A: ['198.51.100.1'] } }, conflicting(['A', '198.51.100.1'])],
  'an A record blocks it even if it leads to the platform': [
    { 'docs.shop.test': { A: ['192.0.2.1'] } },
    { ...conflicting(['A', '192.0.2.1']), via: 'flattening' },
  ],
  "a proxy's addresses are recognized": [
    { 'docs.shop.test': { A: ['104.16.0.1'], AAAA: ['2606:4700::6810:1'], TXT: [['x']] } },
    { ...conflicting(['A', '104.16.0.1'], ['AAAA', '2606:4700::6810:1'], ['TXT', 'x']), via: 'proxy' },
  ],
  'a proxy beside another server is a conflict': [
    { 'docs.shop.test': { A: ['104.16.0.1', '198.51.100.1'] } },
    conflicting(['A', '104.16.0.1'], ['A', '198.51.100.1']),
  ],
  'HTTPS and SVCB records block the CNAME': [
    { 'docs.shop.test': { UNKNOWN_65: [service('0000 04 70616765 00')], UNKNOWN_64: [service('0001 00')] } },
    conflicting(['HTTPS', '0 page.'], ['SVCB', '1 .']),
  ],
  'a private address is a record like any other': [
    { 'docs.shop.test': { A: ['127.0.0.1', '169.254.169.254'] } },
    conflicting(['A', '127.0.0.1'], ['A', '169.254.169.254']),
  ],
  'an AAAA record blocks the CNAME': [
    { 'docs.shop.test': { AAAA: ['2001:db8::bad'] } },
    conflicting(['AAAA', '2001:db8::bad']),
  ],
  'a wildcard A record is a conflict': [{ '*.shop.test': { A: ['198.51.100.1'] } }, conflicting(['A', '198.51.100.1'])],
  'records beside the right CNAME are reported, without those of the target': [
    { 'docs.shop.test': { CNAME: [target], A: ['192.0.2.2', '198.51.100.1'] } },
    conflicting(['A', '198.51.100.1']),
  ],
  'MX and TXT records block the CNAME': [
    { 'docs.shop.test': { MX: [{ preference: 10, exchange: 'mail.shop.test' }], TXT: [['v=spf1 ', '-all']] } },
    conflicting(['MX', '10 mail.shop.test'], ['TXT', 'v=spf1 -all']),
  ],
  'a name with NS records is the apex of a zone of its own': [
    { 'docs.shop.test': { NS: ['ns1.shop.test'], TXT: [['x']] } },
    { ...missing, delegated: 'docs.shop.test' },
  ],
  'records that need TCP are read': [
    { 'docs.shop.test': { TXT: [['a'.repeat(250), 'b'.repeat(250), 'c'.repeat(250)]] } },
    conflicting(['TXT', 'a'.repeat(250) + 'b'.repeat(250) + 'c'.repeat(250)]),
  ],
  'a name without records is missing': [{ 'x.docs.shop.test': { A: ['198.51.100.1'] } }, missing],
  'a name that does not exist is missing': [{}, missing],
  'a record whose name got the zone twice is found': [
    { 'docs.shop.test.shop.test': { CNAME: [target] } },
    { ...missing, doubled: 'docs.shop.test.shop.test' },
  ],
  'a wildcard record is not one whose name got the zone twice': [
    { 'docs.shop.test': {}, '*.docs.shop.test': {}, '*.shop.test': { CNAME: [target] } },
    missing,
  ],
  'a record of that name that leads elsewhere is none': [
    { 'docs.shop.test.shop.test': { CNAME: ['pages.test'] } },
    missing,
  ],
  'several CNAME records are reported, even if the first one is right': [
    { 'docs.shop.test': { CNAME: [target, 'pages.test'] } },
    { ...conflicting(['CNAME', target], ['CNAME', 'pages.test']), via: 'aliases' },
  ],
  'the same CNAME record twice is right': [{ 'docs.shop.test': { CNAME: [target, target] } }, undefined],
  'a failure to look for one is ignored': [{ 'docs.shop.test.shop.test': 'SERVFAIL' }, missing],
  "a target without an address is the platform's fault": [
    { 'docs.shop.test': { CNAME: [target] }, [target]: { TXT: ['down'] } },
    { code: 'target_unresolvable', target },
  ],
  'a target that cannot be resolved is reported': [
    { 'docs.shop.test': { CNAME: [target] }, [target]: 'SERVFAIL' },
    unreachable(target),
  ],
  'a target in a loop is reported': [
    { 'docs.shop.test': { CNAME: [target] }, [target]: { CNAME: ['x.test'] }, 'x.test': { CNAME: [target] } },
    unreachable(target),
  ],
  'SERVFAIL is not a missing record': [{ 'docs.shop.test': 'SERVFAIL' }, unreachable('docs.shop.test')],
  'a response is needed for every type': [
    { 'docs.shop.test': { CNAME: [target], AAAA: 'SERVFAIL' } },
    unreachable('docs.shop.test'),
  ],
}

const apexes: Record<string, [zone: Zone, problem: object | undefined]> = {
  "all addresses of the target's are right": [
    { 'shop.test': { A: ['192.0.2.1', '192.0.2.2'], AAAA: ['2001:db8::1'], MX: [{ exchange: 'mail.shop.test' }] } },
    undefined,
  ],
  "some addresses of the target's are right": [{ 'shop.test': { A: ['192.0.2.2'] } }, undefined],
  'another address is reported': [
    { 'shop.test': { A: ['192.0.2.1', '198.51.100.1'] } },
    conflicting(['A', '198.51.100.1']),
  ],
  'a leftover AAAA record is reported': [
    { 'shop.test': { A: ['192.0.2.1'], AAAA: ['2001:db8::bad'] } },
    conflicting(['AAAA', '2001:db8::bad']),
  ],
  'a wildcard record beside an apex without addresses is no record for it': [
    { 'shop.test': { TXT: [['x']] }, '*.shop.test': { CNAME: [target] } },
    missing,
  ],
  'no address is missing': [{ 'shop.test': { MX: [{ exchange: 'mail.shop.test' }], NS: ['ns1.shop.test'] } }, missing],
  "a target without an address is not the user's fault": [
    { 'shop.test': { A: ['192.0.2.1'] }, [target]: {} },
    { code: 'target_unresolvable', target },
  ],
  'SERVFAIL is not a missing record': [{ 'shop.test': 'SERVFAIL' }, unreachable('shop.test')],
  'an HTTPS record that leads here is right': [
    {
      'shop.test': {
        A: ['192.0.2.1'],
        UNKNOWN_65: [
          service('0001 00 0001 0003 02 6832 0004 0004 c0000201'),
          service('0000 05 636e616d65 08 706c6174666f726d 04 74657374 00'),
        ],
      },
    },
    undefined,
  ],
  'HTTPS records that lead browsers elsewhere are reported': [
    {
      'shop.test': {
        A: ['192.0.2.1'],
        UNKNOWN_65: [
          service('0001 00 0001 0006 02 6832 02 6833 0006 0010 20010db8000000000000000000000bad'),
          service('0001 04 70616765 00'),
          service('0002 00 0003 0002 20fb'),
          service('0003 00 0005 0001 00 fde8 0000'),
        ],
      },
    },
    conflicting(
      ['HTTPS', '1 . alpn=h2,h3 ipv6hint=2001:db8::bad'],
      ['HTTPS', '1 page.'],
      ['HTTPS', '2 . port=8443'],
      ['HTTPS', '3 . ech=… key65000'],
    ),
  ],
  'a malformed HTTPS record, and a server that drops queries for them, are ignored': [
    { 'shop.test': { A: ['192.0.2.1'], UNKNOWN_65: [service('0001 05 70')], UNKNOWN_64: 'SERVFAIL' } },
    undefined,
  ],
  'SVCB records are of no use to browsers': [
    { 'shop.test': { A: ['192.0.2.1'], UNKNOWN_64: [service('0000 04 70616765 00')] } },
    undefined,
  ],
  "a proxy's addresses are recognized": [
    { 'shop.test': { A: ['172.67.1.1'], UNKNOWN_65: [service('0001 00 0004 0004 ac430101')] } },
    {
      ...conflicting(['A', '172.67.1.1'], ['HTTPS', '1 . ipv4hint=172.67.1.1']),
      via: 'proxy',
    },
  ],
}

for (const [name, cases] of [[docs, subdomains] as const, [apex, apexes] as const]) {
  t.test(`of ${name.kind === 'apex' ? 'an apex domain' : 'a subdomain'}`, async (t) => {
    for (const [behaviour, [zone, problem]] of Object.entries(cases)) {
      t.test(behaviour, async (t) => {
        const { verify } = await start(t, zone)
        t.strictSame(await verify(name, target), problem)
      })
    }
  })
}

t.test("a target that does not exist is the platform's fault", async (t) => {
  const { verify } = await start(t, { 'docs.shop.test': { CNAME: ['gone.platform.test'] } })
  t.strictSame(await verify(docs, 'gone.platform.test'), { code: 'target_unresolvable', target: 'gone.platform.test' })
})

t.test('a target may be written with a trailing dot', async (t) => {
  const { verify } = await start(t, { 'docs.shop.test': { CNAME: [target] } })
  t.equal(await verify(docs, `${target}.`), undefined)
})

t.test('a target with rotating addresses is right, and its earlier addresses are remembered', async (t) => {
  const { zone, verify } = await start(t, {})
  let turn = 0
  const rotating = {
    get A() {
      return [`192.0.2.${(turn++ % 4) + 1}`]
    },
  }
  zone[target] = rotating
  zone['docs.shop.test'] = { CNAME: [target] }
  zone['shop.test'] = { A: ['192.0.2.1', '192.0.2.4'] }
  t.equal(await verify(docs, target), undefined)
  t.equal(await verify(apex, target), undefined)
  zone[target] = { A: ['192.0.2.2'] }
  t.equal(await verify(apex, target), undefined, 'earlier addresses are remembered')
  zone['shop.test'] = { A: ['192.0.2.1', '198.51.100.1'] }
  t.strictSame(await verify(apex, target), conflicting(['A', '198.51.100.1']))
})

t.test('an address that the target had a day ago no longer counts', async (t) => {
  const { zone, verify } = await start(t, { [target]: { A: ['192.0.2.1'] }, 'shop.test': { A: ['192.0.2.1'] } })
  t.equal(await verify(apex, target), undefined)
  zone[target] = { A: ['192.0.2.2'] }
  const now = Date.now()
  t.intercept(Date, 'now', { value: () => now + 86_400_000 })
  t.strictSame(await verify(apex, target), conflicting(['A', '192.0.2.1']))
})

t.test('a right record takes five queries, besides the one for the zone', async (t) => {
  const { queries, verify } = await start(t, { 'docs.shop.test': { CNAME: [target] } })
  await verify(docs, target)
  t.strictSame(queries.sort(), [
    'A cname.platform.test',
    'A docs.shop.test',
    'AAAA cname.platform.test',
    'AAAA docs.shop.test',
    'CNAME docs.shop.test',
    'NS test',
  ])
})

t.test('a server that does not respond is not a missing record', async (t) => {
  const { queries, address } = await start(t, { 'docs.shop.test': 'silence' })
  const verify = verifierOf({ servers: [address], timeoutMs: 100, tries: 2 })
  t.strictSame(await verify(docs, target), unreachable('docs.shop.test'))
  const queried = () => queries.filter((query) => query === 'CNAME docs.shop.test').length
  await until(() => queried() >= 4) // a query may be read after its timeout
  t.equal(queried(), 4, 'two tries, and two without validation')
})

t.test('a server that is down is not a missing record', async (t) => {
  const verify = verifierOf({ servers: ['127.0.0.1:1'], timeoutMs: 100, tries: 1 })
  t.strictSame(await verify(docs, target), unreachable('docs.shop.test'))
})

t.test('a programming error does not count as a DNS failure', async (t) => {
  const { verify } = await start(t, { 'docs.shop.test': { CNAME: [target] } })
  await t.rejects(verify(docs, undefined as never), TypeError)
})
