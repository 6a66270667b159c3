// The steps of an attempt, and the domain after each: pure functions.
import { isDeepStrictEqual } from 'node:util'
import { originOf, readCertificate } from '../certificates/certificate.ts'
import type { AuthorityFailure, Domain, IssuedCertificate, Problem } from '../state/domain.ts'
import { isEarly, isOfWrongClock, isQueued, isServed, nextTry } from './schedule.ts'

/** A state on the way to live, with the fields that it sets. */
export interface Progress extends Partial<Pick<Domain, 'verifiedAt' | 'outdated' | 'waitingSince' | 'proof'>> {
  kind: 'progress'
  state: 'verifying' | 'verified' | 'issuing'
}

export interface Live {
  kind: 'live'
  pem: string
  /** Undefined for a certificate that was stored already. */
  issuedAt?: string
  /** The domain is live as before, without a problem. */
  isConfirmed?: boolean
  renewal?: IssuedCertificate['renewal'] | undefined
  failures?: AuthorityFailure[]
}

export interface Failed {
  kind: 'failed'
  problem: Problem
  retryAfterMs?: number
  /** A rule of our own that limits only what nobody has requested. */
  isOwnLimit?: boolean
  /** Set when the failure was not foreseen. */
  error?: unknown
  /** At the other authorities: `problem` is of one. */
  failures?: AuthorityFailure[]
}

export type Step = Progress | Live | Failed | { kind: 'expired' }

/** @param random in [0, 1): the jitter of the next retry @throws when a live step has no valid certificate */
export function transition(domain: Domain, step: Step, now: Date, random: number, read = readCertificate): Domain {
  switch (step.kind) {
    case 'progress':
      return progressed(domain, step, now)
    case 'live':
      return live(domain, step, now, read)
    case 'failed':
      return failed(domain, step, now, random)
    case 'expired':
      return expired(domain, now)
  }
}

/** True if an attempt has found nothing new: then it is not worth a write. */
export function isUnchanged(before: Domain, after: Domain): boolean {
  return isDeepStrictEqual(withoutTimesOfChecks(before), withoutTimesOfChecks(after))
}

/** The domain as it is stored, without properties that are undefined. */
function withoutTimesOfChecks({ verifiedAt, certificate, ...domain }: Domain): unknown {
  const { renewal: { checkAt, ...renewal } = {}, ...dates } = certificate ?? {}
  return JSON.parse(JSON.stringify({ ...domain, isVerified: verifiedAt !== undefined, dates, renewal }))
}

/** A domain that is served stays live while its certificate is renewed. */
function progressed(domain: Domain, { kind, ...changes }: Progress, now: Date): Domain {
  return { ...domain, ...changes, state: isServed(domain, now) ? 'live' : changes.state }
}

function live(domain: Domain, { pem, issuedAt, renewal }: Live, now: Date, read: typeof readCertificate): Domain {
  const { problem, failures, notBefore, failingSince, failedAt, waitingSince, limitedUntil, isRequested, ...rest } =
    domain
  const { hosts, ...certificate } = read(pem)
  const liveSince = domain.liveSince ?? now.toISOString()
  if (issuedAt || isReissued(pem, domain)) delete rest.reissueAt
  return {
    ...rest,
    ...(issuedAt && { issuedAt }),
    ...(issuedAt && isEarly(domain, now) && { issuedEarlyAt: issuedAt }),
    state: 'live',
    attempts: 0,
    liveSince,
    certificate: { ...certificate, ...(renewal && { renewal }) },
  }
}

/** A certificate that was stored, although the state was not. */
function isReissued(pem: string, { reissueAt = '' }: Domain): boolean {
  return (originOf(pem).issuedAt ?? '') >= reissueAt
}

/** A live domain stays so until its certificate expires. */
function failed(domain: Domain, step: Failed, now: Date, random: number): Domain {
  const { problem, failures = [], retryAfterMs = 0, isOwnLimit } = step
  const { isRequested, failures: former, ...rest } = domain
  const attempts = domain.attempts + Number(!isQueued(problem))
  const notBefore = nextTry({ domain, attempts, problem, now, retryAfterMs, random }).toISOString()
  const limitedUntil = retryAfterMs > 0 ? new Date(now.getTime() + retryAfterMs).toISOString() : notBefore
  return {
    ...rest,
    state: isServed(domain, now) ? 'live' : 'failed',
    problem,
    ...(failures.length > 0 && { failures }),
    attempts,
    ...(problem.code === 'rate_limited' && !isOwnLimit && { limitedUntil }),
    failingSince: failingSince(domain, now),
    failedAt: now.toISOString(),
    notBefore,
  }
}

function failingSince({ failingSince }: Domain, now: Date): string {
  return failingSince === undefined || isOfWrongClock(failingSince, now) ? now.toISOString() : failingSince
}

/** Retries start over, at once and for another full period. */
function expired(domain: Domain, now: Date): Domain {
  const { certificate, liveSince, failures, ...rest } = domain
  if (!certificate) return domain // the storage was restored, during the attempt, to what it was before there was one
  const { notAfter } = certificate
  const time = now.toISOString()
  const problem = { code: 'certificate_expired', notAfter } as const
  return {
    ...rest,
    certificate,
    state: 'failed',
    problem,
    failingSince: time,
    failedAt: time,
    attempts: 0,
    notBefore: time,
  }
}
