// What the page says of a domain: its state and what comes next, what is wrong, the record to make, a hint.

import { retryAt } from '../maintenance/schedule.ts'
import type { CertificateDates, Domain, DomainName, DomainState, Problem, ProblemCode } from '../state/domain.ts'
import { type NeededRecord, textsOf } from './problems.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export interface Context {
  name: DomainName
  /** The platform's name that records lead to. */
  target: string
  now: Date
  /** Undefined where nothing is tried by itself. */
  nextTryAt?: Date | undefined
  certificate?: CertificateDates | undefined
}

/** What is wrong, in a sentence, and what to do and to expect, a sentence each. */
export function describe(problem: Problem, context: Context): { message: string; steps: string[] } {
  const { name, target, now, nextTryAt, certificate } = context
  const { message, steps } = textsOf(problem)
  const todo = steps(problem, { name, record: recordFor(name, target) })
  return {
    message: message(problem, name),
    steps: [...todo, nextTry(problem, nextTryAt, now), ...(certificate ? [lifeOf(certificate, now)] : [])],
  }
}

export function recordFor({ kind, label }: DomainName, target: string): NeededRecord {
  const record = { name: label, value: target, ttl: 3600 }
  if (kind === 'subdomain') return { type: 'CNAME', ...record, note: '' }
  const note =
    'An apex domain cannot have a CNAME record. ALIAS is called ANAME by some DNS providers, and not every provider ' +
    'has it: without it, use a subdomain.'
  return { type: 'ALIAS', ...record, note }
}

const summaries: Record<DomainState, string> = {
  added: 'Make the DNS record, then choose Verify.',
  verifying: 'The DNS record is being checked.',
  verified: 'The DNS record is right, and a certificate comes next.',
  issuing: 'A certificate is being issued, usually within a couple of minutes.',
  live: 'Live, with a certificate that is renewed by itself.',
  failed: 'Not live.',
}

/** Problems of states that are not these are of an earlier try. */
const troubles: Partial<Record<DomainState, string>> = { live: 'Live, but with a problem.', failed: 'Not live.' }

/** The state, with what comes next. */
export function summaryOf(domain: Domain, now: Date): string {
  const { name, state, certificate } = domain
  const problem = state in troubles ? domain.problem : undefined
  return join(
    problem ? troubles[state] : summaries[state],
    problem && textsOf(problem).message(problem, name),
    isLate(domain, now) && checksOf(domain.problem?.code),
    certificate && lifeOf(certificate, now),
    problem && nextTry(problem, retryAt(domain), now),
  )
}

/** Where a browser may show something else than the state. */
export function hintOf(domain: Domain, now: Date, isRedirecting = false): string | undefined {
  const { name, state, liveSince, certificate } = domain
  const isNew = state === 'live' && liveSince !== undefined && since(liveSince, now) < HOUR
  const isExpected = (state === 'verified' || state === 'issuing') && !certificate
  const hints = join(
    isExpected && 'Until the certificate is there, browsers say that the connection is not private.',
    isNew && 'Connection not private? The browser may hold the old state: open a private window.',
    isRedirecting && `Browsers remember redirects: check with a private window or "curl -I https://${name.host}".`,
  )
  return hints === '' ? undefined : hints
}

function isLate({ state, waitingSince }: Domain, now: Date): boolean {
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

/** What to look at when a certificate has not come, looked at already. */
function checksOf(code: ProblemCode | undefined): string {
  const isVerified = !dnsProblems.includes(code)
  const isAllowed = isVerified && !caaProblems.includes(code)
  return join(
    'There is no certificate after 30 minutes.',
    `Does the domain still verify? ${isVerified ? 'Yes.' : 'No.'}`,
    isVerified && `Do its CAA records allow the certificate? ${isAllowed ? 'Yes.' : 'No.'}`,
    'Re-verify makes a new attempt.',
  )
}

function nextTry({ code }: Problem, at: Date | undefined, now: Date): string {
  if (!at) return 'Nothing is tried by itself any more: choose Re-verify.'
  if (at <= now) return 'The next try begins now.'
  const isBarred = code === 'rate_limited'
  return `The next try is at ${format(at)}${isBarred ? '' : '; Re-verify tries at once'}.`
}

function lifeOf({ notAfter }: CertificateDates, now: Date): string {
  const left = -since(notAfter, now)
  const days = Math.floor(left / DAY)
  if (left <= 0) return `The certificate ended at ${format(new Date(notAfter))}.`
  const period = days === 0 ? 'less than a day' : days === 1 ? '1 day' : `${days} days`
  return `The certificate lasts until ${format(new Date(notAfter))} (${period} left).`
}

/** Milliseconds. */
function since(time: string, now: Date): number {
  return now.getTime() - Date.parse(time)
}

/** `2026-11-21 10:30 UTC` */
function format(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function join(...sentences: (string | false | undefined)[]): string {
  return sentences.filter(Boolean).join(' ')
}
