import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import t from 'tap'
import { problems } from '../../src/problems/index.ts'
import type { Addressee } from '../../src/problems/problem.ts'
import {
  type CertificateDates,
  type DomainName,
  newDomain,
  type Problem,
  type ProblemCode,
} from '../../src/state/domain.ts'
import { problemOf } from '../../src/view/problems.ts'
import { DAY, HOUR, MINUTE } from '../fixtures/clock.ts'

const { env } = process
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

const operator = "The platform's operator must fix this. Your DNS records can stay as they are."
const authority = 'No action is needed: this ends by itself. Your DNS records can stay as they are.'

const samples: [problem: Problem, name: DomainName][] = [
  [{ code: 'record_missing' }, docs],
  [{ code: 'record_missing', doubled: 'docs.example.com.example.com' }, docs],
  [{ code: 'record_missing' }, apex],
  [
    {
      code: 'conflicting_record',
      found: [
        { type: 'A', value: '198.51.100.1' },
        { type: 'MX', value: '10 mail.example.com' },
      ],
    },
    docs,
  ],
  [{ code: 'conflicting_record', found: [{ type: 'AAAA', value: '2001:db8::1' }] }, apex],
  [{ code: 'cname_mismatch', found: 'pages.test', expected: target, isZoneAppended: false }, docs],
  [{ code: 'cname_mismatch', found: `${target}.example.com`, expected: target, isZoneAppended: true }, docs],
  [{ code: 'record_missing', delegated: 'docs.example.com' }, docs],
  [
    { code: 'record_missing', delegated: 'example.com' },
    { host: 'docs.example.com', kind: 'subdomain', zone: 'com', label: 'docs.example' },
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
  ],
  [
    {
      code: 'conflicting_record',
      via: 'aliases',
      found: [
        { type: 'CNAME', value: 'CNAME.platform.test' },
        { type: 'CNAME', value: 'pages.test' },
      ],
    },
    docs,
  ],
  [{ code: 'conflicting_record', via: 'flattening', found: [{ type: 'A', value: '192.0.2.1' }] }, docs],
  [{ code: 'conflicting_record', found: [{ type: 'HTTPS', value: '1 . ipv4hint=198.51.100.1' }] }, apex],
  [
    {
      code: 'dns_unreachable',
      name: 'docs.example.com',
      refused: { zone: 'example.com', servers: ['ns1.host.test', 'ns2.host.test'] },
    },
    docs,
  ],
  [
    {
      code: 'dns_unreachable',
      name: 'docs.example.com',
      refused: { zone: 'docs.example.com', servers: ['ns1.host.test'] },
    },
    docs,
  ],
  [{ code: 'target_unresolvable', target }, docs],
  [{ code: 'dns_unreachable', name: 'docs.example.com' }, docs],
  [{ code: 'dnssec_broken', name: 'docs.example.com' }, docs],
  [{ code: 'record_not_everywhere', server: 'ns2.example.com', found: [{ type: 'CNAME', value: 'pages.test' }] }, docs],
  [
    {
      code: 'caa_blocks',
      level: 'example.com',
      found: ['0 issue "other.test"'],
      expected: 'example.com. CAA 0 issue "ca.test"',
    },
    docs,
  ],
  [
    { code: 'caa_blocks', level: 'docs.example.com', found: [], expected: '', detail: 'The account is another one.' },
    docs,
  ],
  [{ code: 'caa_blocks', level: 'docs.example.com', found: ['128 tbs "x"'], expected: '' }, docs],
  [
    {
      code: 'caa_blocks',
      level: 'cdn.platform.test',
      alias: 'docs.example.com',
      found: ['0 issue "other.test"'],
      expected: `${target}. CAA 0 issue "ca.test"`,
    },
    docs,
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
  ],
  [{ code: 'caa_blocks', level: 'sites.test', alias: 'example.com', found: ['128 tbs "x"'], expected: '' }, apex],
  [{ code: 'caa_blocks', level: target, alias: 'example.com', found: ['0 issue ";"'], expected: '' }, apex],
  [{ code: 'caa_unreachable', level: 'example.com' }, docs],
  [{ code: 'ca_unavailable', detail: 'connect ECONNREFUSED' }, docs],
  [{ code: 'ca_cannot_connect', detail: 'Timeout during connect' }, docs],
  [{ code: 'ca_cannot_resolve', detail: 'DNSSEC: DNSKEY missing' }, docs],
  [{ code: 'ca_cannot_resolve', detail: 'SERVFAIL looking up CAA for com', failing: 'com' }, docs],
  [{ code: 'ca_cannot_resolve', detail: 'SERVFAIL looking up CAA for example.com', failing: 'example.com' }, docs],
  [{ code: 'ca_refused', detail: 'The profile "short" is unknown.' }, docs],
  [{ code: 'ca_refused', detail: 'The name is on a list.', isNameRejected: true }, docs],
  [{ code: 'rate_limited', detail: 'too many certificates' }, docs],
  [{ code: 'record_damaged', detail: 'Unexpected end of JSON input' }, docs],
  [{ code: 'dns_unreachable', name: target }, docs],
  [{ code: 'caa_unreachable', level: target }, docs],
  [{ code: 'caa_unreachable', level: 'com' }, docs],
  [{ code: 'ca_refused', detail: 'Terms have changed.', url: 'https://ca.test/terms' }, docs],
  [{ code: 'certificate_expired', notAfter: ago(HOUR) }, docs],
  [{ code: 'storage_failed', detail: 'ENOSPC: no space left on device' }, docs],
]

