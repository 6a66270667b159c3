// Storage in PostgreSQL, shared by any number of instances.
import { randomUUID } from 'node:crypto'
import {
  ConflictError,
  type DomainStorage,
  LeadershipLostError,
  type RecordKind,
  type SecretKind,
  StorageUnavailableError,
} from 'custom-domains'
import type { ConnectionOptions } from '../../store/postgres/connection-string.ts'
import { PermanentError } from '../../store/postgres/faults.ts'
import type { LogFunction } from '../../store/postgres/outage.ts'
import { checkSchema } from '../../store/postgres/schema.ts'
import { openSessions, queryRow, type Session, type Sessions } from '../../store/postgres/sessions.ts'
import type { StoreUnavailableError } from '../../store/unavailable.ts'
import { listenForChanges } from './change-notifications.ts'
import { cipherOf, missingKey, nameOf } from './cipher.ts'
import { membership } from './membership.ts'
import * as queries from './queries.ts'

export interface PostgresDomainsOptions {
  connection: ConnectionOptions
  /** Milliseconds that a statement may take, all attempts together. */
  timeout: number
  /** 32 bytes each, the newest first. All of them decrypt; the first one that every instance has encrypts. */
  encryptionKeys: readonly Buffer[]
}

/** Empty but for the revision where there are no records. */
interface LoadedRow {
  revision: string
  save: string
  whole: boolean
  kind: RecordKind | null
  name: string
  value: unknown
}

type Shared = DomainStorage & Required<Pick<DomainStorage, 'shared'>>

const POOL_SIZE = 4
/** Changes between two deletions of what is no longer needed. */
const FORGET_EVERY = 1_000n
const leadershipLost = () => new LeadershipLostError('another instance now obtains the certificates')

/**
 * Everything rejects with StorageUnavailableError while the database is unreachable. Loading rejects with instructions if its operator must change something first.
 */
