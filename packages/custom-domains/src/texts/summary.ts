// A domain's state in a few sentences: what it is, what is wrong, what comes next, and a hint about browsers.
import { definitionOf } from '../problems/index.ts'
import { phraseOf } from '../problems/required-record.ts'
import type { Domain, Problem } from '../state/domain.ts'
import { durationOf, failuresOf, format, HOUR, join, MINUTE, nextRetry, since, validityOf } from './phrases.ts'

const summaries: Record<Domain['state'], string> = {
  added: 'Create the DNS record, then verify the domain.',
  verifying: 'Checking the DNS record.',
  verified: 'The DNS record is correct. The certificate comes next.',
  issuing: 'The certificate is being issued, usually within a couple of minutes.',
  live: 'Live. The certificate renews automatically.',
  failed: 'Not live.',
}

/** In any other state, a problem is left from an earlier attempt. */
const withProblem: Partial<Record<Domain['state'], string>> = { live: 'Live, but with a problem.', failed: 'Not live.' }

export function summaryOf(domain: Domain, now: Date): string {
  const { name, state, certificate, failingSince } = domain
  const problem = state in withProblem ? domain.problem : undefined
  return join(
    stateIn(state, problem),
    problem && definitionOf(problem).message(problem, name),
    ...(problem ? failuresOf(domain) : []),
    state === 'live' &&
      aboutOf(problem) === 'dns' &&
      failingSince &&
      `First noticed at ${format(new Date(failingSince))}.`,
    isOverdue(domain, now) && checksOf(domain.problem),
    certificate && validityOf(certificate, now),
    problem && nextRetry(domain, now),
  )
}

function stateIn(state: Domain['state'], problem: Problem | undefined): string | undefined {
  if (!problem) return summaries[state]
  return state === 'failed' && definitionOf(problem).isPending?.(problem) ? 'Waiting for DNS.' : withProblem[state]
}

export interface Redirects {
  /** The redirect from this domain. */
  redirect?: { to: string; isActive: boolean } | undefined
  /** Whether others are to redirect to this one, but cannot yet. */
  isAwaited?: boolean
}

/** What a browser shows of a host without a certificate: the handshake ends with an alert. */
const chromeError = 'ERR_SSL_VERSION_OR_CIPHER_MISMATCH'

/** Where a browser may show something other than the state. */
export function hintOf(domain: Domain, now: Date, { redirect, isAwaited }: Redirects = {}): string | undefined {
  const { name, state, liveSince, certificate, problem } = domain
  const explanation = certificate?.renewal?.explanationUrl
  const isWaiting = redirect !== undefined && !redirect.isActive && state === 'live'
  const isNew = state === 'live' && liveSince !== undefined && since(liveSince, now) < HOUR
  const isVerified = state === 'verified' || state === 'issuing' || (state === 'failed' && aboutOf(problem) !== 'dns')
  const hints = join(
    outdatedHint(domain, now),
    explanation && `The certificate authority explains when it wants to renew the certificate: ${explanation}`,
    isVerified && `Until this domain is live, browsers cannot open https://${name.host}: Chrome shows ${chromeError}.`,
    isNew && 'Does your browser still show an error, or the former site? Open a private window.',
    isWaiting && `The redirect begins once ${redirect.to} is live. Until then, this domain is served itself.`,
    isAwaited && 'Until this domain is live, the domains that redirect to it are served themselves.',
    redirect?.isActive &&
      `Your browser may have cached a former redirect: check in a private window or with "curl -I https://${name.host}".`,
  )
  return hints === '' ? undefined : hints
}

/** Where the record is not found yet. */
function outdatedHint({ outdated, problem }: Domain, now: Date): string | undefined {
  if (!outdated || aboutOf(problem) === 'dns') return undefined
  const formerRecords = phraseOf(outdated.found)
  if ('server' in outdated)
    return `The name server ${outdated.server} does not have your record yet: it returns ${formerRecords}.`
  const left = -since(outdated.until, now)
  if (left <= 0) return undefined
  return `Your record is there. All resolvers will see it within about ${durationOf(left)}; until then, some return ${formerRecords}.`
}

function isOverdue({ state, waitingSince }: Domain, now: Date): boolean {
  return state !== 'live' && waitingSince !== undefined && since(waitingSince, now) >= 30 * MINUTE
}

const aboutOf = (problem: Problem | undefined) => problem && definitionOf(problem).about

/** The checks for an overdue certificate, with the results of the last attempt. */
function checksOf(problem: Problem | undefined): string {
  const about = aboutOf(problem)
  const isVerified = about !== 'dns'
  const isAllowed = about !== 'caa'
  return join(
    'No certificate after 30 minutes.',
    `Does the domain still verify? ${isVerified ? 'Yes.' : 'No.'}`,
    isVerified && `Do its CAA records allow the certificate? ${isAllowed ? 'Yes.' : 'No.'}`,
    'Re-verify the domain to try again.',
  )
}
