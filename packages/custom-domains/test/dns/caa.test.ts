import t, { type Test } from 'tap'
import { caaChecker } from '../../src/dns/caa.ts'
import { startDnsServer, type Zone } from '../fixtures/dns-server.ts'
import { neverAborted } from '../fixtures/never-aborted.ts'

const ours = 'CAA 0 issue "ca.test"'
const theirs = 'CAA 0 issue "other.test"'
const blocks = (level: string, ...found: string[]) => ({
  code: 'caa_blocks',
  level,
  found,
  expected: `${level}. CAA 0 issue "ca.test"`,
})
const theirsAt = (level: string) => blocks(level, '0 issue "other.test"')
const alias = 'CNAME cname.platform.test'
const account = 'https://ca.test/acct/'
const others = Array.from({ length: 11 }, (_, index) => `0 issue "${String.fromCharCode(97 + index)}.test"`)
const unreachable = (level: string) => ({ code: 'caa_unreachable', level })

const cases: Record<string, [zone: Zone, problem?: object | undefined]> = {
  'no record anywhere allows': [{}],
  'a record of the parent blocks': [{ 'shop.test': theirs }, theirsAt('shop.test')],
  'a record of the top-level domain blocks': [{ test: theirs }, theirsAt('test')],
  'the nearest set applies if it allows': [{ 'docs.shop.test': ours, 'shop.test': theirs }],
  'the nearest set applies if it blocks': [{ 'docs.shop.test': theirs, 'shop.test': ours }, theirsAt('docs.shop.test')],
  'a CNAME is followed to records that allow': [
    { 'docs.shop.test': alias, 'cname.platform.test': ours, 'shop.test': theirs },
  ],
  'a CNAME is followed to records that block, which are reported': [
    { 'docs.shop.test': alias, 'cname.platform.test': theirs },
    { ...theirsAt('cname.platform.test'), alias: 'docs.shop.test' },
  ],
  'the parents of an alias are ignored, those of the domain apply': [
    { 'docs.shop.test': alias, 'cname.platform.test': 'A 192.0.2.1', 'platform.test': ours, 'shop.test': theirs },
    theirsAt('shop.test'),
  ],
  'SERVFAIL blocks': [{ 'docs.shop.test': 'SERVFAIL' }, unreachable('docs.shop.test')],
  'SERVFAIL behind an alias names what fails': [
    { 'docs.shop.test': 'CNAME CNAME.platform.test', 'cname.platform.test': 'SERVFAIL' },
    unreachable('cname.platform.test'),
  ],
  'SERVFAIL of an alias itself does not': [
    { 'docs.shop.test': `CAA SERVFAIL, ${alias}` },
    unreachable('docs.shop.test'),
  ],
  'SERVFAIL of a parent blocks': [{ 'docs.shop.test': '', 'shop.test': 'SERVFAIL' }, unreachable('shop.test')],
  'SERVFAIL above the nearest set is never reached': [{ 'docs.shop.test': ours, 'shop.test': 'SERVFAIL' }],
}

/** The records of shop.test, and those among them that are reported: none, all or some. */
const sets: [behaviour: string, records: string[], blocking?: true | string[], expected?: string][] = [
  ['one of several issuers is enough', ['0 issue "x.test"', '0 issue "ca.test"']],
  ['one of several identities is enough', ['0 issue "ca-two.test"']],
  [
    'every named issuer is reported',
    ['0 issue "x.test"', '128 issue "y.test; a=b"', '0 iodef "mailto:a@shop.test"'],
    ['0 issue "x.test"', '128 issue "y.test; a=b"'],
  ],
  ['issuewild alone does not block a single name', ['0 issuewild "other.test"']],
  ['issuewild does not allow a single name', ['0 issuewild "ca.test"', '0 issue "a.test"'], ['0 issue "a.test"']],
  ['a semicolon allows no authority', ['0 issue ";"'], true],
  ['parameters and spaces are not part of the issuer', [`0 issue " ca.test ; accounturi=${account}1"`]],
  [
    'another account blocks, and the record to add names ours',
    [`0 issue "ca.test; AccountURI = ${account}2"`],
    true,
    `shop.test. CAA 0 issue "ca.test; accounturi=${account}1"`,
  ],
  ['a longer name is another issuer', ['0 issue "ca.test.shop.test"'], true],
  ['the case of tag and issuer does not matter', ['0 ISSUE "CA.Test"']],
  ['the case of a tag that blocks does not matter', ['0 Issue "other.test"'], ['0 issue "other.test"']],
  ['HTTP-01 may be among the allowed methods', ['0 issue "ca.test; validationmethods=dns-01,http-01"']],
  ['another method blocks', ['0 issue "ca.test; validationmethods=dns-01"'], true],
  [
    'an unknown critical tag blocks, whatever the issuer',
    ['0 issue "ca.test"', '128 tbs "unknown"', '0 x "y"'],
    ['128 tbs "unknown"'],
    '',
  ],
  ['known critical tags do not block', ['128 issue "ca.test"', '128 ioDEF "mailto:a@shop.test"', '128 issuemail ";"']],
  ['other tags and flags do not block', ['1 tbs "unknown"', '0 critical "x"']],
  ['ten of the records that block are reported', others, others.slice(0, 10)],
]

async function start(t: Test, zone: Zone) {
  const server = await startDnsServer(t, zone)
  const { check } = caaChecker({ servers: [server.address] })
  return {
    ...server,
    check: (host: string, identities: string[]) => check(host, { identities, account: `${account}1` }, neverAborted),
  }
}

for (const [behaviour, records, blocking, expected] of sets) {
  const found = blocking === true ? records : blocking
  const problem = found && { ...blocks('shop.test', ...found), ...(expected !== undefined && { expected }) }
  cases[behaviour] = [{ 'shop.test': records.map((record) => `CAA ${record}`).join(', '), test: theirs }, problem]
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
  const { address } = await startDnsServer(t, { 'shop.test': `CAA 0 issue "ca.test; accounturi=${account}2"` })
  const { check } = caaChecker({ servers: [address] })
  t.equal(await check('docs.shop.test', { identities: ['ca.test'] }, neverAborted), undefined)
})

t.test('CAA servers that do not respond block the order', async (t) => {
  const { address } = await startDnsServer(t, { 'docs.shop.test': 'CAA silence' })
  const { check } = caaChecker({ servers: [address], timeoutMs: 100, tries: 1 })
  t.strictSame(await check('docs.shop.test', { identities: ['ca.test'] }, neverAborted), unreachable('docs.shop.test'))
})
