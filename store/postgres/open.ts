// Opens the store. An unreachable database does not prevent the start: it is retried until it responds.
import { setTimeout as sleep } from 'node:timers/promises'
import type { OrderStore } from '../order-store.ts'
import { StoreUnavailableError } from '../unavailable.ts'
import { RefusedError, reasonOf } from './faults.ts'
import type { Report } from './outage.ts'
import { postgresOrderStore } from './postgres-store.ts'
import { checkSchema } from './schema.ts'
import { openSessions, type SessionsOptions } from './sessions.ts'

const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [250, 10_000]

/** @throws when the database responds, but the operator must change something first; the line says what to change */
export async function openPostgresStore(options: SessionsOptions, report: Report): Promise<OrderStore> {
  const held: Parameters<Report>[] = []
  let say: Report = (...line) => held.push(line) // a start that fails reports the error itself
  const sessions = openSessions(options, (...line) => say(...line))
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
  say = report
  for (const line of held) report(...line)

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

  const store = postgresOrderStore(sessions, options)
  const opened = async () => {
    if (!isOpen) throw new StoreUnavailableError('PostgreSQL has not responded since the start', 2)
  }
  return {
    list: () => opened().then(store.list),
    cancel: (orderId) => opened().then(() => store.cancel(orderId)),
    hasPet: (petId) => opened().then(() => store.hasPet(petId)),
    countByStatus: () => opened().then(store.countByStatus),
    connections: sessions.connections,
    ping: () => opened().then(store.ping),
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
