// Limits orders at one authority: a few are placed and validated at a time, none beyond its published limits, and none
// during a backoff. Orders and backoffs are stored by name, so that they survive restarts and removals.
import { randomUUID } from 'node:crypto'
import { IssueError } from '../certificates/issuer.ts'
import type { Backoff, Domain, PlacedOrder, Problem } from '../state/domain.ts'
import type { DomainState } from '../state/domain-state.ts'
import { sortedByNeed } from './need.ts'
import { limitOf, mayCount } from './order-limits.ts'
import { queueAt } from './queue.ts'
import { endOf, longestRetryAfter } from './schedule.ts'

const AT_A_TIME = 5
/** After a rate limit that names no time. */
const SHORTEST_BACKOFF_MS = 60_000
/** Let's Encrypt's limits on an account last three hours at most. */
const LONGEST_ACCOUNT_BACKOFF_MS = 3 * 3_600_000

export interface OrderLimiter {
  /**
   * Waits for a slot, then runs an order.
   * @param isNew false for an order that has been placed already
   * @param order calls `release` when it needs no slot any more
   * @throws IssueError while a limit applies; the signal's reason; what `order` throws
   */
  run<Result>(
    domain: Domain,
    isNew: boolean,
    signal: AbortSignal,
    order: (release: () => void) => Promise<Result>,
  ): Promise<Result>
  /** Counts an order that the authority has confirmed. */
  record(domain: Domain, isExempt?: boolean): Promise<void>
}

