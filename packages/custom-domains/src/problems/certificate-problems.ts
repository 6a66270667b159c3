// Problems of getting a certificate: CAA records, the certificate authority, and what cannot be saved.
import { type DomainName, isWithin } from '../domain-name.ts'
import { dnssecStep, problem } from './problem.ts'

export const certificateProblems = {
  /**
   * RFC 8659: `level` is the name that has the blocking records, `found`; `expected` the one to add, empty where none
   * would help. `alias` is the name whose CNAME leads to `level`. `detail` is the authority's own text, where only it
   * found the problem.
   */
  caa_blocks: problem<{ level: string; alias?: string; found: string[]; expected: string; detail?: string }>({
    about: 'caa',
    addressee: {
      among: ['user', 'operator'],
      of: ({ level, alias }, { name, record }) =>
        isOfPlatform(level, alias, name, record.value) ? 'operator' : 'user',
    },
    authority: 'refuses',
    cause: 'The CAA records of the domain or of a parent do not allow the certificate.',
    message: ({ level, detail = '' }) =>
      `The CAA records of ${level} do not allow the certificate${detail && `: "${detail}"`}.`,
    steps({ level, alias, found, expected }) {
      const records = found.map((record) => `The current record is ${record}.`)
      if (alias !== undefined) {
        const change = expected === '' ? 'to delete it.' : `to add this record: ${expected}`
        return [...records, `${alias} is an alias of ${level}. Ask whoever manages ${level} ${change}`]
      }
      if (expected !== '') return [...records, `Add this record: ${expected}`]
      if (found.length === 0)
        return [`Change the CAA records of ${level}, or of the domains above it, so that they allow this authority.`]
      return found.map(
        (record) =>
          `Delete the CAA record ${record}: it is marked critical, and certificate authorities do not know its tag.`,
      )
    },
  }),

  caa_unreachable: problem<{ level: string }>({
    about: 'caa',
    addressee: {
      among: ['user', 'operator', 'authority'],
      of({ level }, { name, record }) {
        if (level === record.value) return 'operator'
        return isWithin(level, name.zone) ? 'user' : 'authority'
      },
    },
    isTransient: true,
    isPending: () => true,
    cause: 'The lookup of the CAA records, which authorities must check first, failed.',
    message: ({ level }) => `The DNS lookup of the CAA records of ${level} failed. They must be checked first.`,
    steps: (_problem, { name: { zone } }) => [
      `Your DNS records can stay. If this lasts for more than an hour, ask the DNS provider of ${zone} why its name servers fail CAA queries.`,
    ],
  }),

  /**
   * Here and below, `detail` is the text of who found the problem: mostly the authority's own. `queue` is the directory URL
   * of the authority where the domain waits for its turn.
   */
  rate_limited: problem<{ detail: string; queue?: string }>({
    about: 'certificate',
    addressee: 'authority',
    isTransient: true,
    authority: 'busy',
    cause: 'A rate limit of the certificate authority or of the platform; the next retry is after its end.',
    message: ({ detail }) => `No certificate can be ordered at the moment: "${detail}"`,
  }),

  /** `isMisconfigured`: the directory URL does not lead to a directory, or the root of its certificate is not trusted. */
  ca_unavailable: problem<{ detail: string; isMisconfigured?: true }>({
    about: 'certificate',
    addressee: {
      among: ['authority', 'operator'],
      of: ({ isMisconfigured }) => (isMisconfigured ? 'operator' : 'authority'),
    },
    isTransient: true,
    authority: 'busy',
    cause:
      'The certificate authority does not respond, or responds with a failure of its own. Or its directory URL is wrong, or ' +
      'its root not trusted.',
    message: ({ detail }) => `The certificate authority is unavailable: "${detail}"`,
  }),

  /** The record has just been verified, so it is the platform that the authority did not reach. */
  ca_cannot_connect: problem<{ detail: string }>({
    about: 'certificate',
    addressee: 'operator',
    cause: 'The authority could not reach port 80: it is closed, or a proxy or firewall diverts the request.',
    message: ({ detail }, { host }) => `The certificate authority could not reach ${host}: "${detail}"`,
  }),

  /** `failing`: the name whose lookup failed, where the authority says so: the domain, or one above it. */
  ca_cannot_resolve: problem<{ detail: string; failing?: string }>({
    about: 'certificate',
    addressee: {
      among: ['user', 'authority'],
      of: ({ failing }, { name }) => (failing === undefined || isWithin(failing, name.zone) ? 'user' : 'authority'),
    },
    cause:
      'The authority could not look up the domain: DNSSEC is broken, or a name server, perhaps of the top-level domain, fails.',
    message: ({ detail }, { host }) => `The certificate authority could not look up ${host}: "${detail}"`,
    steps: (_problem, { name: { zone } }) => [
      dnssecStep(zone),
      `Make sure that every name server of ${zone} responds to A, AAAA and CAA queries.`,
    ],
  }),

  /**
   * `url`: where the operator must act, such as agree to new terms (RFC 8555, section 7.3.3). `isNameRejected`: the authority
   * issues no certificate for this name; otherwise, the account or what the order asks for is wrong.
   */
  ca_refused: problem<{ detail: string; url?: string; isNameRejected?: true }>({
    about: 'certificate',
    addressee: {
      among: ['operator', 'user'],
      of: ({ isNameRejected }) => (isNameRejected ? 'user' : 'operator'),
    },
    authority: 'refuses',
    cause: 'The authority refused the order because of the account, the order or the name; the page has its reason.',
    message: ({ detail, url }) => `The certificate authority refused the order: "${detail}"${url ? ` See ${url}` : ''}`,
    steps: () => ['Use another domain: the authority issues no certificate for this one.'],
  }),

  /** `reason`: what the host server returned. */
  not_allowed: problem<{ reason: string }>({
    about: 'certificate',
    addressee: 'operator',
    cause: 'The platform does not allow the domain at the moment.',
    message: ({ reason }, { host }) => `The platform does not allow ${host}: ${reason}.`,
  }),

  certificate_expired: problem<{ notAfter: string }>({
    about: 'certificate',
    addressee: 'user',
    cause: 'The last certificate expired before it was renewed.',
    message: () => 'The certificate expired before it was renewed.',
    steps: () => ['Re-verify the domain: that tries again, and shows what prevents the renewal.'],
  }),

  storage_failed: problem<{ detail: string }>({
    about: 'certificate',
    addressee: 'operator',
    isTransient: true,
    cause: 'The state or the certificate cannot be written: a full disk, a missing permission.',
    message: ({ detail }) => `The platform could not save the domain or its certificate: "${detail}"`,
  }),

  internal_error: problem<{ detail: string }>({
    about: 'certificate',
    addressee: 'operator',
    isTransient: true,
    cause: 'The server failed in a way that it does not know; its log has the error.',
    message: ({ detail }) => `An unexpected error ended the attempt: "${detail}"`,
  }),

  record_damaged: problem<{ detail: string }>({
    about: 'certificate',
    addressee: 'user',
    cause: 'The stored record of the domain cannot be read; Verify writes it anew.',
    message: ({ detail }, { host }) => `The stored record of ${host} is damaged: ${detail}.`,
    steps: () => ['Verify the domain: its record is then written anew.'],
    notes: () => ['Until then, its certificate is not renewed.'],
  }),
}

/** Users point their domains to the platform's CNAME target, so the operator is responsible for it. */
function isOfPlatform(level: string, alias: string | undefined, { host, kind }: DomainName, target: string): boolean {
  return level === target || (kind === 'subdomain' && alias === host)
}
