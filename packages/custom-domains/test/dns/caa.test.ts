import t, { type Test } from 'tap'
import { caaChecker } from '../../src/dns/caa.ts'
import { startDnsServer, type Zone } from '../fixtures/dns-server.ts'
import { neverAborted } from '../fixtures/never-aborted.ts'

const caa = (...properties: [flags: number, tag: string, value: string][]) => ({
  CAA: properties.map(([flags, tag, value]) => ({ flags, tag, value })),
})
const ours = caa([0, 'issue', 'ca.test'])
const theirs = caa([0, 'issue', 'other.test'])
const blocks = (level: string, ...found: string[]) => ({
  code: 'caa_blocks',
  level,
  found,
  expected: `${level}. CAA 0 issue "ca.test"`,
})
const theirsAt = (level: string) => blocks(level, '0 issue "other.test"')
const critical = (...found: string[]) => ({ code: 'caa_blocks', level: 'shop.test', found, expected: '' })
const unreachable = (level: string) => ({ code: 'caa_unreachable', level })

const cases: Record<string, [zone: Zone, problem: object | undefined]> = {
  'no record anywhere allows': [{}, undefined],
  'a record of the domain allows': [{ 'docs.shop.test': ours }, undefined],
  'a record of the domain blocks': [{ 'docs.shop.test': theirs }, theirsAt('docs.shop.test')],
  'a record of the parent blocks': [{ 'shop.test': theirs }, theirsAt('shop.test')],
  'a record of the top-level domain blocks': [{ test: theirs }, theirsAt('test')],
  'the nearest set applies if it allows': [{ 'docs.shop.test': ours, 'shop.test': theirs }, undefined],
  'the nearest set applies if it blocks': [{ 'docs.shop.test': theirs, 'shop.test': ours }, theirsAt('docs.shop.test')],
  'a CNAME is followed to records that allow': [
    { 'docs.shop.test': { CNAME: ['cname.platform.test'] }, 'cname.platform.test': ours, 'shop.test': theirs },
    undefined,
  ],
  'a CNAME is followed to records that block, which are reported': [
    { 'docs.shop.test': { CNAME: ['cname.platform.test'] }, 'cname.platform.test': theirs },
    { ...theirsAt('cname.platform.test'), alias: 'docs.shop.test' },
  ],
  'the parents of an alias are ignored, those of the domain apply': [
    {
      'docs.shop.test': { CNAME: ['cname.platform.test'] },
      'cname.platform.test': { A: ['192.0.2.1'] },
      'platform.test': ours,
      'shop.test': theirs,
    },
    theirsAt('shop.test'),
  ],
  'one of several issuers is enough': [
    { 'shop.test': caa([0, 'issue', 'x.test'], [0, 'issue', 'ca.test']) },
    undefined,
  ],
  'one of several identities is enough': [{ 'shop.test': caa([0, 'issue', 'ca-two.test']) }, undefined],
  'every named issuer is reported': [
    { 'shop.test': caa([0, 'issue', 'x.test'], [128, 'issue', 'y.test; a=b'], [0, 'iodef', 'mailto:a@shop.test']) },
    blocks('shop.test', '0 issue "x.test"', '128 issue "y.test; a=b"'),
  ],
  'issuewild alone does not block a single name': [
    { 'shop.test': caa([0, 'issuewild', 'other.test']), test: theirs },
    undefined,
  ],
  'issuewild does not allow a single name': [
    { 'shop.test': caa([0, 'issuewild', 'ca.test'], [0, 'issue', 'other.test']) },
    theirsAt('shop.test'),
  ],
  'a semicolon allows no authority': [{ 'shop.test': caa([0, 'issue', ';']) }, blocks('shop.test', '0 issue ";"')],
  'an empty issuer allows no authority': [{ 'shop.test': caa([0, 'issue', '']) }, blocks('shop.test', '0 issue ""')],
  'parameters and spaces are not part of the issuer': [
    { 'shop.test': caa([0, 'issue', ' ca.test ; accounturi=https://ca.test/acct/1']) },
    undefined,
  ],
  'another account blocks, and the record to add names ours': [
    { 'shop.test': caa([0, 'issue', 'ca.test; AccountURI = https://ca.test/acct/2']) },
    {
      ...blocks('shop.test', '0 issue "ca.test; AccountURI = https://ca.test/acct/2"'),
      expected: 'shop.test. CAA 0 issue "ca.test; accounturi=https://ca.test/acct/1"',
    },
  ],
  'a longer name is another issuer': [
    { 'shop.test': caa([0, 'issue', 'ca.test.shop.test']) },
    blocks('shop.test', '0 issue "ca.test.shop.test"'),
  ],
  'the case of tag and issuer does not matter': [{ 'shop.test': caa([0, 'ISSUE', 'CA.Test']) }, undefined],
  'the case of a tag that blocks does not matter': [
    { 'shop.test': caa([0, 'Issue', 'other.test']) },
    theirsAt('shop.test'),
  ],
  'HTTP-01 may be among the allowed methods': [
    { 'shop.test': caa([0, 'issue', 'ca.test; validationmethods=dns-01,http-01']) },
    undefined,
  ],
  'another method blocks': [
    { 'shop.test': caa([0, 'issue', 'ca.test; validationmethods=dns-01']) },
    blocks('shop.test', '0 issue "ca.test; validationmethods=dns-01"'),
  ],
  'an unknown critical tag blocks, whatever the issuer': [
    { 'shop.test': caa([0, 'issue', 'ca.test'], [128, 'tbs', 'unknown'], [0, 'x', 'y']) },
    critical('128 tbs "unknown"'),
  ],
  'known critical tags do not block': [
    { 'shop.test': caa([128, 'issue', 'ca.test'], [128, 'ioDEF', 'mailto:a@shop.test'], [128, 'issuemail', ';']) },
    undefined,
  ],
  'other tags and flags do not block': [{ 'shop.test': caa([1, 'tbs', 'unknown'], [0, 'critical', 'x']) }, undefined],
  'SERVFAIL blocks': [{ 'docs.shop.test': 'SERVFAIL' }, unreachable('docs.shop.test')],
  'SERVFAIL behind an alias names what fails': [
    { 'docs.shop.test': { CNAME: ['CNAME.platform.test'] }, 'cname.platform.test': 'SERVFAIL' },
    unreachable('cname.platform.test'),
  ],
  'SERVFAIL of an alias itself does not': [
    { 'docs.shop.test': { CAA: 'SERVFAIL', CNAME: ['cname.platform.test'] } },
    unreachable('docs.shop.test'),
  ],
  'SERVFAIL of a parent blocks': [{ 'docs.shop.test': {}, 'shop.test': 'SERVFAIL' }, unreachable('shop.test')],
  'SERVFAIL above the nearest set is never reached': [{ 'docs.shop.test': ours, 'shop.test': 'SERVFAIL' }, undefined],
}

