// Orders in PostgreSQL. Any number of instances share them and see each other's changes immediately.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CancelOutcome, cancelOutcomes, noOrders, type OrderStatus, type OrderStore } from '../order-store.ts'
import { StoreUnavailableError } from '../unavailable.ts'
import { type Cancellation, type Canceller, inGroups } from './cancellations.ts'
import { withDeadline } from './deadline.ts'
import { listReader } from './list-reader.ts'
import type { LogFunction } from './outage.ts'
import * as queries from './queries.ts'
import { queryRow, type Sessions } from './sessions.ts'

const PRUNE_MS = 60_000
/** Other services may write while nobody sends a request. */
const IDLE_PRUNE_MS = 24 * 3_600_000
/** Counting reads the whole table. */
const COUNT_LIMIT_MS = 60_000
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [5, 250]

export interface PostgresStoreOptions {
  /** How long a request may take, in milliseconds like `pruneEvery`. */
  timeout: number
  pruneEvery?: number
  createCanceller?: (sessions: Sessions) => Canceller
  log?: LogFunction
}

/** Closing the store closes the sessions. */
export function postgresOrderStore(sessions: Sessions, options: PostgresStoreOptions) {
  const { timeout, pruneEvery = PRUNE_MS, createCanceller = inGroups, log } = options
  const readList = listReader(log)
  /** Since the last prune: a database without requests may suspend itself, and is not woken. */
  let isUsed = true
  let prunedAt = performance.now()
  const list = singleFlight(() => {
    isUsed = true
    return sessions.run(readList, { isLong: true })
  })
  async function prune() {
    while (await sessions.run(async (session) => (await queryRow<{ more: boolean }>(session, queries.prune)).more));
  }
  function pruneIfUsed() {
    if (!isUsed && performance.now() < prunedAt + IDLE_PRUNE_MS) return
    isUsed = false
    prunedAt = performance.now()
    prune().catch(() => {
      isUsed = true // the next one makes up for a failure
    })
  }
  const pruning = setInterval(pruneIfUsed, pruneEvery).unref()
  const canceller = createCanceller(sessions)

  /** Waits for another transaction without keeping a connection. */
  async function cancelWhenUnlocked(cancellation: Cancellation): Promise<CancelOutcome> {
    let outcome = await canceller.cancel(cancellation)
    for (let pause = FIRST_PAUSE_MS; !outcome; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      if (performance.now() + pause >= cancellation.deadline)
        throw new StoreUnavailableError('another transaction holds the order', 1)
      await sleep(pause)
      outcome = await canceller.cancel(cancellation)
    }
    if (!cancelOutcomes.includes(outcome)) throw new StoreUnavailableError(`only a newer server knows ${outcome}`, 1)
    return outcome
  }

  return {
    // Reading a very long list for the first time continues beyond the deadline, for later requests.
    list: () => withDeadline(performance.now() + timeout, list()),
    // Ready means that a list can be served.
    async ping() {
      await withDeadline(performance.now() + timeout, list())
    },
    async cancel(orderId: bigint) {
      if (!isInt64(orderId)) return 'not_found'
      isUsed = true
      const deadline = performance.now() + timeout
      return withDeadline(deadline, cancelWhenUnlocked({ orderId, request: randomUUID(), deadline }))
    },
    async hasPet(petId: bigint) {
      if (!isInt64(petId)) return false
      return sessions.run(async (session) => {
        return (await queryRow<{ known: boolean }>(session, queries.pet, [petId])).known
      })
    },
    async countByStatus() {
      const rows = await sessions.background(async (session) => {
        await session.query(queries.beginLong(COUNT_LIMIT_MS))
        const counted = await session.query<StatusRow>(queries.statuses)
        await session.query(queries.commit)
        return counted
      }, COUNT_LIMIT_MS)
      return { ...noOrders(), ...Object.fromEntries(rows.map((row) => [row.status, row.orders])) }
    },
    connections() {
      const { waiting, ...connections } = sessions.connections()
      return { ...connections, waiting: waiting + canceller.waiting() }
    },
    close() {
      clearInterval(pruning)
      return sessions.close()
    },
  } satisfies OrderStore
}

interface StatusRow {
  status: OrderStatus
  orders: number
}

const isInt64 = (value: bigint) => BigInt.asIntN(64, value) === value

/** Runs one call at a time. Each caller gets the result of a call that started after it asked. */
export function singleFlight<T>(call: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let queued: Promise<T> | undefined

  function start(): Promise<T> {
    queued = undefined
    const started = call().finally(() => {
      if (running === started) running = undefined
    })
    running = started
    return started
  }

  return () => {
    if (!running) return start()
    queued ??= running.then(start, start)
    return queued
  }
}
