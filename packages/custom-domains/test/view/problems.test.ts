import t from 'tap'
import { problems } from '../../src/problems/index.ts'
import { recordFor } from '../../src/problems/required-record.ts'
import { type CertificateDates, type DomainName, newDomain, type Problem } from '../../src/state/domain.ts'
import { problemOf } from '../../src/view/problems.ts'
import { DAY, HOUR, MINUTE } from '../fixtures/domains.ts'

const now = new Date('2026-11-21T10:30:45.678Z')
const after = (ms: number) => new Date(now.getTime() + ms)
const ago = (ms: number) => after(-ms).toISOString()

const target = 'cname.platform.test'
const docs: DomainName = { host: 'docs.example.com', kind: 'subdomain', zone: 'example.com', label: 'docs' }
const apex: DomainName = { host: 'example.com', kind: 'apex', zone: 'example.com', label: '@' }

interface Failed {
  name: DomainName
  /** Undefined once automatic retries have stopped. */
  nextTryAt?: Date
  certificate?: CertificateDates
}

function describe(problem: Problem, { name, nextTryAt = after(40 * DAY), certificate }: Failed) {
  const failed = {
    ...newDomain(name, 'added', now),
    state: 'failed' as const,
    problem,
    failingSince: now.toISOString(),
    notBefore: nextTryAt.toISOString(),
    ...(certificate && { certificate }),
  }
  const { message, steps, notes } = { ...problemOf(failed, { target, now }) }
  return { message, steps, notes }
}

const { note: apexNote } = recordFor(apex, target)
const cname = (task: string) =>
  `At the DNS provider of example.com, ${task}: type CNAME, name docs, value ${target}, TTL 3600.`
const alias = (task: string) =>
  `At the DNS provider of example.com, ${task}: type ALIAS, name @, value ${target}, TTL 3600.`
const keepZone = (zone: string) =>
  `${zone} is a zone with name servers of its own. Keep its NS records: without them, everything in it is gone.`
const patience = 'DNS changes can take up to 48 hours.'
const notYours = 'This is a failure of DNS servers, not of your records: they can stay as they are.'
const operator = "The platform's operator must fix this. Your DNS records can stay as they are."

