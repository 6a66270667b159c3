// A domain as the dashboard shows it: its record, what is wrong, and what comes next.
import { displayName } from '../dns/name.ts'
import { counterpartOf } from '../dns/pair.ts'
import { nextRequestAt, renewsAt } from '../maintenance/schedule.ts'
import { recordFor } from '../problems/required-record.ts'
import type { Domain, IssuedCertificate } from '../state/domain.ts'
import type { Snapshot } from '../state/snapshot.ts'
import { problemOf } from './problems.ts'
import { hintOf, summaryOf } from './summary.ts'
import type { CertificateView, DomainView } from './types.ts'

export interface ViewContext {
  snapshot: Pick<Snapshot, 'primary' | 'redirects' | 'domains'>
  /** The platform's CNAME target. */
  target: string
  /** The state that a running attempt has reached. */
  progress: Domain['state'] | undefined
  now: Date
}

export function viewOf(domain: Domain, { snapshot, target, progress, now }: ViewContext): DomainView {
  const { primary, redirects, domains } = snapshot
  const { name, addedAt, liveSince } = domain
  const isPrimaryLive = domains.get(primary ?? '')?.state === 'live'
  const redirect = redirectOf(domain, snapshot, isPrimaryLive)
  const counterpart = domains.get(counterpartOf(name) ?? '')
  const shown: Domain = progress ? { ...domain, state: progress } : domain
  const isPrimary = name.host === primary
  const redirecting = isPrimary && !isPrimaryLive ? redirects.size : 0
  const hint = hintOf(domain, now, { redirect, redirecting })
  return {
    domain: name.host,
    displayName: displayName(name.host),
    kind: name.kind,
    isPrimary,
    ...(counterpart && !counterpart.isPlatform && { counterpart: counterpart.name.host }),
    ...(redirect && { redirect }),
    state: shown.state,
    summary: summaryOf(shown, now),
    addedAt,
    ...(liveSince && { liveSince }),
    canVerifyAt: nextRequestAt(domain, now).toISOString(),
    record: recordFor(name, target),
    ...healthOf(domain, { target, now }),
    ...(hint !== undefined && { hint }),
  }
}

export type Health = Pick<DomainView, 'problem' | 'certificate'>

/** What is wrong with a domain, if anything, and its certificate, if it has one. */
export function healthOf(domain: Domain, context: { target: string; now: Date }): Health {
  const { certificate } = domain
  const problem = problemOf(domain, context)
  return {
    ...(problem && { problem }),
    ...(certificate && { certificate: certificateView(domain.name.host, certificate) }),
  }
}

function certificateView(host: string, certificate: IssuedCertificate): CertificateView {
  const { renewal, ...stated } = certificate
  return {
    ...stated,
    renewsAt: renewsAt(host, certificate).toISOString(),
    ...(renewal && { renewal: { start: renewal.start, end: renewal.end } }),
  }
}

/** The redirect as it is served: ports redirect to a primary domain only while that is live. */
function redirectOf(
  { name, state }: Domain,
  { primary, redirects }: ViewContext['snapshot'],
  isPrimaryLive: boolean,
): DomainView['redirect'] {
  const status = redirects.get(name.host)
  if (primary === undefined || status === undefined) return undefined
  return { to: primary, status, isActive: isPrimaryLive && state === 'live' }
}
