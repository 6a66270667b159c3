// Problems of getting a certificate: CAA records, the certificate authority, and what cannot be saved.
import type { DomainName } from '../domain-name.ts'
import { dnssecStep, forOperator, notYours, problem } from './problem.ts'

export const certificateProblems = {
  /**
   * RFC 8659: `level` is the name that has the blocking records, `found`; `expected` the one to add, empty where none
   * would help. `alias` is the name whose CNAME leads to `level`. `detail` is the authority's own text, where only it
   * found the problem.
   */
  caa_blocks: problem<{ level: string; alias?: string; found: string[]; expected: string; detail?: string }>({
    about: 'caa',
    authority: 'refuses',
    cause:
      'The CAA records of the domain or of a parent do not allow the certificate; the page shows the record to add.',
    message: ({ level, detail = '' }) =>
      `The CAA records of ${level} do not allow the certificate${detail && `: "${detail}"`}.`,
    steps({ level, alias, found, expected }, { name, record: { value: target } }) {
      if (isOfPlatform(level, alias, name, target)) return []
      const records = found.map((record) => `The current record is ${record}.`)
      if (alias !== undefined) {
        const change = expected === '' ? 'to delete it.' : `to add this record: ${expected}`
        return [...records, `${alias} is an alias of ${level}. Ask whoever manages ${level} ${change}`]
      }
      if (expected !== '') return [...records, `Add this record: ${expected}`]
      return found.map(
        (record) =>
          `Delete the CAA record ${record}: it is marked critical, and certificate authorities do not know its tag.`,
      )
    },
    notes: ({ level, alias }, { name, record: { value: target } }) =>
      isOfPlatform(level, alias, name, target) ? [forOperator] : [],
  }),

  caa_unreachable: problem<{ level: string }>({
    about: 'caa',
    isTransient: true,
    cause: 'The lookup of the CAA records failed. Authorities must check them first.',
    message: ({ level }) => `The DNS lookup of the CAA records of ${level} failed. They must be checked first.`,
    notes: () => [notYours],
  }),

  /** Here and below, `detail` is the text of who found the problem: mostly the authority's own. */
  rate_limited: problem<{ detail: string }>({
    about: 'certificate',
    isTransient: true,
    authority: 'busy',
    cause: 'A rate limit, of the certificate authority or of the platform; the next retry is after its end.',
    message: ({ detail }) => `No certificate can be ordered at the moment: "${detail}"`,
  }),

  ca_unavailable: problem<{ detail: string }>({
    about: 'certificate',
    isTransient: true,
    authority: 'busy',
    cause: 'The certificate authority does not respond, or responds with a failure of its own.',
    message: ({ detail }) => `The certificate authority is unavailable: "${detail}"`,
  }),

  ca_cannot_connect: problem<{ detail: string }>({
    about: 'certificate',
    cause:
      'The authority could not reach the domain: port 80 is closed, or a proxy or a stale AAAA record diverts the request.',
    message: ({ detail }, { host }) => `The certificate authority could not reach ${host}: "${detail}"`,
    steps: (_problem, { name: { host } }) => [
      `Allow requests to http://${host} on port 80 to reach the platform.`,
      `Turn off any proxy or firewall in front of ${host}, including your DNS provider's.`,
      `Delete AAAA records of ${host} that point elsewhere.`,
    ],
  }),

  ca_cannot_resolve: problem<{ detail: string }>({
    about: 'certificate',
    cause:
      'The authority could not look up the domain: DNSSEC is broken, or a name server does not respond to all queries.',
    message: ({ detail }, { host }) => `The certificate authority could not look up ${host}: "${detail}"`,
    steps: (_problem, { name: { zone } }) => [
      dnssecStep(zone),
      `Make sure that every name server of ${zone} responds to A, AAAA and CAA queries.`,
    ],
  }),

  /** `url`: where the operator must act, such as agree to new terms (RFC 8555, section 7.3.3). */
  ca_refused: problem<{ detail: string; url?: string }>({
    about: 'certificate',
    authority: 'refuses',
    cause: 'The authority refused the order, for the reason that it gives.',
    message: ({ detail, url }) =>
      `The certificate authority refused the order: "${detail}"${url ? ` The platform's operator must act: ${url}` : ''}`,
  }),

  certificate_expired: problem<{ notAfter: string }>({
    about: 'certificate',
    cause: 'The last certificate expired before it was renewed.',
    message: () => 'The certificate expired before it was renewed.',
  }),

  storage_failed: problem<{ detail: string }>({
    about: 'certificate',
    isTransient: true,
    cause: 'The state or the certificate cannot be written: a full disk, a missing permission.',
    message: ({ detail }) => `The platform could not save the domain or its certificate: "${detail}"`,
    notes: () => [forOperator],
  }),

  record_damaged: problem<{ detail: string }>({
    about: 'certificate',
    cause: 'The stored record of the domain cannot be read; Verify writes it anew.',
    message: ({ detail }, { host }) => `The stored record of ${host} is damaged: ${detail}.`,
    steps: () => ['Choose Verify: the record is then written anew.'],
    notes: () => ['Until then, its certificate is not renewed.'],
  }),
}

/** Users point their domains to the platform's CNAME target, so the operator is responsible for it. */
function isOfPlatform(level: string, alias: string | undefined, { host, kind }: DomainName, target: string): boolean {
  return level === target || (kind === 'subdomain' && alias === host)
}