export function postgresDomainStorage(options: PostgresDomainsOptions, report: LogFunction): Shared {
  const { connection, timeout, encryptionKeys } = options
  const sessions = openSessions({ connection, poolSize: POOL_SIZE, timeout }, report)
  const run: Sessions['run'] = (work) => sessions.run(work).catch(rejectUnavailable)
  const id = randomUUID()
  /** The save that this instance serves, and its revision. */
  let served: string | undefined
  let revision = 0n
  let isChecked = false
  let stopListening = async () => {}
  const cipher = cipherOf(encryptionKeys, () => members.sharedKey())
  const members = membership(sessions, id, { served: () => served as string, keyIds: cipher.ids })
  /** The key that has encrypted everything. */
  let rolledTo: string | undefined
  let forgottenAt = 0n

  function requireToken(): string {
    const token = members.token()
    if (token === undefined) throw leadershipLost()
    return token
  }

  /** Runs a query that returns a row if this instance leads. Its values begin with the instance and its fencing token. */
  async function asLeader(query: { text: string }, values: unknown[]): Promise<void> {
    const token = requireToken()
    const rows = await run((session) => session.query(query, [id, token, ...values]))
    if (rows.length > 0) return
    members.loseLeadership(token)
    throw leadershipLost()
  }

  async function encryptedValue(kind: SecretKind, name: string): Promise<Buffer | undefined> {
    const [row] = await run((session) => session.query<{ value: Buffer }>(queries.loadSecret, [kind, name]))
    return row?.value
  }

  async function write(query: { text: string }, kind: SecretKind, name: string, text: string, former?: Buffer) {
    const values = [kind, name, cipher.encrypt(text, nameOf(kind, name)), ...(former ? [former] : [])]
    await run((session) => session.query(query, values))
  }

  /** @returns how many values another key had encrypted */
  async function encryptAgain(key: string): Promise<number> {
    const rows = await run((session) =>
      session.query<{ kind: SecretKind; name: string; value: Buffer }>(queries.encryptedOtherwise, [key]),
    )
    for (const { kind, name, value } of rows)
      await write(queries.exchangeSecret, kind, name, cipher.decrypt(value, nameOf(kind, name)), value)
    return rows.length
  }

  /** The leader encrypts everything with the key that encrypts now, so that older keys can be dropped. */
  async function rollKey() {
    const key = members.token() === undefined ? undefined : members.sharedKey()
    if (key === rolledTo) return
    if (key !== undefined && (await encryptAgain(key)) > 0)
      report('info', `all private keys are now encrypted with the key ${key}, which every instance has`)
    rolledTo = key
  }

  async function maintain() {
    await rollKey()
    if (members.token() === undefined || revision < forgottenAt + FORGET_EVERY) return
    await run((session) => session.query(queries.forget))
    forgottenAt = revision
  }

  /** Runs at the first load, because a missing key would otherwise surface only at a renewal. */
  async function check(session: Session) {
    await checkSchema(session)
    const [unreadable] = await session.query<{ kind: SecretKind; name: string }>(queries.unreadable, [cipher.ids])
    if (unreadable) throw new PermanentError(missingKey(nameOf(unreadable.kind, unreadable.name)))
  }

  async function read(session: Session, since: string | undefined) {
    if (!isChecked) await check(session)
    isChecked = true
    return session.query<LoadedRow>(queries.load, [since ?? null])
  }

  return {
    async load(since) {
      const rows = await run((session) => read(session, since)).catch(rejectRefused)
      const [{ revision: number, save: version, whole: isWhole }] = rows as [LoadedRow, ...LoadedRow[]]
      const isRewound = isWhole && since !== undefined && revision >= BigInt(number) - BigInt(queries.KEPT_REVISIONS)
      if (isRewound) members.distrustLeases()
      served = version
      revision = BigInt(number)
      const records = rows.flatMap(({ kind, name, value }) => (kind ? { kind, name, value: value ?? undefined } : []))
      return { version, isWhole, ...(isRewound && { isRewound }), records }
    },

    async save(changes, over, isLeader = false) {
      if (changes.length === 0) return over // a database that is down shows in its heartbeats
      const token = isLeader ? requireToken() : null
      const save = randomUUID() // a retry repeats it
      const columns = [
        changes.map(({ kind }) => kind),
        changes.map(({ name }) => name),
        changes.map(({ value }) => JSON.stringify(value) ?? null),
      ]
      const query = isLeader ? queries.saveAsLeader : queries.save
      const outcome = await run(async (session) => {
        const [saved] = await session.query<{ revision: string }>(query, [id, token, over, save, ...columns])
        if (saved) return { revision: saved.revision, leads: true }
        return queryRow<{ revision: string | null; leads: boolean | null }>(session, queries.saveOutcome, [
          id,
          token,
          save,
        ])
      })
      if (outcome.revision === null) {
        if (token === null || outcome.leads) throw new ConflictError('another instance has changed the domains')
        members.loseLeadership(token)
        throw leadershipLost()
      }
      revision = BigInt(outcome.revision)
      served = save
      return save
    },

    async loadSecret(kind, name) {
      const value = await encryptedValue(kind, name)
      return value && cipher.decrypt(value, nameOf(kind, name))
    },
    saveSecret: (kind, name, text) =>
      text === undefined
        ? asLeader(queries.deleteSecretAsLeader, [kind, name])
        : asLeader(queries.saveSecretAsLeader, [kind, name, cipher.encrypt(text, nameOf(kind, name))]),
    async replaceSecret(kind, name, former, text) {
      if (former === undefined) return write(queries.createSecret, kind, name, text)
      const value = await encryptedValue(kind, name)
      if (value && cipher.decrypt(value, nameOf(kind, name)) === former)
        await write(queries.exchangeSecret, kind, name, text, value)
    },

    async close() {
      await stopListening()
      await members.leave()
      await sessions.close()
    },
    shared: {
      join(listener) {
        stopListening = listenForChanges(connection, members.beatNow)
        return members.join({ ...listener, onHeartbeat: maintain })
      },
      whenAcknowledged: members.whenAcknowledged,
      isCurrent: members.isCurrent,
    },
  }
}

/** Sessions reject with no other error. */
function rejectUnavailable({ message, retryAfterSeconds, cause }: StoreUnavailableError): never {
  throw new StorageUnavailableError(message, retryAfterSeconds, { cause })
}

/** Outages are retried; what the database rejects, its operator must change. */
function rejectRefused(error: Error): never {
  if (!(error.cause instanceof PermanentError)) throw error
  throw new Error(`the domains in PostgreSQL cannot be read: ${error.cause.message}`, { cause: error })
}
