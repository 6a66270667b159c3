// Cancels orders: one per statement, or in groups that share a statement, a commit and a round trip.
import pg from 'pg'
import type { CancelOutcome } from '../order-store.ts'
import { connectionsBusyError } from './connection-queue.ts'
import * as queries from './queries.ts'
import { queryRow, type Session, type Sessions } from './sessions.ts'

export interface Cancellation {
  orderId: bigint
  /** Identifies the request, so that a retry recognizes its own cancellation. */
  request: string
  /** The time at which the request gets an error, as performance.now() counts. */
  deadline: number
}

export interface Canceller {
  /** Resolves with null if another transaction holds the order. */
  cancel(cancellation: Cancellation): Promise<CancelOutcome | null>
  /** Cancellations that wait for a group. */
  waiting(): number
}

/** Two, so that PostgreSQL processes one group while the results of the other are sent. */
const CONCURRENT_GROUPS = 2
const GROUP_SIZE = 256
const MAX_QUEUED_CANCELLATIONS = 1024
/** The isolation level is not READ COMMITTED. */
const INVALID_TRANSACTION_STATE = '25000'

export function oneByOne(sessions: Sessions): Canceller {
  return {
    waiting: () => 0,
    async cancel(cancellation) {
      const { deadline } = cancellation
      const [outcome] = await sessions.run((session) => cancelAll(session, [cancellation]), { deadline })
      return outcome as CancelOutcome | null
    },
  }
}

/** Cancellations that arrive while groups are running form the next group. */
export function inGroups(sessions: Sessions): Canceller {
  interface Queued {
    cancellation: Cancellation
    resolve(outcome: ReturnType<Canceller['cancel']> | CancelOutcome | null): void
  }
  const alone = oneByOne(sessions)
  const queue: Queued[] = []
  let running = 0

  async function send(members: readonly Queued[]) {
    const cancellations = members.map(({ cancellation }) => cancellation)
    const deadline = Math.max(...cancellations.map((each) => each.deadline))
    try {
      const outcomes = await sessions.attempt((session) => cancelAll(session, cancellations), deadline)
      members.forEach(({ resolve }, index) => {
        resolve(outcomes[index] as CancelOutcome | null)
      })
    } catch {
      // One order may have failed the whole group, for example in another service's trigger.
      for (const { cancellation, resolve } of members) resolve(alone.cancel(cancellation))
    }
  }

  async function sendQueued() {
    running++
    while (queue.length > 0) {
      const group = queue.splice(0, GROUP_SIZE)
      // The others have been answered with an error.
      const inTime = group.filter(({ cancellation }) => cancellation.deadline > performance.now())
      if (inTime.length > 0) await send(inTime)
    }
    running--
  }

  return {
    waiting: () => queue.length,
    cancel(cancellation) {
      if (queue.length >= MAX_QUEUED_CANCELLATIONS) return Promise.reject(connectionsBusyError())
      return new Promise((resolve) => {
        queue.push({ cancellation, resolve })
        if (running < CONCURRENT_GROUPS) void sendQueued()
      })
    },
  }
}

async function cancelAll(session: Session, cancellations: readonly Cancellation[]) {
  const values = [cancellations.map(({ orderId }) => orderId), cancellations.map(({ request }) => request)]
  const cancel = async () =>
    (await queryRow<{ outcomes: (CancelOutcome | null)[] }>(session, queries.cancel, values)).outcomes
  try {
    return await cancel()
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== INVALID_TRANSACTION_STATE) throw error
  }
  // A pooler may give each statement to another session, whose default is another level.
  await session.query(queries.beginReadCommitted)
  const outcomes = await cancel()
  await session.query(queries.commit)
  return outcomes
}
