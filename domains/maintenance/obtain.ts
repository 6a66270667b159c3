// From a domain that was added, or is due for renewal, to a certificate, step by step.
import { type Authority, authorityNamed } from '../certificates/authorities.ts'
import { certifies, originOf, readCertificate } from '../certificates/certificate.ts'
import { IssueError } from '../certificates/issuer.ts'
import type { DnsVerifier } from '../dns/verify.ts'
import type { Domain, IssuedCertificate } from '../state/domain.ts'
import { type IssueOptions, issue } from './issue.ts'
import { hasExpired, isServed, renewsAt, retryAt } from './schedule.ts'
import { expired, type Failed, type Live, type Progress, type Step } from './transitions.ts'
import { unlessAborted } from './unless-aborted.ts'

export interface ObtainOptions extends IssueOptions {
  /** The platform's CNAME target. */
  target: string
  dns: DnsVerifier
  /** In [0, 1): the jitter of retries and renewals. */
  random(): number
}

type Renewal = NonNullable<IssuedCertificate['renewal']>

/** Yields each step, for the caller to save before the next one begins. @throws any unforeseen error */
export async function* obtain(domain: Domain, signal: AbortSignal, options: ObtainOptions): AsyncGenerator<Step, void> {
  const now = options.clock.now()
  if (domain.certificate && (domain.state === 'failed' || hasExpired(domain, now))) {
    const { host } = domain.name
    const stored = await options.certificates.loadCertificate(host)
    // The clock was wrong when the domain failed, or a newer certificate was stored and the state was not.
    if (stored !== undefined && isValid(stored, host, now)) {
      yield { kind: 'live', pem: stored }
      return
    }
  }
  if (hasExpired(domain, now)) {
    yield { kind: 'expired' }
    const retry = retryAt(expired(domain, now), now)
    if (!retry || retry > now) return
  }
  yield yield* verifyAndIssue(domain, signal, options)
}

/** Verifies the DNS record, then requests a certificate unless a current one is stored. */
async function* verifyAndIssue(
  domain: Domain,
  signal: AbortSignal,
  options: ObtainOptions,
): AsyncGenerator<Progress, Live | Failed> {
  const { target, dns, authorities, certificates, clock } = options
  const { name, isPlatform, waitingSince } = domain
  const { host } = name

  yield { kind: 'progress', state: 'verifying' }
  // Users point their domains to the target; the platform's own needs an address, whichever it is.
  const verified = isPlatform ? dns.verify({ ...name, kind: 'apex' }, host, signal) : dns.verify(name, target, signal)
  const { problem, stale } = await unlessAborted(signal, verified)
  if (problem) return { kind: 'failed', problem }
  // Authorities ask from several places, so that a server without the record fails a first order; renewals go on.
  if (stale && 'server' in stale && !isServed(domain, clock.now()))
    return { kind: 'failed', problem: { code: 'record_not_everywhere', ...stale } }
  const verifiedAt = clock.now().toISOString()
  yield { kind: 'progress', state: 'verified', verifiedAt, waitingSince: waitingSince ?? verifiedAt, stale }

  const stored = await certificates.loadCertificate(host)
  if (stored !== undefined && isUsable(stored, domain, authorities, clock.now())) {
    const renewal = await suggestedRenewal(stored, domain, signal, options)
    const now = clock.now()
    if (now < renewsAt({ ...readCertificate(stored), ...(renewal && { renewal }) })) {
      return { kind: 'live', pem: stored, renewal, isConfirmed: isServed(domain, now) && !domain.problem }
    }
  }

  try {
    return yield* issue(domain, signal, options)
  } catch (error) {
    if (!(error instanceof IssueError)) throw error
    return { kind: 'failed', problem: error.problem, retryAfterMs: error.retryAfterMs }
  }
}

/** A time within the window that the authority suggests (RFC 9773, section 4.2): another one only for another window. */
async function suggestedRenewal(
  pem: string,
  { name, certificate }: Domain,
  signal: AbortSignal,
  { authorities, random }: ObtainOptions,
): Promise<Renewal | undefined> {
  const { issuer } = authorityNamed(authorities, originOf(pem).authority) ?? authorities[0]
  const former = certificate?.notAfter === readCertificate(pem).notAfter ? certificate.renewal : undefined
  try {
    const window = await issuer.renewalWindow(name.host, pem, signal)
    if (!window || (window.start === former?.start && window.end === former.end)) return window && former
    const start = Date.parse(window.start)
    return { ...window, at: new Date(start + random() * (Date.parse(window.end) - start)).toISOString() }
  } catch (error) {
    if (!(error instanceof IssueError)) throw error
    return former
  }
}

/**
 * True if a stored certificate is for the host, valid, of any of the authorities, and not to be replaced before it is
 * due for renewal.
 */
function isUsable(pem: string, { name, reissueAt }: Domain, authorities: readonly Authority[], now: Date): boolean {
  if (!isValid(pem, name.host, now)) return false
  const origin = originOf(pem)
  const isReplaced = reissueAt !== undefined && (origin.issuedAt ?? '') < reissueAt
  const isCurrent = origin.authority === undefined || authorityNamed(authorities, origin.authority) !== undefined
  return !isReplaced && isCurrent
}

/** A certificate of the future is valid: no authority issues one, so the clock is behind. */
function isValid(pem: string, host: string, now: Date): boolean {
  return certifies(pem, host) && now < new Date(readCertificate(pem).notAfter)
}