/** The texts of each sample, by which a reader judges a change. SNAPSHOT=1 writes them. */
const SNAPSHOT = 'packages/custom-domains/test/view/problems.txt'

function textOf([problem, name]: (typeof samples)[number]): string {
  const { message, steps = [], notes = [] } = describe(problem, { name })
  const lines = [message, ...steps.map((step) => `* ${step}`), ...notes.slice(0, -1).map((note) => `- ${note}`)]
  return `${[`${name.host} ${JSON.stringify(problem)}`, ...lines].join('\n  ')}\n`
}

t.test('the texts of all problems are those of the snapshot', async (t) => {
  const text = samples.map(textOf).join('\n')
  if (env.SNAPSHOT) await writeFile(SNAPSHOT, text)
  t.equal(text, await readFile(SNAPSHOT, 'utf8'))
})

/** Who can act, in the order of the samples. */
const addressees: Record<ProblemCode, Addressee[]> = {
  record_missing: ['user'],
  conflicting_record: ['user'],
  cname_mismatch: ['user'],
  record_not_everywhere: ['user'],
  target_unresolvable: ['operator'],
  dns_unreachable: ['user', 'operator'],
  dnssec_broken: ['user'],
  caa_blocks: ['user', 'operator'],
  caa_unreachable: ['user', 'operator', 'authority'],
  rate_limited: ['authority'],
  ca_unavailable: ['authority'],
  ca_cannot_connect: ['operator'],
  ca_cannot_resolve: ['user', 'authority'],
  ca_refused: ['operator', 'user'],
  certificate_expired: ['user'],
  storage_failed: ['operator'],
  record_damaged: ['user'],
}

t.test('each problem addresses who can act, and nobody else', async (t) => {
  const found = new Map<string, Set<Addressee>>(Object.keys(problems).map((code) => [code, new Set()]))
  for (const [problem, name] of samples) {
    const domain = { ...newDomain(name, 'added', now), state: 'failed', problem } as const
    const { addressee, message = '', steps = [], notes = [] } = { ...problemOf(domain, { target, now }) }
    const text = [message, ...steps, ...notes].join(' ')
    if (addressee) found.get(problem.code)?.add(addressee)
    t.equal(steps.length > 0, addressee === 'user', `steps: ${text}`)
    t.equal(notes.includes(operator), addressee === 'operator', text)
    t.equal(notes.includes(authority), addressee === 'authority', text)
    if (addressee === 'user') t.notMatch(text, /operator/)
    else t.notMatch(text, /your (DNS )?provider|DNS provider of|delete|change the/i)
  }
  t.strictSame(Object.fromEntries([...found].map(([code, who]) => [code, [...who]])), addressees)
  for (const [code, { addressee }] of Object.entries(problems)) {
    const among = typeof addressee === 'string' ? [addressee] : addressee.among
    t.strictSame([...among], addressees[code as ProblemCode], `${code}, as the documentation lists them`)
  }
})

