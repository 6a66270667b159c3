// Opens the store. An unreachable database does not prevent the start: the schema is checked as soon as it responds.
import type { OrderStore } from '../order-store.ts'
import type { StoreUnavailableError } from '../unavailable.ts'
import { isTransient } from './faults.ts'
import type { LogFunction } from './outage.ts'
import { postgresOrderStore } from './postgres-store.ts'
import { checkSchema } from './schema.ts'
import { openSessions, type Session, type Sessions, type SessionsOptions } from './sessions.ts'

/** @throws if the database responds but the operator must change something first; the message says what */
export async function openPostgresStore(options: SessionsOptions, log: LogFunction): Promise<OrderStore> {
  const sessions = openSessions(options, log)
  /** Not repeated: a running server survives a migration. */
  let isChecked = false

  const checked =
    <T>(task: (session: Session, request: string) => Promise<T>) =>
    async (session: Session, request: string): Promise<T> => {
      await checkSchema(session)
      isChecked = true
      return task(session, request)
    }

  const afterCheck = <T>(task: (session: Session, request: string) => Promise<T>) => (isChecked ? task : checked(task))
  const checkedSessions: Sessions = {
    ...sessions,
    run: (task, limits) => sessions.run(afterCheck(task), limits),
    attempt: (task, deadline) => sessions.attempt(afterCheck(task), deadline),
    background: (task, limit) => sessions.background(afterCheck(task), limit),
  }
  try {
    await checkedSessions.run(async () => {})
  } catch (error) {
    const { cause } = error as StoreUnavailableError
    if (cause && !isTransient(cause)) {
      await sessions.close()
      throw cause
    }
  }
  return postgresOrderStore(checkedSessions, { ...options, log })
}
