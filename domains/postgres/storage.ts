// The storage in PostgreSQL, which any number of instances share.
import { randomUUID } from 'node:crypto'
import type { ConnectionOptions } from '../../store/postgres/connection-string.ts'
import { PermanentError } from '../../store/postgres/faults.ts'
import type { Report } from '../../store/postgres/outage.ts'
import { checkSchema } from '../../store/postgres/schema.ts'
import { openSessions, queryRow, type Session, type Sessions } from '../../store/postgres/sessions.ts'
import { ConflictError, type DomainStorage, LeadershipLostError, type Secret } from '../state/storage.ts'
import { parseState } from '../state/stored-state.ts'
import { openBell } from './bell.ts'
import { cipherOf, missingKey, nameOf } from './cipher.ts'
import { membership } from './membership.ts'
import * as queries from './queries.ts'

export interface PostgresDomainsOptions {
  connection: ConnectionOptions
  /** Milliseconds that a statement may take, all attempts together. */
  timeout: number
  /** Of 32 bytes each: the first one encrypts, and all of them decrypt. */
  encryptionKeys: readonly Buffer[]
}

type Shared = DomainStorage & Required<Pick<DomainStorage, 'shared'>>

type Kind = Secret['kind']

const POOL_SIZE = 4
const leadershipLost = () => new LeadershipLostError('another instance now obtains the certificates')

/**
 * Loading the state rejects with StoreUnavailableError while the database does not answer, and with a line that says
 * what to do when the operator must change something first.
 */
export function postgresDomainStorage(options: PostgresDomainsOptions, report: Report): Shared {
  const { connection, timeout, encryptionKeys } = options
  const sessions = openSessions({ connection, poolSize: POOL_SIZE, timeout }, report)
  const id = randomUUID()
  let revision = 0n
  let isChecked = false
  let closeBell = async () => {}
  const members = membership(sessions, id, () => revision)
  const cipher = cipherOf(encryptionKeys)
  const secrets = secretsIn(sessions, cipher, asWork)

  function fenceOf(): string {
    const fence = members.fence()
    if (fence === undefined) throw leadershipLost()
    return fence
  }

  /** Runs a query for the one that works: its values begin with this instance and its fence, and its result has a row. */
  async function asWork(query: { text: string }, values: unknown[]): Promise<void> {
    const fence = fenceOf()
    const rows = await sessions.run((session) => session.query(query, [id, fence, ...values]))
    if (rows.length > 0) return
    members.lose()
    throw leadershipLost()
  }

  /** At the first load: a key that is missing would otherwise be noticed at a renewal. */
  async function check(session: Session) {
    await checkSchema(session)
    const [found] = await session.query<{ kind: Kind; name: string }>(queries.unreadable, [cipher.ids])
    if (found) throw new PermanentError(missingKey(nameOf(found.kind, found.name)))
  }

  async function read(session: Session) {
    if (!isChecked) await check(session)
    isChecked = true
    return queryRow<{ revision: string; state: string }>(session, queries.load)
  }

  return {
    async loadState() {
      const row = await sessions.run(read).catch(rejectRefused)
      const state = parseState(row.state, 'the state in PostgreSQL')
      revision = BigInt(row.revision)
      return state
    },

    async saveState(state, asLeader = false) {
      const fence = asLeader ? fenceOf() : null
      const save = randomUUID()
      const values = [id, fence, String(revision), save, JSON.stringify(state)]
      const query = asLeader ? queries.saveWork : queries.saveState
      const found = await sessions.run(async (session) => {
        const [saved] = await session.query<{ revision: string }>(query, values)
        if (saved) return { revision: saved.revision, saved: true, held: true }
        const row = [id, fence, save]
        return queryRow<{ revision: string; saved: boolean | null; held: boolean | null }>(
          session,
          queries.outcome,
          row,
        )
      })
      if (!found.saved) {
        if (!asLeader || found.held) throw new ConflictError('another instance has changed the domains')
        members.lose()
        throw leadershipLost()
      }
      revision = BigInt(found.revision)
    },

    loadConfiguration: async () => ({ primary: undefined, redirects: new Map() }),
    loadCertificate: (host) => secrets.load('certificate', host),
    saveCertificate: (host, pem) => secrets.saveWork('certificate', host, pem),
    replaceSecret: secrets.replace,
    loadOrder: (host) => secrets.load('order', host),
    saveOrder: (host, order) =>
      order === undefined ? secrets.removeWork('order', host) : secrets.saveWork('order', host, order),
    loadAccountKey: (directoryUrl) => secrets.load('account', directoryUrl),
    saveAccountKey: (directoryUrl, pem) => secrets.create('account', directoryUrl, pem),

    async close() {
      await closeBell()
      await members.leave()
      await sessions.close()
    },
    shared: {
      join(listener) {
        closeBell = openBell(connection, members.ring)
        return members.join(listener)
      },
      whenAcknowledged: members.whenAcknowledged,
      isCurrent: members.isCurrent,
    },
  }
}

/** An outage passes; a refusal is the operator's to change. */
function rejectRefused(error: Error): never {
  if (!(error.cause instanceof PermanentError)) throw error
  throw new Error(`the domains in PostgreSQL cannot be read: ${error.cause.message}`, { cause: error })
}

/** @param asWork @throws when the work is another instance's */
function secretsIn(
  sessions: Sessions,
  cipher: ReturnType<typeof cipherOf>,
  asWork: (query: { text: string }, values: unknown[]) => Promise<void>,
) {
  return {
    async load(kind: Kind, name: string): Promise<string | undefined> {
      const [row] = await sessions.run((session) => session.query<{ value: Buffer }>(queries.loadSecret, [kind, name]))
      return row && cipher.decrypt(row.value, nameOf(kind, name))
    },
    async create(kind: Kind, name: string, text: string): Promise<void> {
      const values = [kind, name, cipher.encrypt(text, nameOf(kind, name))]
      const rows = await sessions.run((session) => session.query(queries.createSecret, values))
      if (rows.length === 0) throw new Error(`another instance has created the ${kind} key in the meantime`)
    },
    async replace(kind: Kind, name: string, former: string, text: string): Promise<void> {
      const [row] = await sessions.run((session) => session.query<{ value: Buffer }>(queries.loadSecret, [kind, name]))
      if (!row || cipher.decrypt(row.value, nameOf(kind, name)) !== former) return
      const values = [kind, name, row.value, cipher.encrypt(text, nameOf(kind, name))]
      await sessions.run((session) => session.query(queries.exchangeSecret, values))
    },
    saveWork: (kind: Kind, name: string, text: string) =>
      asWork(queries.saveWorkSecret, [kind, name, cipher.encrypt(text, nameOf(kind, name))]),
    removeWork: (kind: Kind, name: string) => asWork(queries.deleteWorkSecret, [kind, name]),
  }
}
