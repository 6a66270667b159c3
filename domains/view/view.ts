// A domain as the dashboard shows it: its record, what is wrong, and what comes next.
import { displayName } from '../dns/name.ts'
import { canRequestAt, renewsAt, retryAt } from '../maintenance/schedule.ts'
import type { CertificateDates, Domain, ProblemCode, RedirectStatus } from '../state/domain.ts'
import { describe } from './problems.ts'
import { type RequiredRecord, recordFor } from './record.ts'
import { hintOf, summaryOf } from './summary.ts'

export interface DomainView {
  domain: string
  displayName: string
  kind: 'subdomain' | 'apex'
  isPrimary: boolean
  redirect?: { to: string; status: RedirectStatus }
  state: Domain['state']
  summary: string
  addedAt: string
  liveSince?: string
  canVerifyAt: string
  record: RequiredRecord
  problem?: { code: ProblemCode; message: string; steps: string[]; nextTryAt?: string }
  certificate?: CertificateDates & { renewsAt: string }
  hint?: string
}

export interface ViewContext {
  primary: string | undefined
  redirects: ReadonlyMap<string, RedirectStatus>
  platform: { cnameTarget: string }
  /** The state that a running attempt has reached. */
  progress: Domain['state'] | undefined
  now: Date
}

export function viewOf(domain: Domain, { primary, redirects, platform, progress, now }: ViewContext): DomainView {
  const { name, addedAt, liveSince, certificate, problem } = domain
  const status = redirects.get(name.host)
  const shown: Domain = progress ? { ...domain, state: progress } : domain
  const nextTryAt = retryAt(domain)
  const hint = hintOf(domain, now, status !== undefined)
  return {
    domain: name.host,
    displayName: displayName(name.host),
    kind: name.kind,
    isPrimary: name.host === primary,
    ...(primary !== undefined && status && { redirect: { to: primary, status } }),
    state: shown.state,
    summary: summaryOf(shown, now),
    addedAt,
    ...(liveSince && { liveSince }),
    canVerifyAt: canRequestAt(domain, now).toISOString(),
    record: recordFor(name, platform.cnameTarget),
    ...(problem && {
      problem: {
        code: problem.code,
        ...describe(problem, { name, target: platform.cnameTarget, now, nextTryAt, certificate }),
        ...(nextTryAt && { nextTryAt: nextTryAt.toISOString() }),
      },
    }),
    ...(certificate && { certificate: { ...certificate, renewsAt: renewsAt(certificate).toISOString() } }),
    ...(hint !== undefined && { hint }),
  }
}
