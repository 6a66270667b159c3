// A domain as the dashboard shows it: its record, what is wrong, and what comes next.
import { displayName } from '../dns/name.ts'
import { canRequestAt, renewsAt } from '../maintenance/schedule.ts'
import type { CertificateDates, Domain, IssuedCertificate, RedirectStatus } from '../state/domain.ts'
import { type ProblemView, problemOf } from './problems.ts'
import { type RequiredRecord, recordFor } from './record.ts'
import { hintOf, summaryOf } from './summary.ts'

export interface DomainView {
  domain: string
  displayName: string
  kind: 'subdomain' | 'apex'
  isPrimary: boolean
  /** The other domain of the pair, an apex and its www name, if it has been added. */
  counterpart?: string
  /** Applied while this domain and the primary one are live. */
  redirect?: { to: string; status: RedirectStatus; isActive: boolean }
  state: Domain['state']
  summary: string
  addedAt: string
  liveSince?: string
  canVerifyAt: string
  record: RequiredRecord
  problem?: ProblemView
  certificate?: CertificateView
  hint?: string
}

export interface CertificateView extends CertificateDates {
  /** The directory URL of the authority that it was ordered from, where that is known. */
  authority?: string
  renewsAt: string
  /** When the authority suggests to renew it, if it does. */
  renewal?: { start: string; end: string }
}

export interface ViewContext {
  primary: string | undefined
  isPrimaryLive: boolean
  redirects: ReadonlyMap<string, RedirectStatus>
  counterpart?: string | undefined
  platform: { cnameTarget: string }
  /** The state that a running attempt has reached. */
  progress: Domain['state'] | undefined
  now: Date
}

export function viewOf(domain: Domain, context: ViewContext): DomainView {
  const { primary, isPrimaryLive, redirects, counterpart, platform, progress, now } = context
  const { name, addedAt, liveSince } = domain
  const redirect = redirectOf(domain, context)
  const shown: Domain = progress ? { ...domain, state: progress } : domain
  const isPrimary = name.host === primary
  const redirecting = isPrimary && !isPrimaryLive ? redirects.size : 0
  const hint = hintOf(domain, now, { redirect, redirecting })
  return {
    domain: name.host,
    displayName: displayName(name.host),
    kind: name.kind,
    isPrimary,
    ...(counterpart !== undefined && { counterpart }),
    ...(redirect && { redirect }),
    state: shown.state,
    summary: summaryOf(shown, now),
    addedAt,
    ...(liveSince && { liveSince }),
    canVerifyAt: canRequestAt(domain, now).toISOString(),
    record: recordFor(name, platform.cnameTarget),
    ...conditionOf(domain, { target: platform.cnameTarget, now }),
    ...(hint !== undefined && { hint }),
  }
}

export type Condition = Pick<DomainView, 'problem' | 'certificate'>

/** What is wrong with a domain, if anything, and its certificate, if it has one. */
export function conditionOf(domain: Domain, context: { target: string; now: Date }): Condition {
  const { certificate } = domain
  const problem = problemOf(domain, context)
  return { ...(problem && { problem }), ...(certificate && { certificate: certificateView(certificate) }) }
}

function certificateView(certificate: IssuedCertificate): CertificateView {
  const { renewal, ...stated } = certificate
  return {
    ...stated,
    renewsAt: renewsAt(certificate).toISOString(),
    ...(renewal && { renewal: { start: renewal.start, end: renewal.end } }),
  }
}

/** As it is served: the ports redirect to a primary domain only while that is live. */
function redirectOf(
  { name, state }: Domain,
  { primary, isPrimaryLive, redirects }: ViewContext,
): DomainView['redirect'] {
  const status = redirects.get(name.host)
  if (primary === undefined || status === undefined) return undefined
  return { to: primary, status, isActive: isPrimaryLive && state === 'live' }
}