/** @param authority its directory URL @param orderLimit how many orders it accepts in three hours */
export function orderLimiter(
  authority: string,
  state: Pick<DomainState, 'current' | 'apply' | 'commit'>,
  clock: { now(): Date },
  orderLimit?: number,
): OrderLimiter {
  /** Those without a slot. */
  const waiters = new Set<{ domain: Domain; proceed: () => void }>()
  const waitingAt = queueAt(authority, state, clock)
  let running = 0
  /** The new orders that are about to be placed. */
  const placing = new Map<Domain, PlacedOrder>()
  /** These apply while they are being saved. */
  const unsaved = new Map<string, Backoff>()

  /** Kept after it ends, until an order succeeds. */
  const latestBackoff = (scope: string) => unsaved.get(scope) ?? state.current().backoffs.get(scope)

  const scopesOf = ({ name, certificate }: Domain) => [
    authority,
    ...(certificate ? [] : [`${authority} *.${name.zone}`]), // renewals are exempt
    `${authority} ${name.host}`,
  ]

  /** @param domain its certificate must not expire meanwhile */
  function leftOf(scope: string, domain: Domain): number {
    const { from, until } = latestBackoff(scope) ?? { from: '', until: '' }
    const now = clock.now()
    const begun = new Date(from)
    const longest = Math.min(Date.parse(until) - begun.getTime(), longestRetryAfter(domain, begun))
    return endOf(from, longest, now) - now.getTime()
  }

  function backoffOf(domain: Domain): IssueError | undefined {
    const backoffs = scopesOf(domain).flatMap((scope) => {
      const left = leftOf(scope, domain)
      return left > 0 ? new IssueError((latestBackoff(scope) as Backoff).problem, left) : []
    })
    return backoffs.sort((a, b) => b.retryAfterMs - a.retryAfterMs)[0]
  }

  function limitOn(domain: Domain): IssueError | undefined {
    const orders = [...state.current().orders.values(), ...placing.values()].filter(
      (order) => order.authority === authority,
    )
    const limit = limitOf(domain, orders, clock.now(), { authority, orderLimit }, waitingAt(orders))
    if (!limit) return undefined
    const { detail, ms, isTurn } = limit
    return new IssueError({ code: 'rate_limited', detail, ...(isTurn && { queue: authority }) }, ms)
  }

  /** Resolves when a slot is free, a limit applies, or the signal aborts. */
  function changed(domain: Domain, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const waiter = { domain, proceed }
      function proceed() {
        waiters.delete(waiter)
        signal.removeEventListener('abort', proceed)
        resolve()
      }
      waiters.add(waiter)
      signal.addEventListener('abort', proceed)
    })
  }

  /** The first one takes what is free. */
  function noteChange() {
    for (const { proceed } of sortedByNeed([...waiters], ({ domain }) => domain, clock.now())) proceed()
  }

  function orderOf({ name, certificate }: Domain): PlacedOrder {
    const at = clock.now().toISOString()
    return { authority, host: name.host, at, ...(certificate && { isRenewal: true as const }) }
  }

  async function takeSlot(domain: Domain, isNew: boolean, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted()
      const backoff = backoffOf(domain)
      if (backoff) throw backoff
      const count = latestBackoff(authority) ? 1 : AT_A_TIME // one order shows whether the authority accepts orders again
      if (running < count) break
      await changed(domain, signal)
    }
    const limit = isNew && limitOn(domain) // counts all orders, so only with a free slot
    if (limit) throw limit
    if (isNew) placing.set(domain, orderOf(domain))
    running++
  }

  /** @returns the error with a bounded wait */
  async function backOff(domain: Domain, { problem, retryAfterMs, type }: IssueError): Promise<IssueError> {
    const scope = scopeOf(problem, domain, authority)
    const now = clock.now()
    const longest = longestRetryAfter(domain, now)
    const ms = Math.min(retryAfterMs || SHORTEST_BACKOFF_MS, scope === authority ? LONGEST_ACCOUNT_BACKOFF_MS : longest)
    const backoff = { from: now.toISOString(), until: new Date(now.getTime() + ms).toISOString(), problem }
    unsaved.set(scope, backoff)
    await state.apply(({ backoffs }) => {
      for (const [other, { until }] of backoffs) if (other.includes(' ') && until < backoff.from) backoffs.delete(other)
      backoffs.set(scope, backoff)
    })
    unsaved.delete(scope)
    return new IssueError(problem, Math.min(ms, longest), type)
  }

  /** An order from before a backoff may succeed during it, which does not end it. */
  async function endBackoffs(domain: Domain) {
    const ended = scopesOf(domain).filter((scope) => latestBackoff(scope) && leftOf(scope, domain) <= 0)
    if (ended.length > 0) await state.apply(({ backoffs }) => ended.forEach((scope) => void backoffs.delete(scope)))
  }

  async function limited<T>(domain: Domain, order: () => Promise<T>): Promise<T> {
    try {
      const result = await order()
      await endBackoffs(domain)
      return result
    } catch (error) {
      if (!(error instanceof IssueError) || !isBackoff(error)) throw error
      throw await backOff(domain, error)
    }
  }

  return {
    async run(domain, isNew, signal, order) {
      await takeSlot(domain, isNew, signal)
      const release = onceOnly(() => {
        placing.delete(domain)
        running--
        noteChange()
      })
      return limited(domain, () => order(release)).finally(release)
    },
    async record(domain, isExempt) {
      const now = clock.now()
      const order = { ...orderOf(domain), ...(isExempt && { isExempt: true as const }) }
      const counts = mayCount(now)
      await state.commit(({ orders }) => {
        for (const [id, former] of orders) if (!counts(former)) orders.delete(id)
        orders.set(randomUUID(), order)
      })
      placing.delete(domain)
    },
  }
}

function onceOnly(action: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) action()
    isDone = true
  }
}

function isBackoff({ problem, retryAfterMs }: IssueError): boolean {
  return problem.code === 'rate_limited' || retryAfterMs > 0
}

/**
 * The scope of a rate limit, by its text. The limits of https://letsencrypt.org/docs/rate-limits/ apply to an account or
 * an address, to a registered domain, or to an exact set of names. Anything else applies to the domain alone.
 */
function scopeOf(problem: Problem, { name }: Domain, authority: string): string {
  const detail = problem.code === 'rate_limited' ? problem.detail : ''
  if (/new orders|new registrations|pending authorizations|this account|this IP/i.test(detail)) return authority
  const isOfZone = /certificates.* already issued for/i.test(detail) && !/exact set/i.test(detail)
  return isOfZone ? `${authority} *.${name.zone}` : `${authority} ${name.host}`
}
