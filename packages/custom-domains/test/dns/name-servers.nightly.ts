// The checks of DNS against the name servers that serve much of it, with zones that are signed.
import t from 'tap'
import { caaChecker } from '../../src/dns/caa.ts'
import { parseName } from '../../src/dns/name.ts'
import { dnsVerifier } from '../../src/dns/verify.ts'
import type { DomainName } from '../../src/state/domain.ts'
import { neverAborted } from '../fixtures/never-aborted.ts'
import { nameServerKinds, startSignedZones } from '../fixtures/signed-zones.ts'

const target = 'cname.platform.test'
/** With others of its size, too long for UDP. */
const long = 'x'.repeat(250)

const zones = {
  'shop.test': [
    'shop.test. A 192.0.2.1',
    'shop.test. CAA 0 issue "ca.test"',
    `docs.shop.test. CNAME ${target}.`,
    `*.wild.shop.test. CNAME ${target}.`,
    `appended.shop.test. CNAME ${target}.shop.test.`,
    'mail.shop.test. MX 10 mx.shop.test.',
    'mail.shop.test. TXT "v=spf1 -all"',
    'service.shop.test. A 192.0.2.1',
    'service.shop.test. HTTPS 1 pages.shop.test. alpn=h2',
    'a.empty.shop.test. A 198.51.100.1',
    'theirs.shop.test. CAA 0 issue "other.test"',
    'theirs.shop.test. CAA 0 issue ";"',
    ...Array.from({ length: 20 }, (_, index) => `_proof.shop.test. TXT "${index}" "${long}"`),
    '_proof.shop.test. TXT "to" "ken"',
  ],
  'dev.shop.test': [`help.dev.shop.test. CNAME ${target}.`, `appended.dev.shop.test. CNAME ${target}.dev.shop.test.`],
  'blocked.test': [`docs.blocked.test. CNAME ${target}.`, 'blocked.test. CAA 0 issue "other.test"'],
  'broken.test': [`docs.broken.test. CNAME ${target}.`],
}
const addresses = ['cname.platform.test. A 192.0.2.1', 'cname.platform.test. AAAA 2001:db8::2']
const top = [...addresses, 'platform.test. CAA 0 issue "ca.test"']

const missing = { code: 'record_missing' }
const appended = (zone: string) => ({
  code: 'cname_mismatch',
  found: `${target}.${zone}`,
  expected: target,
  isZoneAppended: true,
})
const conflicting = (...found: [type: string, value: string][]) => ({
  code: 'conflicting_record',
  found: found.map(([type, value]) => ({ type, value })),
})
const right = (...hosts: string[]) => Object.fromEntries(hosts.map((host) => [host, undefined]))
const inDev = { delegated: 'dev.shop.test' }

const verifications: Record<string, object | undefined> = {
  ...right('docs.shop.test', 'DOCS.Shop.test', 'any.wild.shop.test', 'shop.test', 'help.dev.shop.test'),
  'none.shop.test': missing,
  'empty.shop.test': missing,
  'appended.shop.test': appended('shop.test'),
  'mail.shop.test': conflicting(['MX', '10 mx.shop.test'], ['TXT', 'v=spf1 -all']),
  'service.shop.test': {
    ...conflicting(['A', '192.0.2.1'], ['HTTPS', '1 pages.shop.test. alpn=h2']),
    via: 'flattening',
  },
  'none.dev.shop.test': { ...missing, ...inDev },
  'dev.shop.test': { ...missing, ...inDev },
  'appended.dev.shop.test': { ...appended('dev.shop.test'), ...inDev },
  'docs.broken.test': { code: 'dnssec_broken', name: 'docs.broken.test' },
}

const texts: [name: string, value: string, isThere: boolean][] = [
  ['_proof.shop.test', 'token', true],
  ['_proof.shop.test', `7${long}`, true],
  ['_proof.shop.test', 'other', false],
  ['_none.shop.test', 'token', false],
]

const blocks = (level: string, ...found: string[]) => ({
  code: 'caa_blocks',
  level,
  found,
  expected: `${level}. CAA 0 issue "ca.test"`,
})
const permissions: Record<string, object | undefined> = {
  ...right('docs.shop.test', 'none.wild.shop.test', 'help.dev.shop.test'),
  'x.theirs.shop.test': blocks('theirs.shop.test', '0 issue ";"', '0 issue "other.test"'),
  'docs.blocked.test': blocks('blocked.test', '0 issue "other.test"'),
  'docs.broken.test': { code: 'caa_unreachable', level: 'docs.broken.test' },
}

for (const kind of nameServerKinds) {
  t.test(`${kind}: what is verified in signed zones`, async (t) => {
    const options = await startSignedZones(t, { kind, zones, top, broken: 'broken.test' })
    const { verify, hasText } = dnsVerifier(options)
    for (const [host, problem] of Object.entries(verifications))
      t.strictSame(await verify(parseName(host, []) as DomainName, [target], neverAborted), { problem }, host)
    for (const [name, value, isThere] of texts) t.equal(await hasText(name, value, neverAborted), isThere, value)
    const { check } = caaChecker(options)
    for (const [host, problem] of Object.entries(permissions)) {
      const found = await check(host, { identities: ['ca.test'] }, neverAborted)
      if (found?.code === 'caa_blocks') found.found.sort() // servers return a set in any order
      t.strictSame(found, problem, host)
    }
  })
}
