// What turns a domain that was added into one that is live, a step after the other, and what a failure does to it.

import { IssueError, type Issuer, readCertificate, renewsAt } from '../certificates/certificate.ts'
import type { CertificateDates, Domain, DomainName, DomainState, Problem } from '../state/domain.ts'
import type { DomainStorage } from '../state/storage.ts'
import { nextTry } from './backoff.ts'
import type { Clock } from './clock.ts'
import { canOrderAt, isServed, recentOrders } from './schedule.ts'

export interface StepOptions {
  target: string
  dns: { verify(name: DomainName, target: string): Promise<Problem | undefined> }
  caa: { check(host: string, identities: readonly string[]): Promise<Problem | undefined> }
  issuer: Issuer
  storage: Pick<DomainStorage, 'loadCertificate' | 'saveCertificate'>
  clock: Clock
  /** In [0, 1), for what is to be spread in time. */
  random(): number
}

/** Saves the domain as changed, and returns it. @throws when it is not worked on any more */
export type Update = (changes: Partial<Domain> & { state: DomainState }) => Promise<Domain>

export interface Success {
  pem: string
  /** When it was issued; undefined for one that was kept. */
  issuedAt?: string
}

export interface Failure {
  problem: Problem
  retryAfterMs?: number
}

/** Verifies the record and, where no good certificate is there, orders one. */
export async function advance(
  { name, waitingSince }: Domain,
  update: Update,
  signal: AbortSignal,
  options: StepOptions,
): Promise<Success | Failure> {
  const { target, dns, caa, issuer, storage, clock } = options
  const { host } = name

  await update({ state: 'verifying' })
  const wrong = await dns.verify(name, target)
  if (wrong) return { problem: wrong }
  const verifiedAt = clock.now().toISOString()
  const verified = await update({ state: 'verified', verifiedAt, waitingSince: waitingSince ?? verifiedAt })

  const kept = await storage.loadCertificate(host)
  if (kept !== undefined && isGood(kept, host, clock.now())) return { pem: kept }

  const now = clock.now()
  const limitEnds = canOrderAt(verified, now)
  if (limitEnds) {
    const detail = 'No more than four certificates are ordered within an hour, and none for a day after one has come.'
    return { problem: { code: 'rate_limited', detail }, retryAfterMs: limitEnds.getTime() - now.getTime() }
  }
  try {
    const blocked = await caa.check(host, await issuer.identities(signal))
    if (blocked) return { problem: blocked }
    const orderedAt = [...recentOrders(verified, now), now.toISOString()]
    await update({ state: 'issuing', orderedAt })
    const pem = await issuer.issue(host, signal)
    await storage.saveCertificate(host, pem)
    return { pem, issuedAt: clock.now().toISOString() }
  } catch (error) {
    if (error instanceof IssueError) return error
    throw error
  }
}

/** What a failure makes of a domain: one that is live stays so until its certificate ends. */
export function failed(domain: Domain, failure: Failure, { clock, random }: StepOptions): Domain {
  const now = clock.now()
  const { problem, retryAfterMs = 0 } = failure
  const attempts = domain.attempts + 1
  const notBefore = nextTry({ attempts, now, retryAfterMs, random: random() }).toISOString()
  const limitedUntil = retryAfterMs > 0 ? new Date(now.getTime() + retryAfterMs).toISOString() : notBefore
  return {
    ...domain,
    state: isServed(domain, now) ? 'live' : 'failed',
    problem,
    attempts,
    ...(problem.code === 'rate_limited' && { limitedUntil }),
    failingSince: domain.failingSince ?? now.toISOString(),
    notBefore,
  }
}

/** What the end of its certificate makes of a domain: it is tried for as long as a new one, at the time that was set. */
export function expired({ liveSince, ...domain }: Domain, now: Date): Domain {
  const { notAfter } = domain.certificate as CertificateDates
  const [failingSince, notBefore] = [now.toISOString(), domain.notBefore ?? now.toISOString()]
  return { ...domain, state: 'failed', problem: { code: 'certificate_expired', notAfter }, failingSince, notBefore }
}

/** @throws when it is no certificate */
export function live(domain: Domain, { pem, ...issued }: Success, now: Date): Domain {
  const { problem, notBefore, failingSince, waitingSince, limitedUntil, ...rest } = domain
  const { hosts, ...certificate } = readCertificate(pem)
  const liveSince = domain.liveSince ?? now.toISOString()
  return { ...rest, ...issued, state: 'live', attempts: 0, liveSince, certificate }
}

/** Whether a kept certificate is for the host and need not be renewed yet. */
function isGood(pem: string, host: string, now: Date): boolean {
  if (!isFor(host, pem)) return false
  const certificate = readCertificate(pem)
  return new Date(certificate.notBefore) <= now && now < renewsAt(certificate)
}

/** Whether it is a certificate for the host at all. */
export function isFor(host: string, pem: string): boolean {
  try {
    return readCertificate(pem).hosts.includes(host)
  } catch {
    return false
  }
}
