// Opens the store. A database that is away does not stop the start: it is tried again until it answers.
import { setTimeout as sleep } from 'node:timers/promises'
import type { OrderStore } from '../order-store.ts'
import { StoreUnavailableError } from '../unavailable.ts'
import { RefusedError, reasonOf } from './faults.ts'
import { postgresOrderStore } from './postgres-store.ts'
import { checkSchema } from './schema.ts'
import { openSessions, type Sessions, type SessionsOptions } from './sessions.ts'

/** What the operator is told. */
export type Report = (level: 'info' | 'warn', message: string) => void

const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [250, 10_000]

/** @throws when the database answers, and the operator must change something first, in a line that says what */
export async function openPostgresStore(options: SessionsOptions, report: Report): Promise<OrderStore> {
  const sessions = reporting(openSessions(options), report)
  const closing = new AbortController()
  let isOpen = false
  try {
    await sessions.run(checkSchema)
    isOpen = true
  } catch (error) {
    const refusal = refusalIn(error)
    if (refusal) {
      await sessions.close()
      throw refusal
    }
    keepOpening()
  }

  async function keepOpening() {
    for (let pause = FIRST_PAUSE_MS; !isOpen; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        await sleep(pause, undefined, { signal: closing.signal, ref: false })
        await sessions.run(checkSchema)
        isOpen = true
      } catch (error) {
        if (closing.signal.aborted) return
        if (!(error instanceof StoreUnavailableError)) report('warn', reasonOf(error))
      }
    }
  }

  const store = postgresOrderStore(sessions, options.timeout)
  const opened = async () => {
    if (!isOpen) throw new StoreUnavailableError('PostgreSQL has not answered since the start', 2)
  }
  return {
    list: () => opened().then(store.list),
    cancel: (orderId) => opened().then(() => store.cancel(orderId)),
    hasPet: (petId) => opened().then(() => store.hasPet(petId)),
    close() {
      closing.abort()
      return store.close()
    },
  }
}

function refusalIn(error: unknown): Error | undefined {
  if (!(error instanceof StoreUnavailableError)) return error as Error
  return error.cause instanceof RefusedError ? error.cause : undefined
}

/** Says once that the database is away, and once that it is back. */
function reporting(sessions: Sessions, report: Report): Sessions {
  let isAway = false
  return {
    ...sessions,
    async run(work, options) {
      try {
        const value = await sessions.run(work, options)
        if (isAway) report('info', 'PostgreSQL is back')
        isAway = false
        return value
      } catch (error) {
        const isFirst = error instanceof StoreUnavailableError && error.cause !== undefined && !isAway
        if (isFirst) {
          isAway = true
          report('warn', `${error.message}: ${reasonOf(error.cause)}. Requests are answered with 503 until it is back.`)
        }
        throw error
      }
    },
  }
}
