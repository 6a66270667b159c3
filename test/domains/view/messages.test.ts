import t from 'tap'
import type { Domain, DomainName, Problem } from '../../../domains/state/domain.ts'
import { describe, hintOf, recordFor, summaryOf } from '../../../domains/view/messages.ts'

const now = new Date('2026-11-21T10:30:45.678Z')
const after = (ms: number) => new Date(now.getTime() + ms)
const ago = (ms: number) => after(-ms).toISOString()
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const target = 'cname.platform.test'
const docs: DomainName = { host: 'docs.example.com', kind: 'subdomain', zone: 'example.com', label: 'docs' }
const apex: DomainName = { host: 'example.com', kind: 'apex', zone: 'example.com', label: '@' }

const apexNote =
  'An apex domain cannot have a CNAME record. ALIAS is called ANAME by some DNS providers, and not every provider ' +
  'has it: without it, use a subdomain.'

const cname = `at the DNS provider of example.com: type CNAME, name docs, value ${target}, TTL 3600.`
const alias = `at the DNS provider of example.com: type ALIAS, name @, value ${target}, TTL 3600.`
const patience = 'DNS changes can take up to 48 hours.'
const operator = "The platform's operator has to mend this: your DNS records can stay as they are."

const said: [problem: Problem, name: DomainName, message: string, steps: string[]][] = [
  [
    { code: 'record_missing' },
    docs,
    'There is no DNS record for docs.example.com.',
    [`Make this record ${cname}`, patience],
  ],
  [
    { code: 'record_missing' },
    apex,
    'There is no DNS record for example.com.',
    [`Make this record ${alias}`, apexNote, patience],
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
    'Other DNS records of docs.example.com are in the way.',
    [
      'Delete the A record 198.51.100.1: a CNAME cannot stand beside it.',
      'Delete the MX record 10 mail.example.com: a CNAME cannot stand beside it.',
      'A wildcard record can stay: the CNAME goes before it.',
      `Make this record, unless it is there, ${cname}`,
      patience,
    ],
  ],
  [
    { code: 'conflicting_record', found: [{ type: 'AAAA', value: '2001:db8::1' }] },
    apex,
    'Other DNS records of example.com are in the way.',
    [
      'Delete the AAAA record 2001:db8::1: it leads visitors elsewhere.',
      `Make this record, unless it is there, ${alias}`,
      apexNote,
      patience,
    ],
  ],
  [
    { code: 'cname_mismatch', found: 'pages.test', expected: target, isZoneAppended: false },
    docs,
    `The CNAME record of docs.example.com has the value pages.test: it must be exactly ${target}.`,
    [`Change the value of the CNAME record docs to ${target}.`, patience],
  ],
  [
    { code: 'cname_mismatch', found: `${target}.example.com`, expected: target, isZoneAppended: true },
    docs,
    `The CNAME record of docs.example.com has the value ${target}.example.com: it must be exactly ${target}.`,
    [
      `Change the value of the CNAME record docs to ${target}.`,
      `Your DNS provider has put example.com behind it: write a dot at its end, "${target}."`,
      patience,
    ],
  ],
  [{ code: 'target_unresolvable', target }, docs, `The platform's own name, ${target}, has no address.`, [operator]],
  [{ code: 'dns_unreachable', name: 'docs.example.com' }, docs, 'The DNS gave no answer about docs.example.com.', []],
  [
    {
      code: 'caa_blocks',
      level: 'example.com',
      found: ['0 issue "other.test"'],
      expected: 'example.com. CAA 0 issue "ca.test"',
    },
    docs,
    'The CAA records of example.com do not allow the certificate.',
    ['Today there is 0 issue "other.test".', 'Add this record: example.com. CAA 0 issue "ca.test"'],
  ],
  [
    { code: 'caa_blocks', level: 'docs.example.com', found: ['128 tbs "x"'], expected: '' },
    docs,
    'The CAA records of docs.example.com do not allow the certificate.',
    ['Delete the CAA record 128 tbs "x": it is critical, and certificate authorities do not know its tag.'],
  ],
  [
    {
      code: 'caa_blocks',
      level: target,
      found: ['0 issue "other.test"'],
      expected: `${target}. CAA 0 issue "ca.test"`,
    },
    docs,
    `The CAA records of ${target} do not allow the certificate.`,
    [operator],
  ],
  [
    { code: 'caa_unreachable', level: 'example.com' },
    docs,
    'The DNS gave no answer about the CAA records of example.com, which a certificate needs.',
    [],
  ],
  [
    { code: 'ca_unavailable', detail: 'connect ECONNREFUSED' },
    docs,
    'The certificate authority is not available: "connect ECONNREFUSED"',
    [],
  ],
  [
    { code: 'ca_cannot_connect', detail: 'Timeout during connect' },
    docs,
    'The certificate authority could not reach docs.example.com: "Timeout during connect"',
    [
      'Let requests to http://docs.example.com through to the platform, on port 80.',
      'Switch off any proxy or firewall before docs.example.com, also one of your DNS provider.',
      'Delete AAAA records of docs.example.com that lead elsewhere.',
    ],
  ],
  [
    { code: 'ca_refused', detail: 'The name is on a list.' },
    docs,
    'The certificate authority refused the order: "The name is on a list."',
    [],
  ],
  [{ code: 'certificate_expired', notAfter: ago(HOUR) }, docs, 'The certificate ended before another came.', []],
  [
    { code: 'storage_failed', detail: 'ENOSPC: no space left on device' },
    docs,
    'The platform could not save the domain or its certificate: "ENOSPC: no space left on device"',
    [operator],
  ],
]