t.test('a problem has a message, steps, notes, and the time of the next retry', async (t) => {
  const context = { name: docs, nextTryAt: after(5 * MINUTE) }
  const next = 'The next automatic check is at 2026-11-21 10:35:45 UTC.'
  const patience = 'DNS changes can take up to 48 hours.'
  const cname = `type CNAME, name docs, value ${target}, TTL 3600.`
  const examples: [problem: Problem, message: string, steps: string[], notes: string[]][] = [
    [
      { code: 'record_missing' },
      'There is no DNS record for docs.example.com.',
      [`At the DNS provider of example.com, create this record: ${cname}`],
      [patience],
    ],
    [
      { code: 'cname_mismatch', found: `${target}.example.com`, expected: target, isZoneAppended: true },
      `The CNAME record of docs.example.com has the value ${target}.example.com. It must be exactly ${target}.`,
      [
        `Change the value of the CNAME record docs to ${target}.`,
        `Your DNS provider appended example.com to the value: end it with a dot, "${target}."`,
      ],
      [patience],
    ],
    [
      { code: 'conflicting_record', found: [{ type: 'MX', value: '10 mail.example.com' }] },
      'docs.example.com has conflicting DNS records.',
      [
        'Delete the MX record 10 mail.example.com: it cannot coexist with a CNAME record.',
        `At the DNS provider of example.com, create this record if it does not exist: ${cname}`,
      ],
      ['A wildcard record can stay: the CNAME record takes precedence.', patience],
    ],
    [
      { code: 'caa_blocks', level: 'sites.test', alias: 'example.com', found: ['128 tbs "x"'], expected: '' },
      'The CAA records of sites.test do not allow the certificate.',
      [
        'The current record is 128 tbs "x".',
        'example.com is an alias of sites.test. Ask whoever manages sites.test to delete it.',
      ],
      [],
    ],
    [{ code: 'target_unresolvable', target }, `The platform's own name, ${target}, has no address.`, [], [operator]],
  ]
  for (const [problem, message, steps, notes] of examples)
    t.strictSame(describe(problem, context), { message, steps, notes: [...notes, next] })
})

const certificate = { issuer: 'Test CA', notBefore: ago(80 * DAY), notAfter: after(10 * DAY).toISOString() }

t.test("a rate limit has its end, and the rest of the current certificate's validity", async (t) => {
  const problem = { code: 'rate_limited', detail: 'too many certificates' } as const
  t.strictSame(describe(problem, { name: docs, nextTryAt: after(3 * HOUR), certificate }), {
    message: 'No certificate can be ordered at the moment: "too many certificates"',
    steps: [],
    notes: [
      authority,
      'The next automatic check is at 2026-11-21 13:30:45 UTC.',
      'The certificate is valid until 2026-12-01 10:30 UTC (10 days left).',
    ],
  })
})

t.test('a problem shows what DNS has in place of the record, and whether it only needs time', async (t) => {
  const found = [{ type: 'CNAME', value: 'pages.test' }]
  const cases: [problem: Problem, shown: object][] = [
    [{ code: 'record_missing' }, { found: [], isPending: true }],
    [
      { code: 'record_missing', doubled: 'docs.example.com.example.com' },
      { found: [], isPending: undefined },
    ],
    [
      { code: 'cname_mismatch', found: 'pages.test', expected: target, isZoneAppended: false },
      { found, isPending: undefined },
    ],
    [
      { code: 'record_not_everywhere', server: 'ns2.example.com', found },
      { found, isPending: true },
    ],
    [
      { code: 'dns_unreachable', name: 'docs.example.com' },
      { found: undefined, isPending: true },
    ],
    [
      { code: 'ca_refused', detail: 'no' },
      { found: undefined, isPending: undefined },
    ],
  ]
  for (const [problem, shown] of cases)
    t.match(problemOf({ ...newDomain(docs, 'added', now), problem }, { target, now }), shown)
})

t.test('a retry that starts now, or retries that have stopped, are announced', async (t) => {
  const problem = { code: 'dns_unreachable', name: target } as const
  const message = `The DNS lookup of ${target} failed.`
  t.strictSame(describe(problem, { name: docs, nextTryAt: now }), {
    message,
    steps: [],
    notes: [operator, 'The next automatic check starts now.'],
  })
  t.strictSame(describe(problem, { name: docs }), {
    message,
    steps: [],
    notes: [operator, 'Automatic retries have stopped: choose Re-verify.'],
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
  const problem: Problem = { code: 'ca_refused', detail: 'no' }
  for (const [ms, sentence] of lasts) {
    const dates = { ...certificate, notAfter: after(ms).toISOString() }
    const { notes = [] } = describe(problem, { name: docs, nextTryAt: now, certificate: dates })
    t.strictSame(notes.slice(-2), ['The next automatic check starts now.', sentence])
  }
})
