// From a domain that was added, or is due for renewal, to a certificate, step by step.
import type { CertificateCache } from '../certificates/cache.ts'
import { certifies, readCertificate } from '../certificates/certificate.ts'
import { IssueError, type Issuer } from '../certificates/issuer.ts'
import type { CaaChecker } from '../dns/caa.ts'
import type { DnsVerifier } from '../dns/verify.ts'
import type { Domain } from '../state/domain.ts'
import type { Clock } from './clock.ts'
import { canOrderAt, hasExpired, recentOrders, renewsAt, retryAt } from './schedule.ts'
import { expired, type Failed, type Live, type Progress, type Step } from './transitions.ts'

export interface ObtainOptions {
  /** The platform's CNAME target. */
  target: string
  dns: DnsVerifier
  caa: CaaChecker
  issuer: Issuer
  certificates: CertificateCache
  clock: Clock
}

/** Yields each step, for the caller to save before the next one begins. @throws any unforeseen error */
export async function* obtain(domain: Domain, signal: AbortSignal, options: ObtainOptions): AsyncGenerator<Step, void> {
  const now = options.clock.now()
  if (hasExpired(domain, now)) {
    yield { kind: 'expired' }
    const retry = retryAt(expired(domain, now))
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
  const { target, dns, caa, issuer, certificates, clock } = options
  const { name, waitingSince } = domain
  const { host } = name

  yield { kind: 'progress', state: 'verifying' }
  const wrong = await dns.verify(name, target)
  if (wrong) return { kind: 'failed', problem: wrong }
  const verifiedAt = clock.now().toISOString()
  yield { kind: 'progress', state: 'verified', verifiedAt, waitingSince: waitingSince ?? verifiedAt }

  const stored = await certificates.loadCertificate(host)
  if (stored !== undefined && isCurrent(stored, host, clock.now())) return { kind: 'live', pem: stored }

  const now = clock.now()
  const limitEnds = canOrderAt(domain, now)
  if (limitEnds) {
    const detail = 'At most four certificates are ordered per hour, and none within a day of the last one issued.'
    return {
      kind: 'failed',
      problem: { code: 'rate_limited', detail },
      retryAfterMs: limitEnds.getTime() - now.getTime(),
    }
  }
  try {
    const blocked = await caa.check(host, await issuer.identities(signal))
    if (blocked) return { kind: 'failed', problem: blocked }
    yield { kind: 'progress', state: 'issuing', orderedAt: [...recentOrders(domain, now), now.toISOString()] }
    const pem = await issuer.issue(host, signal)
    await certificates.saveCertificate(host, pem)
    return { kind: 'live', pem, issuedAt: clock.now().toISOString() }
  } catch (error) {
    if (!(error instanceof IssueError)) throw error
    return { kind: 'failed', problem: error.problem, retryAfterMs: error.retryAfterMs }
  }
}

/** True if a stored certificate is for the host, valid, and not yet due for renewal. */
function isCurrent(pem: string, host: string, now: Date): boolean {
  if (!certifies(pem, host)) return false
  const certificate = readCertificate(pem)
  return new Date(certificate.notBefore) <= now && now < renewsAt(certificate)
}
