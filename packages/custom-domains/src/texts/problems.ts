// A problem as users see it: what is wrong, what to do, and when the next retry is.
import { retryAt } from '../maintenance/schedule.ts'
import { definitionOf } from '../problems/index.ts'
import { addresseeOf, reassurances } from '../problems/problem.ts'
import { recordFor } from '../problems/required-record.ts'
import type { Domain } from '../state/domain.ts'
import { failuresOf, nextRetry, validityOf } from './phrases.ts'
import type { ProblemView } from './types.ts'

/** What is wrong with a domain; steps and notes, a sentence each, are for users' domains only. @param target the CNAME target */
export function problemOf(domain: Domain, { target, now }: { target: string; now: Date }): ProblemView | undefined {
  const { name, problem, failures, certificate, isPlatform } = domain
  if (!problem) return undefined
  const definition = definitionOf(problem)
  const { about, message, steps, notes } = definition
  const nextTryAt = retryAt(domain, now)
  const subject = { name, record: recordFor(name, domain.target ?? target) }
  const addressee = isPlatform ? 'operator' : addresseeOf(definition, problem, subject)
  const reassurance = reassurances[addressee]
  const isPending = definition.isPending?.(problem) || undefined
  const records = definition.records?.(problem)
  const view = {
    code: problem.code,
    about,
    addressee,
    ...(isPending && { isPending }),
    ...(records && { found: records }),
    message: message(problem, name),
    ...(nextTryAt && { nextTryAt: nextTryAt.toISOString() }),
    ...(failures && {
      failures: failures.map(({ authority, problem }) => {
        return { authority, code: problem.code, message: definitionOf(problem).message(problem, name) }
      }),
    }),
  }
  if (isPlatform) return { ...view, steps: [], notes: [] }
  return {
    ...view,
    steps: steps && addressee === 'user' ? steps(problem, subject) : [],
    notes: [
      ...(reassurance ? [reassurance] : []),
      ...(notes?.(problem, subject) ?? []),
      ...failuresOf(domain),
      nextRetry(domain, now),
      ...(certificate ? [validityOf(certificate, now)] : []),
    ],
  }
}