const said: [problem: Problem, name: DomainName, message: string, steps: string[], notes?: string[]][] = [
  [
    { code: 'record_missing' },
    docs,
    'There is no DNS record for docs.example.com.',
    [cname('create this record')],
    [patience],
  ],
  [
    { code: 'record_missing', doubled: 'docs.example.com.example.com' },
    docs,
    'There is no DNS record for docs.example.com.',
    [
      'There is a record for docs.example.com.example.com: your DNS provider appended example.com to its name. Change the name to docs.',
    ],
    [patience],
  ],
  [
    { code: 'record_missing' },
    apex,
    'There is no DNS record for example.com.',
    [alias('create this record')],
    [apexNote, patience],
  ],
  [
    {
      code: 'conflicting_record',
      found: [
        { type: 'A', value: '198.51.100.1' },
        { type: 'MX', value: '10 mail.example.com' },
      ],
    },
    docs,
    'docs.example.com has conflicting DNS records.',
    [
      'Delete the A record 198.51.100.1: it cannot coexist with a CNAME record.',
      'Delete the MX record 10 mail.example.com: it cannot coexist with a CNAME record.',
      cname('create this record if it does not exist'),
    ],
    ['A wildcard record can stay: the CNAME record takes precedence.', patience],
  ],
  [
    { code: 'conflicting_record', found: [{ type: 'AAAA', value: '2001:db8::1' }] },
    apex,
    'example.com has conflicting DNS records.',
    [
      'Delete the AAAA record 2001:db8::1: it sends visitors elsewhere.',
      alias('create this record if it does not exist'),
    ],
    [apexNote, patience],
  ],
  [
    { code: 'cname_mismatch', found: 'pages.test', expected: target, isZoneAppended: false },
    docs,
    `The CNAME record of docs.example.com has the value pages.test. It must be exactly ${target}.`,
    [`Change the value of the CNAME record docs to ${target}.`],
    [patience],
  ],
  [
    { code: 'cname_mismatch', found: `${target}.example.com`, expected: target, isZoneAppended: true },
    docs,
    `The CNAME record of docs.example.com has the value ${target}.example.com. It must be exactly ${target}.`,
    [
      `Change the value of the CNAME record docs to ${target}.`,
      `Your DNS provider appended example.com to the value: end it with a dot, "${target}."`,
    ],
    [patience],
  ],
  [
    { code: 'record_missing', delegated: 'docs.example.com' },
    docs,
    'There is no DNS record for docs.example.com.',
    [`At the DNS provider of docs.example.com, create this record: type ALIAS, name @, value ${target}, TTL 3600.`],
    [keepZone('docs.example.com'), apexNote, patience],
  ],
  [
    { code: 'record_missing', delegated: 'example.com' },
    { host: 'docs.example.com', kind: 'subdomain', zone: 'com', label: 'docs.example' },
    'There is no DNS record for docs.example.com.',
    [cname('create this record')],
    [keepZone('example.com'), patience],
  ],
  [
    {
      code: 'conflicting_record',
      via: 'proxy',
      found: [
        { type: 'A', value: '104.16.0.1' },
        { type: 'HTTPS', value: '1 . alpn=h2' },
        { type: 'TXT', value: 'x' },
      ],
    },
    docs,
    'The DNS record of docs.example.com is proxied: DNS returns addresses of the proxy.',
    [
      'At the DNS provider of example.com, turn off the proxy for the record docs ("DNS only").',
      'Delete the TXT record x: it cannot coexist with a CNAME record.',
      cname('make sure that this is the record'),
    ],
    [
      'Leave the proxy off as long as the domain is published here: the record is checked daily, and before each renewal of the certificate.',
      patience,
    ],
  ],
  [
    { code: 'conflicting_record', via: 'flattening', found: [{ type: 'A', value: '192.0.2.1' }] },
    docs,
    'docs.example.com has the addresses of the platform, but not the CNAME record.',
    [
      'If docs already is a CNAME record, turn off its flattening, or its proxy, at the DNS provider of example.com.',
      'Otherwise, delete the A record 192.0.2.1.',
      cname('create this record if it does not exist'),
    ],
    ['The addresses of the platform can change. A CNAME record follows them.', patience],
  ],
  [
    { code: 'conflicting_record', found: [{ type: 'HTTPS', value: '1 . ipv4hint=198.51.100.1' }] },
    apex,
    'example.com has conflicting DNS records.',
    [
      'Delete the HTTPS record 1 . ipv4hint=198.51.100.1: browsers follow it, and it leads elsewhere.',
      alias('create this record if it does not exist'),
    ],
    [apexNote, patience],
  ],
  [
    {
      code: 'dns_unreachable',
      name: 'docs.example.com',
      refused: { zone: 'example.com', servers: ['ns1.host.test', 'ns2.host.test'] },
    },
    docs,
    'No name server of example.com serves it: queries to ns1.host.test and ns2.host.test are refused.',
    [
      'Check at the DNS provider whether the zone example.com still exists. If it was deleted, create it again.',
      'If the zone is at another DNS provider: at the registrar of example.com, replace ns1.host.test and ns2.host.test by the name servers of that provider.',
    ],
    [patience],
  ],
  [
    {
      code: 'dns_unreachable',
      name: 'docs.example.com',
      refused: { zone: 'docs.example.com', servers: ['ns1.host.test'] },
    },
    docs,
    'No name server of docs.example.com serves it: queries to ns1.host.test are refused.',
    [
      'Check at the DNS provider whether the zone docs.example.com still exists. If it was deleted, create it again.',
      'If you no longer need it, delete its NS records at the DNS provider of example.com.',
    ],
    [patience],
  ],
  [
    { code: 'target_unresolvable', target },
    docs,
    `The platform's own name, ${target}, has no address.`,
    [],
    [operator],
  ],
  [
    { code: 'dns_unreachable', name: 'docs.example.com' },
    docs,
    'The DNS lookup of docs.example.com failed.',
    [],
    [notYours],
  ],
  [
    { code: 'dnssec_broken', name: 'docs.example.com' },
    docs,
    'The DNSSEC signatures of docs.example.com are not valid, so resolvers reject its records.',
    ['Check DNSSEC for example.com: the DS record at the registrar must belong to a key of the zone, or be deleted.'],
    [patience],
  ],
  [
    { code: 'record_not_everywhere', server: 'ns2.example.com', found: [{ type: 'CNAME', value: 'pages.test' }] },
    docs,
    'The name server ns2.example.com does not have the DNS record of docs.example.com yet.',
    [],
    [
      'The other name servers of example.com have the right record; ns2.example.com returns the CNAME record pages.test.',
      'DNS providers update all their name servers within minutes. If this lasts longer, ask your DNS provider.',
    ],
  ],
  [
    {
      code: 'caa_blocks',
      level: 'example.com',
      found: ['0 issue "other.test"'],
      expected: 'example.com. CAA 0 issue "ca.test"',
    },
    docs,
    'The CAA records of example.com do not allow the certificate.',
    ['The current record is 0 issue "other.test".', 'Add this record: example.com. CAA 0 issue "ca.test"'],
  ],
  [
    { code: 'caa_blocks', level: 'docs.example.com', found: [], expected: '', detail: 'The account is another one.' },
    docs,
    'The CAA records of docs.example.com do not allow the certificate: "The account is another one.".',
    [],
  ],
  [
    { code: 'caa_blocks', level: 'docs.example.com', found: ['128 tbs "x"'], expected: '' },
    docs,
    'The CAA records of docs.example.com do not allow the certificate.',
    ['Delete the CAA record 128 tbs "x": it is marked critical, and certificate authorities do not know its tag.'],
  ],
  [
    {
      code: 'caa_blocks',
      level: 'cdn.platform.test',
      alias: 'docs.example.com',
      found: ['0 issue "other.test"'],
      expected: `${target}. CAA 0 issue "ca.test"`,
    },
    docs,
    'The CAA records of cdn.platform.test do not allow the certificate.',
    [],
    [operator],
  ],
  [
    {
      code: 'caa_blocks',
      level: 'sites.test',
      alias: 'example.com',
      found: ['0 issue "other.test"'],
      expected: 'sites.test. CAA 0 issue "ca.test"',
    },
    docs,
    'The CAA records of sites.test do not allow the certificate.',
    [
      'The current record is 0 issue "other.test".',
      'example.com is an alias of sites.test. Ask whoever manages sites.test to add this record: sites.test. CAA 0 issue "ca.test"',
    ],
  ],
  [
    { code: 'caa_blocks', level: 'sites.test', alias: 'example.com', found: ['128 tbs "x"'], expected: '' },
    apex,
    'The CAA records of sites.test do not allow the certificate.',
    [
      'The current record is 128 tbs "x".',
      'example.com is an alias of sites.test. Ask whoever manages sites.test to delete it.',
    ],
  ],
  [
    { code: 'caa_blocks', level: target, alias: 'example.com', found: ['0 issue ";"'], expected: '' },
    apex,
    `The CAA records of ${target} do not allow the certificate.`,
    [],
    [operator],
  ],
  [
    { code: 'caa_unreachable', level: 'example.com' },
    docs,
    'The DNS lookup of the CAA records of example.com failed. They must be checked first.',
    [],
    [notYours],
  ],
  [
    { code: 'ca_unavailable', detail: 'connect ECONNREFUSED' },
    docs,
    'The certificate authority is unavailable: "connect ECONNREFUSED"',
    [],
  ],
  [
    { code: 'ca_cannot_connect', detail: 'Timeout during connect' },
    docs,
    'The certificate authority could not reach docs.example.com: "Timeout during connect"',
    [
      'Allow requests to http://docs.example.com on port 80 to reach the platform.',
      "Turn off any proxy or firewall in front of docs.example.com, including your DNS provider's.",
      'Delete AAAA records of docs.example.com that point elsewhere.',
    ],
  ],
  [
    { code: 'ca_cannot_resolve', detail: 'DNSSEC: DNSKEY missing' },
    docs,
    'The certificate authority could not look up docs.example.com: "DNSSEC: DNSKEY missing"',
    [
      'Check DNSSEC for example.com: the DS record at the registrar must belong to a key of the zone, or be deleted.',
      'Make sure that every name server of example.com responds to A, AAAA and CAA queries.',
    ],
  ],
  [
    { code: 'ca_refused', detail: 'The name is on a list.' },
    docs,
    'The certificate authority refused the order: "The name is on a list."',
    [],
  ],
  [
    { code: 'ca_refused', detail: 'Terms have changed.', url: 'https://ca.test/terms' },
    docs,
    'The certificate authority refused the order: "Terms have changed." The platform\'s operator must act: https://ca.test/terms',
    [],
  ],
  [{ code: 'certificate_expired', notAfter: ago(HOUR) }, docs, 'The certificate expired before it was renewed.', []],
  [
    { code: 'storage_failed', detail: 'ENOSPC: no space left on device' },
    docs,
    'The platform could not save the domain or its certificate: "ENOSPC: no space left on device"',
    [],
    [operator],
  ],
]