async function start(t: Test, zone: Zone) {
  const server = await startDnsServer(t, zone)
  const { check } = caaChecker({ servers: [server.address] })
  return {
    ...server,
    check: (host: string, identities: string[]) =>
      check(host, { identities, account: 'https://ca.test/acct/1' }, neverAborted),
  }
}

for (const [behaviour, [zone, problem]] of Object.entries(cases)) {
  t.test(behaviour, async (t) => {
    const { check } = await start(t, zone)
    t.strictSame(await check('docs.shop.test', ['ca.test', 'CA-Two.test']), problem)
  })
}

t.test('an authority without CAA identities is not checked', async (t) => {
  const { check, queries } = await start(t, { 'docs.shop.test': theirs })
  t.equal(await check('docs.shop.test', []), undefined)
  t.strictSame(queries, [])
})

t.test('without an account, no record counts as naming another one', async (t) => {
  const bound = caa([0, 'issue', 'ca.test; accounturi=https://ca.test/acct/2'])
  const { address } = await startDnsServer(t, { 'shop.test': bound })
  const { check } = caaChecker({ servers: [address] })
  t.equal(await check('docs.shop.test', { identities: ['ca.test'] }, neverAborted), undefined)
})

t.test('CAA servers that do not respond block the order', async (t) => {
  const { address } = await startDnsServer(t, { 'docs.shop.test': { CAA: 'silence' } })
  const { check } = caaChecker({ servers: [address], timeoutMs: 100, tries: 1 })
  t.strictSame(await check('docs.shop.test', { identities: ['ca.test'] }, neverAborted), unreachable('docs.shop.test'))
})
