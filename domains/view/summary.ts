// A domain's state in a few sentences: what it is, what is wrong, what comes next, and a hint about browsers.
import { retryAt } from '../maintenance/schedule.ts'
import type { Domain, ProblemCode } from '../state/domain.ts'
import { HOUR, join, MINUTE, nextRetry, since, validityOf } from './phrases.ts'
import { textsOf } from './problem-texts.ts'

const summaries: Record<Domain['state'], string> = {
  added: 'Create the DNS record, then choose Verify.',
  verifying: 'Checking the DNS record.',
  verified: 'The DNS record is correct. The certificate comes next.',
  issuing: 'The certificate is being issued, usually within a couple of minutes.',
  live: 'Live. The certificate renews automatically.',
  failed: 'Not live.',
}

/** In any other state, a problem is left from an earlier attempt. */
const withProblem: Partial<Record<Domain['state'], string>> = { live: 'Live, but with a problem.', failed: 'Not live.' }

export function summaryOf(domain: Domain, now: Date): string {
  const { name, state, certificate } = domain
  const problem = state in withProblem ? domain.problem : undefined
  return join(
    problem ? withProblem[state] : summaries[state],
    problem && textsOf(problem).message(problem, name),
    isOverdue(domain, now) && checksOf(domain.problem?.code),
    certificate && validityOf(certificate, now),
    problem && nextRetry(problem, retryAt(domain), now),
  )
}

/** Where a browser may show something other than the state. */
export function hintOf(domain: Domain, now: Date, isRedirecting = false): string | undefined {
  const { name, state, liveSince, certificate } = domain
  const isNew = state === 'live' && liveSince !== undefined && since(liveSince, now) < HOUR
  const isFirst = (state === 'verified' || state === 'issuing') && !certificate
  const hints = join(
    isFirst && 'Until the certificate is issued, browsers warn that the connection is not private.',
    isNew && 'Connection not private? Your browser may have cached the old state: open a private window.',
    isRedirecting && `Browsers cache redirects: check in a private window or with "curl -I https://${name.host}".`,
  )
  return hints === '' ? undefined : hints
}

function isOverdue({ state, waitingSince }: Domain, now: Date): boolean {
  return state !== 'live' && waitingSince !== undefined && since(waitingSince, now) >= 30 * MINUTE
}

const dnsProblems: readonly (ProblemCode | undefined)[] = [
  'record_missing',
  'conflicting_record',
  'cname_mismatch',
  'target_unresolvable',
  'dns_unreachable',
]
const caaProblems: readonly (ProblemCode | undefined)[] = ['caa_blocks', 'caa_unreachable']

/** The checks for an overdue certificate, with the results of the last attempt. */
function checksOf(code: ProblemCode | undefined): string {
  const isVerified = !dnsProblems.includes(code)
  const isAllowed = isVerified && !caaProblems.includes(code)
  return join(
    'No certificate after 30 minutes.',
    `Does the domain still verify? ${isVerified ? 'Yes.' : 'No.'}`,
    isVerified && `Do its CAA records allow the certificate? ${isAllowed ? 'Yes.' : 'No.'}`,
    'Choose Re-verify to try again.',
  )
}
