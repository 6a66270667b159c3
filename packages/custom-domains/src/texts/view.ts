// A domain as the operations return it: its record, what is wrong, and what comes next.
import { displayName } from '../dns/name.ts'
import { counterpartOf } from '../dns/pair.ts'
import { nextRequestAt, renewsAt } from '../maintenance/schedule.ts'
import { proofRecordFor, recordFor } from '../problems/required-record.ts'
import type { Domain, IssuedCertificate } from '../state/domain.ts'
import type { Snapshot } from '../state/snapshot.ts'
import { problemOf } from './problems.ts'
import { hintOf, summaryOf } from './summary.ts'
import type { CertificateView, DomainView } from './types.ts'

export interface ViewContext {
  snapshot: Pick<Snapshot, 'redirects' | 'domains'>
  /** The hosts that redirects lead to. */
  redirectTargets: ReadonlySet<string>
  /** The platform's CNAME target. */
  target: string
  /** The state that a running attempt has reached. */
  progress: Domain['state'] | undefined
  now: Date
}

export function viewOf(domain: Domain, context: ViewContext): DomainView {
  const { snapshot, redirectTargets, target, progress, now } = context
  const { name, addedAt, liveSince } = domain
  const redirect = redirectOf(domain, snapshot)
  const counterpart = snapshot.domains.get(counterpartOf(name) ?? '')
  const displayed: Domain = progress ? { ...domain, state: progress } : domain
  const isAwaited = domain.state !== 'live' && redirectTargets.has(name.host)
  const proof = proofRecordFor(domain)
  const hint = hintOf(domain, now, { redirect, isAwaited })
  return {
    domain: name.host,
    displayName: displayName(name.host),
    kind: name.kind,
    ...(counterpart && !counterpart.isPlatform && { counterpart: counterpart.name.host }),
    ...(redirect && { redirect }),
    state: displayed.state,
    summary: summaryOf(displayed, now),
    addedAt,
    ...(liveSince && { liveSince }),
    canVerifyAt: nextRequestAt(domain, now).toISOString(),
    record: recordFor(name, domain.target ?? target),
    ...(proof && { proof }),
    ...(domain.owner !== undefined && { owner: domain.owner }),
    ...(domain.data !== undefined && { data: domain.data }),
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

/** The redirect as it is served: ports redirect to a domain only while that is live. */
function redirectOf({ name, state }: Domain, { redirects, domains }: ViewContext['snapshot']): DomainView['redirect'] {
  const redirect = redirects.get(name.host)
  if (!redirect) return undefined
  return { ...redirect, isActive: domains.get(redirect.to)?.state === 'live' && state === 'live' }
}
