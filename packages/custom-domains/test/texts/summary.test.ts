import t from 'tap'
import type { Domain, DomainName } from '../../src/state/domain.ts'
import { hintOf, summaryOf } from '../../src/texts/summary.ts'
import { DAY, HOUR, MINUTE } from '../fixtures/clock.ts'

const now = new Date('2026-11-21T10:30:45.678Z')
const after = (ms: number) => new Date(now.getTime() + ms)
const ago = (ms: number) => after(-ms).toISOString()

const docs: DomainName = { host: 'docs.example.com', kind: 'subdomain', zone: 'example.com', label: 'docs' }

const certificate = { issuer: 'Test CA', notBefore: ago(80 * DAY), notAfter: after(10 * DAY).toISOString() }

const added: Domain = { name: docs, state: 'added', addedAt: ago(40 * DAY), attempts: 0 }
const trouble = { failingSince: ago(HOUR), notBefore: after(HOUR).toISOString(), attempts: 3 }
const next = 'The next automatic check is at 2026-11-21 11:30:45 UTC.'
const lasts = 'The certificate is valid until 2026-12-01 10:30 UTC (10 days left).'
const refused = { code: 'ca_refused', detail: 'no' } as const
const isRefused = 'The certificate authority refused the order: "no"'

t.test('a summary has the state and what comes next', async (t) => {
  const summaries: [changes: Partial<Domain>, summary: string][] = [
    [{}, 'Create the DNS record, then verify the domain.'],
    [{ state: 'verifying' }, 'Checking the DNS record.'],
    [{ state: 'verified' }, 'The DNS record is correct. The certificate comes next.'],
    [{ state: 'issuing' }, 'The certificate is being issued, usually within a couple of minutes.'],
    [{ state: 'live', certificate }, `Live. The certificate renews automatically. ${lasts}`],
    [{ state: 'failed' }, 'Not live.'],
    [{ state: 'failed', problem: refused, ...trouble }, `Not live. ${isRefused} ${next}`],
    [{ state: 'verifying', problem: refused, ...trouble }, 'Checking the DNS record.'],
  ]
  for (const [changes, summary] of summaries) t.equal(summaryOf({ ...added, ...changes }, now), summary)
})

t.test('a live domain whose renewal fails has the reason and the days left', async (t) => {
  const domain: Domain = { ...added, state: 'live', certificate, problem: refused, ...trouble }
  t.equal(summaryOf(domain, now), `Live, but with a problem. ${isRefused} ${lasts} ${next}`)
  const old = { ...domain, failingSince: ago(31 * DAY) }
  t.equal(summaryOf(old, now), summaryOf(domain, now), 'retries never stop')
})

t.test('after 30 minutes, an overdue certificate comes with what to check', async (t) => {
  const late = 'No certificate after 30 minutes. Does the domain still verify?'
  const again = 'Re-verify the domain to try again.'
  const yes = `${late} Yes. Do its CAA records allow the certificate? Yes. ${again}`
  const issuing: Domain = { ...added, state: 'issuing', waitingSince: ago(30 * MINUTE) }
  const begun = 'The certificate is being issued, usually within a couple of minutes.'
  t.equal(summaryOf(issuing, now), `${begun} ${yes}`)
  t.equal(summaryOf({ ...issuing, waitingSince: ago(30 * MINUTE - 1) }, now), begun)

  const failed: Domain = { ...issuing, state: 'failed', ...trouble }
  t.equal(summaryOf({ ...failed, problem: refused }, now), `Not live. ${isRefused} ${yes} ${next}`)
  const missing = `Waiting for DNS. There is no DNS record for docs.example.com. ${late} No. ${again} ${next}`
  t.equal(summaryOf({ ...failed, problem: { code: 'record_missing' } }, now), missing)
  const broken = { ...failed, problem: { code: 'dnssec_broken', name: 'docs.example.com' } as const }
  t.match(summaryOf(broken, now), `${late} No. ${again}`)
  const problem = { code: 'caa_unreachable', level: 'example.com' } as const
  t.equal(
    summaryOf({ ...failed, problem }, now),
    'Waiting for DNS. The DNS lookup of the CAA records of example.com failed. They must be checked first. ' +
      `${late} Yes. Do its CAA records allow the certificate? No. ${again} ${next}`,
  )
})

