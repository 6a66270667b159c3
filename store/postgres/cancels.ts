// Cancels orders: each with a statement of its own, or in groups that share a statement, a commit and a round trip.
import type { CancelOutcome } from '../order-store.ts'
import { queueIsFull } from './limiter.ts'
import * as queries from './queries.ts'
import { queryRow, type Session, type Sessions } from './sessions.ts'

export interface Cancellation {
  orderId: bigint
  /** Identifies the request's own cancellation in a retry. */
  request: string
  /** As performance.now() counts. */
  deadline: number
}

/** Resolves with null if another transaction holds the order. */
export type Cancel = (cancellation: Cancellation) => Promise<CancelOutcome | null>

/** Two, so that PostgreSQL works on one group while the results of the other are sent. */
const GROUPS = 2
const GROUP_SIZE = 256
const LONGEST_QUEUE = 1024

export function oneByOne(sessions: Sessions): Cancel {
  return async (cancellation) => {
    const { deadline } = cancellation
    const [outcome] = await sessions.run((session) => cancelAll(session, [cancellation]), { deadline })
    return outcome as CancelOutcome | null
  }
}

/** What arrives while groups are under way goes with the next one. */
export function inGroups(sessions: Sessions, alone = oneByOne(sessions)): Cancel {
  interface Member {
    cancellation: Cancellation
    resolve(outcome: ReturnType<Cancel> | CancelOutcome | null): void
  }
  const waiting: Member[] = []
  let underWay = 0

  async function send(members: readonly Member[]) {
    const cancellations = members.map(({ cancellation }) => cancellation)
    const deadline = Math.max(...cancellations.map((each) => each.deadline))
    try {
      const outcomes = await sessions.attempt((session) => cancelAll(session, cancellations), deadline)
      members.forEach(({ resolve }, index) => {
        resolve(outcomes[index] as CancelOutcome | null)
      })
    } catch {
      // One order may have failed them all, in a trigger of another service.
      for (const { cancellation, resolve } of members) resolve(alone(cancellation))
    }
  }

  async function work() {
    underWay++
    while (waiting.length > 0) {
      const inTime = waiting
        .splice(0, GROUP_SIZE)
        .filter(({ cancellation }) => cancellation.deadline > performance.now())
      if (inTime.length > 0) await send(inTime) // the others have been answered with an error
    }
    underWay--
  }

  return (cancellation) => {
    if (waiting.length >= LONGEST_QUEUE) return Promise.reject(queueIsFull())
    return new Promise((resolve) => {
      waiting.push({ cancellation, resolve })
      if (underWay < GROUPS) work()
    })
  }
}

async function cancelAll(session: Session, cancellations: readonly Cancellation[]) {
  const values = [cancellations.map(({ orderId }) => orderId), cancellations.map(({ request }) => request)]
  return (await queryRow<{ outcomes: (CancelOutcome | null)[] }>(session, queries.cancel, values)).outcomes
}