for (const [problem, name, message, steps] of said) {
  t.test(`${problem.code} of ${name.host} says what to do, and when the next try is`, async (t) => {
    const next = 'The next try is at 2026-11-21 10:35 UTC; Re-verify tries at once.'
    const context = { name, target, now, nextTryAt: after(5 * MINUTE) }
    t.strictSame(describe(problem, context), { message, steps: [...steps, next] })
  })
}

const certificate = { issuer: 'Test CA', notBefore: ago(80 * DAY), notAfter: after(10 * DAY).toISOString() }

t.test('a rate limit says when it ends, and until when the present certificate lasts', async (t) => {
  const problem = { code: 'rate_limited', detail: 'too many certificates' } as const
  t.strictSame(describe(problem, { name: docs, target, now, nextTryAt: after(3 * HOUR), certificate }), {
    message: 'No certificate can be ordered for now: "too many certificates"',
    steps: [
      'The next try is at 2026-11-21 13:30 UTC.',
      'The certificate lasts until 2026-12-01 10:30 UTC (10 days left).',
    ],
  })
})

t.test('what is tried now, or by itself no more, is said', async (t) => {
  const problem = { code: 'dns_unreachable', name: target } as const
  const message = `The DNS gave no answer about ${target}.`
  t.strictSame(describe(problem, { name: docs, target, now, nextTryAt: now }), {
    message,
    steps: ['The next try begins now.'],
  })
  t.strictSame(describe(problem, { name: docs, target, now }), {
    message,
    steps: ['Nothing is tried by itself any more: choose Re-verify.'],
  })
})

t.test('what is left of a certificate is said in days', async (t) => {
  const lasts: [ms: number, sentence: string][] = [
    [2 * DAY, 'The certificate lasts until 2026-11-23 10:30 UTC (2 days left).'],
    [2 * DAY - 1, 'The certificate lasts until 2026-11-23 10:30 UTC (1 day left).'],
    [DAY - 1, 'The certificate lasts until 2026-11-22 10:30 UTC (less than a day left).'],
    [0, 'The certificate ended at 2026-11-21 10:30 UTC.'],
    [-DAY, 'The certificate ended at 2026-11-20 10:30 UTC.'],
  ]
  const problem = { code: 'ca_refused', detail: 'no' } as const
  for (const [ms, sentence] of lasts) {
    const dates = { ...certificate, notAfter: after(ms).toISOString() }
    const { steps } = describe(problem, { name: docs, target, now, nextTryAt: now, certificate: dates })
    t.strictSame(steps, ['The next try begins now.', sentence])
  }
})

t.test('a subdomain needs a CNAME record, an apex domain an ALIAS', async (t) => {
  t.strictSame(recordFor(docs, target), { type: 'CNAME', name: 'docs', value: target, ttl: 3600, note: '' })
  t.strictSame(recordFor(apex, target), { type: 'ALIAS', name: '@', value: target, ttl: 3600, note: apexNote })
})

