// A problem as users see it: what is wrong, what to do, and when the next retry is.
import { retryAt } from '../maintenance/schedule.ts'
import type { CertificateDates, Domain, DomainName, Problem, ProblemCode } from '../state/domain.ts'
import { nextRetry, validityOf } from './phrases.ts'
import { textsOf } from './problem-texts.ts'
import { recordFor } from './record.ts'

export interface ProblemContext {
  name: DomainName
  /** The platform's CNAME target. */
  target: string
  now: Date
  /** Undefined once automatic retries have stopped. */
  nextTryAt?: Date | undefined
  certificate?: CertificateDates | undefined
}

export interface ProblemView {
  code: ProblemCode
  message: string
  steps: string[]
  notes: string[]
  nextTryAt?: string
}

/** What is wrong with a domain. Steps and notes are for users' domains only. */
export function problemOf(
  domain: Domain,
  { target, now }: Pick<ProblemContext, 'target' | 'now'>,
): ProblemView | undefined {
  const { name, problem, certificate, isPlatform } = domain
  if (!problem) return undefined
  const nextTryAt = retryAt(domain, now)
  const { message, steps, notes } = describe(problem, { name, target, now, nextTryAt, certificate })
  return {
    code: problem.code,
    message,
    steps: isPlatform ? [] : steps,
    notes: isPlatform ? [] : notes,
    ...(nextTryAt && { nextTryAt: nextTryAt.toISOString() }),
  }
}

/** `message` is one sentence; so is each step and each note. */
export function describe(problem: Problem, context: ProblemContext): Pick<ProblemView, 'message' | 'steps' | 'notes'> {
  const { name, target, now, nextTryAt, certificate } = context
  const { message, steps, notes } = textsOf(problem)
  const subject = { name, record: recordFor(name, target) }
  return {
    message: message(problem, name),
    steps: steps?.(problem, subject) ?? [],
    notes: [
      ...(notes?.(problem, subject) ?? []),
      nextRetry(problem, nextTryAt, now),
      ...(certificate ? [validityOf(certificate, now)] : []),
    ],
  }
}
