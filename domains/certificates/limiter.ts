// The rate limiter of one account at an authority: few orders at a time, and none while the authority asks to wait. The
// wait is stored, so that it outlives this process.
import type { DomainState } from '../state/domain-state.ts'
import type { Hold } from '../state/hold.ts'
import { IssueError } from './issuer.ts'

const AT_A_TIME = 5
/** After a rate limit that names no time. */
const SHORTEST_HOLD_MS = 60_000
/**
 * Let's Encrypt's limits on an account last three hours at most: a longer one is on a domain, and must not hold up all
 * others.
 */
const LONGEST_HOLD_MS = 3 * 3_600_000

export interface OrderLimiter {
  /** Waits for a turn. @throws IssueError while the authority asks to wait; the signal's reason */
  enter(signal: AbortSignal): Promise<Turn>
}

export interface Turn {
  /** Tells how the order went: undefined for a success. Resolves once that is stored. */
  note(error?: unknown): Promise<void>
  /** Lets the next one in. */
  end(): void
}

interface Waiting {
  start(): void
  refuse(error: unknown): void
}

/** @param authority its directory URL */
export function orderLimiter(
  authority: string,
  state: Pick<DomainState, 'current' | 'apply'>,
  clock: { now(): Date },
): OrderLimiter {
  const queue: Waiting[] = []
  let running = 0
  /** Counts while it is being stored, too. */
  let unstored: Hold | undefined

  /** It remains once it is over, until an order succeeds. */
  const lastHold = () => unstored ?? state.current().holds?.get(authority)

  function refusal(): IssueError | undefined {
    const hold = lastHold()
    const left = hold ? Date.parse(hold.until) - clock.now().getTime() : 0
    return hold && left > 0 && left <= LONGEST_HOLD_MS ? new IssueError(hold.problem, left) : undefined
  }

  function startNext() {
    const refused = refusal()
    if (refused) for (const { refuse } of queue.splice(0)) refuse(refused)
    const slots = lastHold() ? 1 : AT_A_TIME // one order shows whether the authority accepts orders again
    while (running < slots && queue.length > 0) {
      running++
      queue.shift()?.start()
    }
  }

  async function note(error?: unknown) {
    if (error instanceof IssueError && error.problem.code === 'rate_limited') await hold(error)
    const isOver = lastHold() && !refusal() // an order from before a hold may succeed during it
    if (error === undefined && isOver) await state.apply(({ holds }) => holds.delete(authority))
  }

  async function hold({ problem, retryAfterMs }: IssueError) {
    const wait = Math.min(Math.max(retryAfterMs, SHORTEST_HOLD_MS), LONGEST_HOLD_MS)
    const own = { until: new Date(clock.now().getTime() + wait).toISOString(), problem }
    unstored = own
    await state.apply(({ holds }) => holds.set(authority, own))
    unstored = undefined
  }

  function turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const abort = () => {
        const index = queue.indexOf(waiting)
        if (index >= 0) queue.splice(index, 1)
        reject(signal.reason)
      }
      const settling = (settle: (value: never) => void) => (value?: unknown) => {
        signal.removeEventListener('abort', abort)
        settle(value as never)
      }
      const waiting = { start: settling(resolve), refuse: settling(reject) }
      signal.addEventListener('abort', abort)
      queue.push(waiting)
      startNext()
    })
  }

  return {
    async enter(signal) {
      await turn(signal)
      return {
        note,
        end() {
          running--
          startNext()
        },
      }
    },
  }
}