t.test('each problem has its texts in this file', async (t) => {
  const elsewhere = ['rate_limited', 'record_damaged']
  const here = said.map(([{ code }]) => code)
  t.strictSame(new Set([...here, ...elsewhere]), new Set(Object.keys(problems)))
})

for (const [problem, name, message, steps, notes = []] of said) {
  t.test(`${problem.code} of ${name.host} has its steps and the time of the next retry`, async (t) => {
    const next = 'The next automatic retry is at 2026-11-21 10:36 UTC; Re-verify retries now.'
    const context = { name, nextTryAt: after(5 * MINUTE) }
    t.strictSame(describe(problem, context), { message, steps, notes: [...notes, next] })
  })
}

const certificate = { issuer: 'Test CA', notBefore: ago(80 * DAY), notAfter: after(10 * DAY).toISOString() }

t.test("a rate limit has its end, and the rest of the current certificate's validity", async (t) => {
  const problem = { code: 'rate_limited', detail: 'too many certificates' } as const
  t.strictSame(describe(problem, { name: docs, nextTryAt: after(3 * HOUR), certificate }), {
    message: 'No certificate can be ordered at the moment: "too many certificates"',
    steps: [],
    notes: [
      'The next automatic retry is at 2026-11-21 13:31 UTC.',
      'The certificate is valid until 2026-12-01 10:30 UTC (10 days left).',
    ],
  })
})

