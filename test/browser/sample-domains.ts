// A domain in every state that the page "Project settings / Domains" shows.
import { apexNote, type Domain, domainOf } from './fake-dashboard.ts'

const certificate = {
  issuer: "Let's Encrypt R11",
  notBefore: '2026-10-01T08:00:00Z',
  notAfter: '2026-12-30T08:00:00Z',
  renewsAt: '2026-11-30T08:00:00Z',
}
const ordered = { ...certificate, authority: 'https://acme-v02.api.letsencrypt.org/directory' }
const settled = { state: 'live', liveSince: '2026-10-01T08:00:00Z', certificate } as const

export function sampleDomains(): Domain[] {
  const at = new Date(Date.now() + 30 * 60_000).toISOString().slice(0, 16).replace('T', ' ')
  const next = `The next automatic check is at ${at} UTC.`
  const notes = ['DNS changes can take up to 48 hours.', next]
  const inDns = { about: 'dns' as const, addressee: 'user' as const, notes }
  return [
    domainOf('docs.example.com', {
      ...settled,
      certificate: ordered,
      isPrimary: true,
      summary: 'Live. The certificate renews automatically.',
    }),
    domainOf('old.example.com', {
      ...settled,
      redirect: { to: 'docs.example.com', status: 301, isActive: true },
      summary: 'Live. Visitors are redirected to the primary domain.',
    }),
    domainOf('help.example.com', {
      state: 'failed',
      summary: `Not live. help.example.com has conflicting DNS records. ${next}`,
      canVerifyAt: new Date(Date.now() + 28_000).toISOString(),
      problem: {
        ...inDns,
        code: 'conflicting_record',
        found: [{ type: 'A', value: '198.51.100.1' }],
        message: 'help.example.com has conflicting DNS records.',
        steps: [
          'Delete the A record 198.51.100.1: it cannot coexist with a CNAME record.',
          'At the DNS provider of example.com, create this record if it does not exist: type CNAME, name help, value cname.store.example, TTL 3600.',
        ],
      },
    }),
    domainOf('waiting.example.com', {
      state: 'failed',
      summary: `Waiting for DNS. There is no DNS record for waiting.example.com. ${next}`,
      problem: {
        ...inDns,
        code: 'record_missing',
        isPending: true,
        found: [],
        message: 'There is no DNS record for waiting.example.com.',
        steps: [
          'At the DNS provider of example.com, create this record: type CNAME, name waiting, value cname.store.example, TTL 3600.',
        ],
      },
    }),
    domainOf('xn--bcher-kva.example', {
      displayName: 'bücher.example',
      kind: 'apex',
      summary: 'Create the DNS record below, then choose Verify.',
      record: { type: 'ALIAS', name: '@', value: 'cname.store.example', ttl: 3600, note: apexNote },
    }),
    domainOf('api-reference.documentation.example.org', {
      state: 'issuing',
      summary: 'The certificate is being issued, usually within a couple of minutes.',
    }),
    domainOf('new.example.com', {
      state: 'live',
      liveSince: new Date().toISOString(),
      summary: 'Live. The certificate renews automatically.',
      certificate,
      hint: 'Does your browser still show an error, or the former site? Open a private window.',
    }),
    domainOf('late.example.com', {
      ...settled,
      summary: 'Live, but with a problem. The certificate is valid until 2026-12-30 08:00 UTC (12 days left).',
      problem: {
        code: 'caa_blocks',
        about: 'caa',
        addressee: 'user',
        message: 'The CAA records of example.com do not allow the certificate.',
        steps: ['Add this record: example.com. CAA 0 issue "letsencrypt.org"'],
        notes: [],
      },
    }),
  ]
}
