// Orders in PostgreSQL: any number of instances share them, and see each other's changes at once.
import { randomUUID } from 'node:crypto'
import type { OrderStatus } from '../file/record.ts'
import type { CancelOutcome, OrderStore } from '../order-store.ts'
import { listReader } from './list-reader.ts'
import * as queries from './queries.ts'
import { before, queryRow, type Sessions } from './sessions.ts'
import { singleFlight } from './single-flight.ts'

const PRUNE_MS = 60_000

/** `timeout` is how long a list may take, in milliseconds like `pruneEvery`. Closing the store closes the sessions. */
export function postgresOrderStore(sessions: Sessions, timeout: number, pruneEvery = PRUNE_MS): OrderStore {
  const read = listReader()
  const list = singleFlight(() => sessions.run(read, { isLong: true }))
  const ping = singleFlight(async () => {
    await sessions.run((session) => session.query(queries.ping))
  })
  const prune = () => {
    sessions.run((session) => session.query(queries.prune)).catch(() => {}) // a later one will do
  }
  const pruning = setInterval(prune, pruneEvery).unref()

  return {
    // A first list of very many orders is read beyond the deadline, for later requests.
    list: () => before(performance.now() + timeout, list()),
    async cancel(orderId) {
      if (!isInt64(orderId)) return 'not_found'
      const request = randomUUID() // identifies its own cancellation in a retry
      return sessions.run(async (session) => {
        const values = [orderId, request]
        return (await queryRow<{ outcome: CancelOutcome }>(session, queries.cancel, values)).outcome
      })
    },
    async hasPet(petId) {
      if (!isInt64(petId)) return false
      return sessions.run(async (session) => {
        return (await queryRow<{ known: boolean }>(session, queries.pet, [petId])).known
      })
    },
    async countByStatus() {
      const rows = await sessions.run((session) => session.query<StatusRow>(queries.statuses))
      return {
        pending: 0,
        shipped: 0,
        cancelled: 0,
        ...Object.fromEntries(rows.map((row) => [row.status, row.orders])),
      }
    },
    connections: sessions.connections,
    ping,
    close() {
      clearInterval(pruning)
      return sessions.close()
    },
  }
}

interface StatusRow {
  status: OrderStatus
  orders: number
}

const isInt64 = (value: bigint) => BigInt.asIntN(64, value) === value