t.test('the minute shown for a retry is never in the past', async (t) => {
  const problem = { code: 'dns_unreachable', name: target } as const
  const { notes = [] } = describe(problem, { name: docs, nextTryAt: after(5000) })
  t.equal(notes.at(-1), 'The next automatic retry is at 2026-11-21 10:31 UTC; Re-verify retries now.')
})

t.test('a retry that starts now, or retries that have stopped, are announced', async (t) => {
  const problem = { code: 'dns_unreachable', name: target } as const
  const message = `The DNS lookup of ${target} failed.`
  t.strictSame(describe(problem, { name: docs, nextTryAt: now }), {
    message,
    steps: [],
    notes: [notYours, 'The next automatic retry starts now.'],
  })
  t.strictSame(describe(problem, { name: docs }), {
    message,
    steps: [],
    notes: [notYours, 'Automatic retries have stopped: choose Re-verify.'],
  })
})

t.test('the validity of a certificate is given in days', async (t) => {
  const lasts: [ms: number, sentence: string][] = [
    [2 * DAY, 'The certificate is valid until 2026-11-23 10:30 UTC (2 days left).'],
    [2 * DAY - 1, 'The certificate is valid until 2026-11-23 10:30 UTC (1 day left).'],
    [DAY - 1, 'The certificate is valid until 2026-11-22 10:30 UTC (less than a day left).'],
    [0, 'The certificate expired at 2026-11-21 10:30 UTC.'],
    [-DAY, 'The certificate expired at 2026-11-20 10:30 UTC.'],
  ]
  const problem = { code: 'ca_refused', detail: 'no' } as const
  for (const [ms, sentence] of lasts) {
    const dates = { ...certificate, notAfter: after(ms).toISOString() }
    const { notes = [] } = describe(problem, { name: docs, nextTryAt: now, certificate: dates })
    t.strictSame(notes, ['The next automatic retry starts now.', sentence])
  }
})
