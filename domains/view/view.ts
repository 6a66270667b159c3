// A domain as it is shown: with the record to make, what is wrong, and what comes next.
import { renewsAt } from '../certificates/certificate.ts'
import { displayName } from '../dns/name.ts'
import { canAskAt, retryAt } from '../maintenance/schedule.ts'
import type { CertificateDates, Domain, DomainState, ProblemCode, RedirectStatus } from '../state/domain.ts'
import { describe, hintOf, recordFor, summaryOf } from './messages.ts'

export interface DomainView {
  domain: string
  displayName: string
  kind: 'subdomain' | 'apex'
  isPrimary: boolean
  redirect?: { to: string; status: RedirectStatus }
  state: DomainState
  summary: string
  addedAt: string
  liveSince?: string
  canVerifyAt: string
  record: ReturnType<typeof recordFor>
  problem?: { code: ProblemCode; message: string; steps: string[]; nextTryAt?: string }
  certificate?: CertificateDates & { renewsAt: string }
  hint?: string
}

export interface ViewContext {
  primary: string | undefined
  redirects: ReadonlyMap<string, RedirectStatus>
  platform: { cnameTarget: string }
  /** Where an attempt that is under way stands. */
  step: DomainState | undefined
  now: Date
}

export function viewOf(domain: Domain, { primary, redirects, platform, step, now }: ViewContext): DomainView {
  const { name, addedAt, liveSince, certificate, problem } = domain
  const status = redirects.get(name.host)
  const shown: Domain = step ? { ...domain, state: step } : domain
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
    canVerifyAt: canAskAt(domain, now).toISOString(),
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
