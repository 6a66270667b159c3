// A problem as users see it: what is wrong, what to do, and when the next retry is.
import type { CertificateDates, DomainName, Problem } from '../state/domain.ts'
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

/** `message` is one sentence; so is each step. */
export function describe(problem: Problem, context: ProblemContext): { message: string; steps: string[] } {
  const { name, target, now, nextTryAt, certificate } = context
  const { message, steps } = textsOf(problem)
  return {
    message: message(problem, name),
    steps: [
      ...steps(problem, { name, record: recordFor(name, target) }),
      nextRetry(problem, nextTryAt, now),
      ...(certificate ? [validityOf(certificate, now)] : []),
    ],
  }
}
