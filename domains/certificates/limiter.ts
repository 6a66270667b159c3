// The rate limiter of one account at an authority: few orders at a time, and none while the authority asks to wait.
import type { Problem } from '../state/domain.ts'
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
  /** Tells how the order went: undefined for a success. */
  note(error?: unknown): void
  /** Lets the next one in. */
  end(): void
}

interface Hold {
  until: number
  problem: Problem
}

interface Waiting {
  start(): void
  refuse(error: unknown): void
}

export function orderLimiter(clock: { now(): Date }): OrderLimiter {
  const queue: Waiting[] = []
  let running = 0
  let slots = AT_A_TIME
  let hold: Hold | undefined

  function refusal(): IssueError | undefined {
    const left = hold ? hold.until - clock.now().getTime() : 0
    return hold && left > 0 && left <= LONGEST_HOLD_MS ? new IssueError(hold.problem, left) : undefined
  }

  function startNext() {
    const refused = refusal()
    if (refused) for (const { refuse } of queue.splice(0)) refuse(refused)
    while (running < slots && queue.length > 0) {
      running++
      queue.shift()?.start()
    }
  }

  /** Once a hold ends, one order shows whether the authority accepts orders again. */
  function note(error?: unknown) {
    if (error === undefined) slots = AT_A_TIME
    if (!(error instanceof IssueError) || error.problem.code !== 'rate_limited') return
    const wait = Math.min(Math.max(error.retryAfterMs, SHORTEST_HOLD_MS), LONGEST_HOLD_MS)
    hold = { until: clock.now().getTime() + wait, problem: error.problem }
    slots = 1
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
