import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import t from 'tap'
import { problems } from '../../src/problems/index.ts'
import type { Addressee } from '../../src/problems/problem.ts'
import { type CertificateDates, type DomainName, newDomain, type Problem } from '../../src/state/domain.ts'
import { problemOf } from '../../src/texts/problems.ts'
import { DAY, HOUR, MINUTE } from '../fixtures/clock.ts'

const { env } = process
const now = new Date('2026-11-21T10:30:45.678Z')
const after = (ms: number) => new Date(now.getTime() + ms)
const ago = (ms: number) => after(-ms).toISOString()

const target = 'cname.platform.test'
const docs: DomainName = { host: 'docs.example.com', kind: 'subdomain', zone: 'example.com', label: 'docs' }
const apex: DomainName = { host: 'example.com', kind: 'apex', zone: 'example.com', label: '@' }

/** Automatic retries have stopped, unless there is a next one. */
function describe(problem: Problem, name = docs, nextTryAt = after(40 * DAY), certificate?: CertificateDates) {
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

const records = (...found: string[]) =>
  found.map((record) => ({ type: String(record.split(' ', 1)[0]), value: record.slice(record.indexOf(' ') + 1) }))
const conflicting = (found: string[], via?: 'proxy' | 'aliases' | 'flattening'): Problem => ({
  code: 'conflicting_record',
  ...(via && { via }),
  found: records(...found),
})
const elsewhere = { code: 'cname_mismatch', found: 'pages.test', expected: target, isZoneAppended: false } as const
const unreachable = { code: 'dns_unreachable', name: 'docs.example.com' } as const
const notServed = (zone: string, ...servers: string[]): Problem => ({ ...unreachable, refused: { zone, servers } })
const caa = (level: string, found: string[], expected = '', alias?: string): Problem => {
  return { code: 'caa_blocks', level, ...(alias && { alias }), found, expected }
}
const theirs = '0 issue "other.test"'
const critical = '128 tbs "x"'
const ours = (level: string) => `${level}. CAA 0 issue "ca.test"`
const pagesTest = records('CNAME pages.test')

/** Of `docs`, unless another name follows. */
const samples: [problem: Problem, name?: DomainName][] = [
  [{ code: 'record_missing' }],
  [{ code: 'record_missing', doubled: 'docs.example.com.example.com' }],
  [{ code: 'record_missing' }, apex],
  [{ code: 'proof_missing', name: '_custom-domains.docs.example.com', value: '0123456789abcdef' }],
  [conflicting(['A 198.51.100.1', 'MX 10 mail.example.com'])],
  [conflicting(['AAAA 2001:db8::1']), apex],
  [elsewhere],
  [{ ...elsewhere, found: `${target}.example.com`, isZoneAppended: true }],
  [{ code: 'record_missing', delegated: 'docs.example.com' }],
  [
    { code: 'record_missing', delegated: 'example.com' },
    { host: 'docs.example.com', kind: 'subdomain', zone: 'com', label: 'docs.example' },
  ],
  [conflicting(['A 104.16.0.1', 'HTTPS 1 . alpn=h2', 'TXT x'], 'proxy')],
  [conflicting(['CNAME CNAME.platform.test', 'CNAME pages.test'], 'aliases')],
  [conflicting(['A 192.0.2.1'], 'flattening')],
  [conflicting(['HTTPS 1 . ipv4hint=198.51.100.1']), apex],
  [notServed('example.com', 'ns1.host.test', 'ns2.host.test')],
  [notServed('docs.example.com', 'ns1.host.test')],
  [{ code: 'target_unresolvable', target }],
  [unreachable],
  [{ code: 'dnssec_broken', name: 'docs.example.com' }],
  [{ code: 'record_not_everywhere', server: 'ns2.example.com', found: pagesTest }],
  [caa('example.com', [theirs], ours('example.com'))],
  [{ code: 'caa_blocks', level: 'docs.example.com', found: [], expected: '', detail: 'The account is another one.' }],
  [caa('docs.example.com', [critical])],
  [caa('cdn.platform.test', [theirs], ours(target), 'docs.example.com')],
  [caa('sites.test', [theirs], ours('sites.test'), 'example.com')],
  [caa('sites.test', [critical], '', 'example.com'), apex],
  [caa(target, ['0 issue ";"'], '', 'example.com'), apex],
  [{ code: 'caa_unreachable', level: 'example.com' }],
  [{ code: 'ca_unavailable', detail: 'connect ECONNREFUSED' }],
  [{ code: 'ca_unavailable', detail: 'self-signed certificate in certificate chain', isMisconfigured: true }],
  [{ code: 'ca_cannot_connect', detail: 'Timeout during connect' }],
  [{ code: 'ca_cannot_resolve', detail: 'DNSSEC: DNSKEY missing' }],
  [{ code: 'ca_cannot_resolve', detail: 'SERVFAIL looking up CAA for com', failing: 'com' }],
  [{ code: 'ca_cannot_resolve', detail: 'SERVFAIL looking up CAA for example.com', failing: 'example.com' }],
  [{ code: 'ca_refused', detail: 'The profile "short" is unknown.' }],
  [{ code: 'ca_refused', detail: 'The name is on a list.', isNameRejected: true }],
  [{ code: 'rate_limited', detail: 'too many certificates' }],
  [{ code: 'record_damaged', detail: 'Unexpected end of JSON input' }],
  [{ code: 'dns_unreachable', name: target }],
  [{ code: 'caa_unreachable', level: target }],
  [{ code: 'caa_unreachable', level: 'com' }],
  [{ code: 'ca_refused', detail: 'Terms have changed.', url: 'https://ca.test/terms' }],
  [{ code: 'not_allowed', reason: 'moved_away' }],
  [{ code: 'certificate_expired', notAfter: ago(HOUR) }],
  [{ code: 'storage_failed', detail: 'ENOSPC: no space left on device' }],
  [{ code: 'internal_error', detail: 'No such key.' }],
]

/** The texts of each sample, by which a reader judges a change. SNAPSHOT=1 writes them. */
const SNAPSHOT = 'packages/custom-domains/test/texts/problems.txt'

function textOf([problem, name = docs]: (typeof samples)[number]): string {
  const { message, steps = [], notes = [] } = describe(problem, name)
  const lines = [message, ...steps.map((step) => `* ${step}`), ...notes.slice(0, -1).map((note) => `- ${note}`)]
  return `${[`${name.host} ${JSON.stringify(problem)}`, ...lines].join('\n  ')}\n`
}

t.test('the texts of all problems are those of the snapshot', async (t) => {
  const text = samples.map(textOf).join('\n')
  if (env.SNAPSHOT) await writeFile(SNAPSHOT, text)
  t.equal(text, await readFile(SNAPSHOT, 'utf8'))
})

t.test('each problem addresses who can act, and nobody else', async (t) => {
  const found = new Map<string, Set<Addressee>>(Object.keys(problems).map((code) => [code, new Set()]))
  for (const [problem, name = docs] of samples) {
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
  for (const [code, { addressee }] of Object.entries(problems)) {
    const among = typeof addressee === 'string' ? [addressee] : addressee.among
    t.strictSame([...(found.get(code) ?? [])], [...among], `${code}, as the documentation lists them`)
  }
})

const certificate = { issuer: 'Test CA', notBefore: ago(80 * DAY), notAfter: after(10 * DAY).toISOString() }

t.test('a domain that waits for its turn says when it comes', async (t) => {
  const problem = { code: 'rate_limited', detail: 'At most 300.', queue: 'https://ca.test' } as const
  const turnIn = (ms: number) => describe(problem, docs, after(ms)).notes?.at(-1)
  t.equal(turnIn(12 * MINUTE), 'It waits for its turn, which comes in about 12 minutes.')
  t.equal(turnIn(0), 'It waits for its turn, which comes now.')
})

t.test('a problem shows what DNS has in place of the record, and whether it only needs time', async (t) => {
  const cases: [problem: Problem, found: typeof pagesTest | undefined, isPending?: true][] = [
    [{ code: 'record_missing' }, [], true],
    [{ code: 'record_missing', doubled: 'docs.example.com.example.com' }, []],
    [elsewhere, pagesTest],
    [{ code: 'record_not_everywhere', server: 'ns2.example.com', found: pagesTest }, pagesTest, true],
    [unreachable, undefined, true],
    [{ code: 'ca_refused', detail: 'no' }, undefined],
  ]
  for (const [problem, found, isPending] of cases) {
    const shown = problemOf({ ...newDomain(docs, 'added', now), problem }, { target, now })
    t.match(shown, { found, isPending }, JSON.stringify(problem))
  }
  const own = newDomain(docs, 'added', now, { target: 'own.test' })
  t.match(problemOf({ ...own, problem: { code: 'record_missing' } }, { target, now })?.steps, [/value own\.test/])
})

t.test('retries that have stopped are announced', async (t) => {
  const { notes } = describe({ code: 'dns_unreachable', name: target })
  t.strictSame(notes, [operator, 'Automatic retries have stopped: re-verify the domain.'])
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
    const { notes = [] } = describe(problem, docs, now, dates)
    t.strictSame(notes.slice(-2), ['The next automatic check starts now.', sentence])
  }
})
