// An authority that issues at once, unless it is away or the domain is stored with a reason why not.
import { IssueError, type Issuer, type RenewalWindow } from '../certificates/issuer.ts'
import type { Domain, IssuedCertificate, Problem } from '../state/domain.ts'
import type { Clock } from '../time.ts'
import { leafOf, textOf } from './copy.ts'

const DAY = 24 * 3_600_000
/** Authorities ask for this often. */
const SUGGEST_EVERY_MS = DAY

export interface RehearsedAuthority {
  directoryUrl: string
  clock: Pick<Clock, 'now'>
  domains: ReadonlyMap<string, Domain>
  /** How long certificates are valid, in milliseconds. */
  lifeFor(host: string): number
  /** What keeps it from issuing for a host. */
  refusal(host: string): Problem | undefined
  /** When it revokes what it has issued before. */
  revokesAt?: Date | undefined
}

export function rehearsedIssuer(options: RehearsedAuthority): Issuer {
  const { directoryUrl: authority, clock, domains, lifeFor, refusal, revokesAt } = options
  /** Only an authority that has suggested times (RFC 9773) goes on to do so. */
  const suggests = [...domains.values()].some(
    ({ certificate }) => certificate?.authority === authority && certificate.renewal !== undefined,
  )
  const nothing = async () => undefined

  function renewalOf({ notBefore, notAfter, renewal }: IssuedCertificate): Omit<RenewalWindow, 'retryAfterMs'> {
    if (revokesAt && Date.parse(notBefore) < revokesAt.getTime()) {
      const end = revokesAt.getTime()
      return { start: new Date(end - DAY).toISOString(), end: new Date(end).toISOString() }
    }
    if (renewal) return { start: renewal.start, end: renewal.end }
    const [begin, end] = [Date.parse(notBefore), Date.parse(notAfter)]
    const start = end - (end - begin) / 3
    return { start: new Date(start).toISOString(), end: new Date(start + DAY).toISOString() }
  }

  return {
    authority,
    identities: async () => [authority],
    async issue(host, _signal, save, former) {
      const problem = refusal(host)
      if (problem) throw new IssueError(problem)
      const now = clock.now()
      const issuedAt = now.toISOString()
      const isExempt = suggests && former !== undefined && leafOf(former).authority === authority
      await save({ authority, url: authority, key: '', begunAt: issuedAt }, isExempt)
      const notAfter = new Date(now.getTime() + lifeFor(host)).toISOString()
      const leaf = { authority, issuer: authority, notBefore: issuedAt, notAfter, hosts: [host] }
      return textOf(leaf, { authority, issuedAt })
    },
    resume: nothing,
    renewalWindow: async (_host, text) =>
      suggests ? { ...renewalOf(leafOf(text)), retryAfterMs: SUGGEST_EVERY_MS } : nothing(),
    revoke: nothing,
  }
}
