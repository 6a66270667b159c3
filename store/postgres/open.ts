// Opens the store. An unreachable database does not prevent the start; opening is retried until it responds.
import { setTimeout as sleep } from 'node:timers/promises'
import type { OrderStore } from '../order-store.ts'
import { StoreUnavailableError } from '../unavailable.ts'
import { isTransient } from './faults.ts'
import type { LogFunction } from './outage.ts'
import { postgresOrderStore } from './postgres-store.ts'
import { checkSchema } from './schema.ts'
import { openSessions, type Sessions, type SessionsOptions } from './sessions.ts'

const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [250, 10_000]

/** @throws if the database responds but the operator must change something first; the message says what */
export async function openPostgresStore(options: SessionsOptions, log: LogFunction): Promise<OrderStore> {
  const sessions = openSessions(options, log)
  const closing = new AbortController()
  let isOpen = false
  try {
    await sessions.run(checkSchema) // not repeated once it has succeeded: a running server survives a migration
    isOpen = true
  } catch (error) {
    const cause = permanentCause(error)
    if (cause) {
      await sessions.close()
      throw cause
    }
    keepOpening()
  }

  async function keepOpening() {
    for (let pause = FIRST_PAUSE_MS; !isOpen; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        await sleep(pause, undefined, { signal: closing.signal, ref: false })
        await sessions.run(checkSchema)
        isOpen = true
      } catch {
        if (closing.signal.aborted) return
      }
    }
  }

  /** Requests get 503 at once, without waiting for the database. */
  async function reject(): Promise<never> {
    throw new StoreUnavailableError('PostgreSQL has not responded since the start', 2)
  }

  const openedSessions: Sessions = {
    ...sessions,
    run: (task, limits) => (isOpen ? sessions.run(task, limits) : reject()),
    attempt: (task, deadline) => (isOpen ? sessions.attempt(task, deadline) : reject()),
    close() {
      closing.abort()
      return sessions.close()
    },
  }
  return postgresOrderStore(openedSessions, { ...options, log })
}

function permanentCause(error: unknown): Error | undefined {
  const { cause } = error as StoreUnavailableError
  return cause && !isTransient(cause) ? (cause as Error) : undefined
}
