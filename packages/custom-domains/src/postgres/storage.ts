// Storage in PostgreSQL, shared by any number of instances.
import { randomUUID } from 'node:crypto'
import {
  ConflictError,
  type DomainStorage,
  LeadershipLostError,
  type RecordKind,
  type SecretKind,
  type StorageUnavailableError,
} from '../state/storage.ts'
import { checkKeys, cipherOf, missingKey, nameOf } from './cipher.ts'
import {
  channelIn,
  type Database,
  permanentReason,
  type Run,
  rowOf,
  runOn,
  runUntilLate,
  type SchemaOptions,
  type Statements,
  schemaIn,
} from './database.ts'
import { listenForChanges } from './listen.ts'
import { membership, systemTime, type Time } from './membership.ts'
import { KEPT_REVISIONS, type Queries, queriesIn } from './queries.ts'

export interface PostgresStorageOptions extends SchemaOptions {
  /** 32 bytes each, the newest first. All of them decrypt; the first one that every instance has encrypts. */
  encryptionKeys: readonly Buffer[]
  /** Called once everything is encrypted with a new key. */
  report?: ((level: 'info', message: string) => void) | undefined
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

export type SharedDomainStorage = DomainStorage & Required<Pick<DomainStorage, 'shared'>>

/** The revision is null if the save failed. */
interface SaveOutcome {
  revision: string | null
  leads: boolean | null
}

interface StoredSecret {
  kind: SecretKind
  name: string
  value: Buffer
}

const UNREADABLE = 'the domains in PostgreSQL cannot be read: '
/** Changes between two deletions of what is no longer needed. */
const FORGET_EVERY = 1_000n
const leadershipLost = () => new LeadershipLostError('another instance now obtains the certificates')

/**
 * Everything rejects with StorageUnavailableError while the database is unreachable. Loading rejects with what to do if only
 * an operator can help. Closing leaves the database open.
 * @throws TypeError for options that cannot be used
 */
export function postgresStorage(database: Database, options: PostgresStorageOptions): SharedDomainStorage {
  return storageIn(database, options, systemTime)
}

/** With a clock, for tests. */
export function storageIn(database: Database, options: PostgresStorageOptions, clock: Time): SharedDomainStorage {
  const { encryptionKeys, report = () => {} } = options
  checkKeys(encryptionKeys)
  const schema = schemaIn(options)
  const queries = queriesIn(schema)
  const run = runUntilLate(database)
  const id = randomUUID()
  /** The save that this instance serves, and its revision. */
  let served: string | undefined
  let revision = 0n
  let isChecked = false
  let stopListening = () => {}
  const cipher = cipherOf(encryptionKeys, () => members.sharedKey())
  const members = membership(id, { run, queries, served: () => served as string, keyIds: cipher.ids, clock })
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
    const rows = await run(query, [id, token, ...values])
    if (rows.length > 0) return
    members.loseLeadership(token)
    throw leadershipLost()
  }

  async function encryptedValue(kind: SecretKind, name: string): Promise<Buffer | undefined> {
    const [row] = await run<StoredSecret>(queries.loadSecret, [kind, name])
    return row?.value
  }

  async function write(query: { text: string }, kind: SecretKind, name: string, text: string, former?: Buffer) {
    const values = [kind, name, cipher.encrypt(text, nameOf(kind, name)), ...(former ? [former] : [])]
    await run(query, values)
  }

  /** @returns how many values another key had encrypted */
  async function encryptAgain(key: string): Promise<number> {
    const rows = await run<StoredSecret>(queries.encryptedOtherwise, [key])
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
    await run(queries.forget)
    forgottenAt = revision
  }

  async function read(since: string | undefined) {
    if (!isChecked) {
      const name = await unreadable(run, queries, cipher.ids) // would otherwise surface only at a renewal
      if (name !== undefined) throw new Error(`${UNREADABLE}${missingKey(name)}`)
    }
    isChecked = true
    return run<LoadedRow>(queries.load, [since ?? null])
  }

  /** Outages are retried; what the database rejects, its operator must change. */
  function rejectPermanent(error: StorageUnavailableError): never {
    const reasonOf = database.permanentReason ?? permanentReason
    const reason = error.cause && reasonOf(error.cause)
    throw reason ? new Error(`${UNREADABLE}${reason}`, { cause: error }) : error
  }

  return {
    async load(since) {
      const rows = await read(since).catch(rejectPermanent)
      const [{ revision: number, save: version, whole: isWhole }] = rows as [LoadedRow, ...LoadedRow[]]
      const isRewound = isWhole && since !== undefined && revision >= BigInt(number) - BigInt(KEPT_REVISIONS)
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
      const [saved] = await run<{ revision: string }>(query, [id, token, over, save, ...columns])
      const outcome = saved
        ? { ...saved, leads: true }
        : await rowOf<SaveOutcome>(run, queries.saveOutcome, [id, token, save])
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
      stopListening()
      await members.leave()
    },
    shared: {
      join(listener) {
        stopListening = listenForChanges(database, channelIn(schema), members.beatNow, clock)
        return members.join({ ...listener, onHeartbeat: maintain })
      },
      whenAcknowledged: members.whenAcknowledged,
      isCurrent: members.isCurrent,
    },
  }
}

/** The name of a value that needs an encryption key which is not among these. */
export async function lackedKey(
  database: Statements,
  { encryptionKeys, ...options }: Pick<PostgresStorageOptions, 'encryptionKeys' | 'schema'>,
): Promise<string | undefined> {
  return unreadable(runOn(database), queriesIn(schemaIn(options)), cipherOf(encryptionKeys).ids)
}

async function unreadable(run: Run, queries: Queries, keyIds: readonly string[]): Promise<string | undefined> {
  const [row] = await run<StoredSecret>(queries.unreadable, [keyIds])
  return row && nameOf(row.kind, row.name)
}
