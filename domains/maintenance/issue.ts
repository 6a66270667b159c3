// Obtains a certificate: completes the pending order, or places one at the first authority that issues it.
import { type Authority, authorityNamed } from '../certificates/authorities.ts'
import { IssueError } from '../certificates/issuer.ts'
import { loadOrder, type PendingOrder } from '../certificates/order.ts'
import type { Domain, ProblemCode } from '../state/domain.ts'
import type { Clock } from './clock.ts'
import { limitOf } from './limits.ts'
import { type OrderOptions, orderAt, passing } from './order-at.ts'
import type { Failed, Live, Progress } from './transitions.ts'

export interface IssueOptions extends OrderOptions {
  /** In the order in which they are tried. */
  authorities: readonly [Authority, ...Authority[]]
  /** All domains, whose orders count. */
  domains(): Iterable<Domain>
  clock: Clock
}

/** Another authority may issue in spite of these; any other problem is the domain's own. */
const ofAuthority: readonly ProblemCode[] = [...passing, 'ca_refused', 'caa_blocks']

/** Yields before an order is placed or completed. @throws IssueError for a problem of the domain */
export async function* issue(
  domain: Domain,
  signal: AbortSignal,
  options: IssueOptions,
): AsyncGenerator<Progress, Live | Failed> {
  const { authorities, certificates, domains, clock } = options
  const failures = new Map<Authority, IssueError>()

  /** Undefined if another authority, or another order, may do. */
  async function* tryAt(authority: Authority, pending?: PendingOrder): AsyncGenerator<Progress, Live | undefined> {
    try {
      return yield* orderAt(authority, pending, domain, signal, options)
    } catch (error) {
      if (!(error instanceof IssueError) || !ofAuthority.includes(error.problem.code)) throw error
      failures.set(authority, error)
      return undefined
    }
  }
  const failuresOf = (some: Iterable<Authority>) =>
    Array.from(some, (authority) => ({
      authority: authority.issuer.authority,
      problem: (failures.get(authority) as IssueError).problem,
    }))

  const pending = await loadOrder(domain, certificates)
  const orderedFrom = authorityNamed(authorities, pending?.authority)
  const completed = orderedFrom && (yield* tryAt(orderedFrom, pending))
  if (completed) return completed

  const others = authorities.filter((authority) => !failures.has(authority))
  // An attempt places at most one order at each authority: what holds for attempts holds for all of them.
  const limit = others.length > 0 && limitOf(domain, domains(), clock.now())
  if (limit) return { kind: 'failed', problem: { code: 'rate_limited', detail: limit.detail }, retryAfterMs: limit.ms }
  for (const authority of others) {
    const issued = yield* tryAt(authority)
    if (issued) return { ...issued, failures: failuresOf(failures.keys()) }
  }
  const [first, ...fallbacks] = authorities
  const { problem, retryAfterMs } = failures.get(first) as IssueError
  const waits = [...failures.values()].filter((error) => passing.includes(error.problem.code))
  const soonest = Math.min(...waits.map((error) => error.retryAfterMs))
  return {
    kind: 'failed',
    problem,
    retryAfterMs: waits.length > 0 ? soonest : retryAfterMs,
    failures: failuresOf(fallbacks),
  }
}