const added: Domain = { name: docs, state: 'added', addedAt: ago(40 * DAY), attempts: 0, orderedAt: [] }
const trouble = { failingSince: ago(HOUR), notBefore: after(HOUR).toISOString(), attempts: 3 }
const next = 'The next try is at 2026-11-21 11:30 UTC; Re-verify tries at once.'
const lasts = 'The certificate lasts until 2026-12-01 10:30 UTC (10 days left).'
const refused = { code: 'ca_refused', detail: 'no' } as const
const isRefused = 'The certificate authority refused the order: "no"'

t.test('a summary says the state and what comes next', async (t) => {
  const summaries: [changes: Partial<Domain>, summary: string][] = [
    [{}, 'Make the DNS record, then choose Verify.'],
    [{ state: 'verifying' }, 'The DNS record is being checked.'],
    [{ state: 'verified' }, 'The DNS record is right, and a certificate comes next.'],
    [{ state: 'issuing' }, 'A certificate is being issued, usually within a couple of minutes.'],
    [{ state: 'live', certificate }, `Live, with a certificate that is renewed by itself. ${lasts}`],
    [{ state: 'failed' }, 'Not live.'],
    [{ state: 'failed', problem: refused, ...trouble }, `Not live. ${isRefused} ${next}`],
    [{ state: 'verifying', problem: refused, ...trouble }, 'The DNS record is being checked.'],
  ]
  for (const [changes, summary] of summaries) t.equal(summaryOf({ ...added, ...changes }, now), summary)
})

t.test('a live domain whose renewal fails says why and how many days are left', async (t) => {
  const domain: Domain = { ...added, state: 'live', certificate, problem: refused, ...trouble }
  t.equal(summaryOf(domain, now), `Live, but with a problem. ${isRefused} ${lasts} ${next}`)
  const given = { ...domain, failingSince: ago(31 * DAY) }
  const end = 'Nothing is tried by itself any more: choose Re-verify.'
  t.equal(summaryOf(given, now), `Live, but with a problem. ${isRefused} ${lasts} ${end}`)
})

t.test('a certificate that is absent after 30 minutes is answered with the checks', async (t) => {
  const late = 'There is no certificate after 30 minutes. Does the domain still verify?'
  const again = 'Re-verify makes a new attempt.'
  const yes = `${late} Yes. Do its CAA records allow the certificate? Yes. ${again}`
  const issuing: Domain = { ...added, state: 'issuing', waitingSince: ago(30 * MINUTE) }
  const begun = 'A certificate is being issued, usually within a couple of minutes.'
  t.equal(summaryOf(issuing, now), `${begun} ${yes}`)
  t.equal(summaryOf({ ...issuing, waitingSince: ago(30 * MINUTE - 1) }, now), begun)

  const failed: Domain = { ...issuing, state: 'failed', ...trouble }
  t.equal(summaryOf({ ...failed, problem: refused }, now), `Not live. ${isRefused} ${yes} ${next}`)
  t.equal(
    summaryOf({ ...failed, problem: { code: 'record_missing' } }, now),
    `Not live. There is no DNS record for docs.example.com. ${late} No. ${again} ${next}`,
  )
  const problem = { code: 'caa_unreachable', level: 'example.com' } as const
  t.equal(
    summaryOf({ ...failed, problem }, now),
    'Not live. The DNS gave no answer about the CAA records of example.com, which a certificate needs. ' +
      `${late} Yes. Do its CAA records allow the certificate? No. ${again} ${next}`,
  )
})

t.test('a hint says what a browser may remember', async (t) => {
  const old = 'Connection not private? The browser may hold the old state: open a private window.'
  const cached = 'Browsers remember redirects: check with a private window or "curl -I https://docs.example.com".'
  const early = 'Until the certificate is there, browsers say that the connection is not private.'
  const live: Domain = { ...added, state: 'live', certificate, liveSince: ago(HOUR - 1) }
  t.equal(hintOf(live, now), old)
  t.equal(hintOf(live, now, true), `${old} ${cached}`)
  t.equal(hintOf({ ...live, liveSince: ago(HOUR) }, now), undefined)
  t.equal(hintOf({ ...live, liveSince: ago(HOUR) }, now, true), cached)
  t.equal(hintOf({ ...added, state: 'verified' }, now), early)
  t.equal(hintOf({ ...added, state: 'issuing' }, now), early)
  t.equal(hintOf({ ...live, state: 'issuing' }, now), undefined)
  t.equal(hintOf(added, now), undefined)
})