t.test('a hint mentions what a browser may have cached', async (t) => {
  const old = 'Does your browser still show an error, or the former site? Open a private window.'
  const cached =
    'Your browser may have cached a former redirect: check in a private window or with "curl -I https://docs.example.com".'
  const early =
    'Until this domain is live, browsers cannot open https://docs.example.com: Chrome shows ERR_SSL_VERSION_OR_CIPHER_MISMATCH.'
  const live: Domain = { ...added, state: 'live', certificate, liveSince: ago(HOUR - 1) }
  const redirect = { to: 'shop.test', isActive: true }
  t.equal(hintOf(live, now), old)
  t.equal(hintOf(live, now, { redirect }), `${old} ${cached}`)
  t.equal(hintOf({ ...live, liveSince: ago(HOUR) }, now), undefined)
  t.equal(hintOf({ ...live, liveSince: ago(HOUR) }, now, { redirect }), cached)
  t.equal(hintOf({ ...added, state: 'verified' }, now), early)
  const renewal = { start: now.toISOString(), end: now.toISOString(), at: now.toISOString() }
  const explained = { ...certificate, renewal: { ...renewal, explanationUrl: 'https://ca.test/why' } }
  const why = 'The certificate authority explains when it wants to renew the certificate: https://ca.test/why'
  t.equal(hintOf({ ...live, liveSince: ago(HOUR), certificate: explained }, now), why)
  t.equal(hintOf({ ...added, state: 'issuing' }, now), early)
  t.equal(hintOf({ ...live, state: 'issuing' }, now), early, 'the certificate has expired')
  t.equal(hintOf({ ...added, state: 'failed', problem: refused }, now), early)
  t.equal(hintOf({ ...added, state: 'failed', problem: { code: 'record_missing' } }, now), undefined)
  t.equal(hintOf(added, now), undefined, 'its record may lead anywhere')
})

t.test('a hint tells what is served until a redirect can begin', async (t) => {
  const live: Domain = { ...added, state: 'live', certificate, liveSince: ago(DAY) }
  const redirect = { to: 'shop.test', isActive: false }
  const begins = 'The redirect begins once shop.test is live. Until then, this domain is served itself.'
  t.equal(hintOf(live, now, { redirect }), begins)
  t.equal(hintOf(added, now, { redirect }), undefined)
  const awaited = 'Until this domain is live, the domains that redirect to it are served themselves.'
  t.equal(hintOf(added, now, { isAwaited: true }), awaited)
})

t.test('a record that is still propagating comes with a hint', async (t) => {
  const found = ['192.0.2.1', '192.0.2.2'].map((value) => ({ type: 'A', value }))
  const reaches = (time: string, what = 'no record') =>
    `Your record is there. All resolvers will see it within about ${time}; until then, some return ${what}.`
  const lacking = 'The name server ns2.example.com does not have your record yet: it returns no record.'
  const cached = (ms: number) => ({ until: after(ms).toISOString(), found: [] })
  const hints: [outdated: Domain['outdated'], hint: string | undefined][] = [
    [cached(25 * MINUTE), reaches('25 minutes')],
    [cached(1), reaches('1 second')],
    [cached(2 * HOUR), reaches('120 minutes')],
    [cached(2 * HOUR + 1), reaches('3 hours')],
    [cached(2 * DAY + 1), reaches('3 days')],
    [{ ...cached(HOUR), found }, reaches('60 minutes', 'the A record 192.0.2.1 and the A record 192.0.2.2')],
    [cached(0), undefined],
    [{ server: 'ns2.example.com', found: [] }, lacking],
    [undefined, undefined],
  ]
  const live: Domain = { ...added, state: 'live', certificate }
  for (const [outdated, hint] of hints) t.equal(hintOf({ ...live, outdated }, now), hint)
  const waiting = { ...live, outdated: cached(HOUR) }
  t.equal(hintOf({ ...waiting, problem: refused }, now), reaches('60 minutes'))
  t.equal(hintOf({ ...waiting, problem: { code: 'record_missing' } }, now), undefined, 'it has been deleted since')
})
