// Prepares a new connection for the store, or rejects the server with an error that names it.
import pg from 'pg'
import { PermanentError } from './faults.ts'

const OLDEST = 14

/**
 * The settings of a session, for its start-up packet: unlike SET, they do not affect other clients of a pooler.
 * JIT compilation and custom plans cost more than they save here. A timeout of 0 means none. `given` comes first: it
 * cannot replace these.
 */
export function sessionSettings(timeout: number, given: string): string {
  const settings = {
    jit: 'off',
    plan_cache_mode: 'force_generic_plan',
    default_transaction_isolation: 'read\\ committed',
    search_path: 'pg_catalog',
    row_security: 'off', // raises an error instead of hiding orders
    statement_timeout: Math.ceil(timeout),
    idle_in_transaction_session_timeout: Math.ceil(timeout),
    lock_timeout: Math.ceil(timeout / 5),
  }
  return [given, ...Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)].join(' ').trim()
}

/** PgBouncer rejects settings, and other engines do not know these. */
export function rejectsSettings(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '08P01' || error.code === '42704')
}

const facts = `SELECT pg_catalog.version() AS version,
  pg_catalog.current_setting('server_version_num')::integer AS number,
  pg_catalog.pg_is_in_recovery() AS standby, pg_catalog.current_setting('transaction_read_only') AS read_only`

/** @throws PermanentError */
export async function checkServer(client: pg.Client, where: string, timeout: number): Promise<void> {
  const query = { text: facts, query_timeout: Math.ceil(timeout) } as pg.QueryConfig
  const { rows } = await client.query(query)
  const problem = serverProblem(rows[0], where)
  if (problem) throw new PermanentError(problem)
}

/** Engines that speak PostgreSQL's protocol but lack features that the store needs. */
const engines: [pattern: RegExp, name: string, lacks: string][] = [
  [/cockroach/i, 'CockroachDB', 'statement triggers with transition tables'],
  [/-YB-|yugabyte/i, 'YugabyteDB', 'transition tables'],
  [/redshift/i, 'Redshift', 'triggers'],
]

interface ServerFacts {
  version: string
  number: number
  standby: boolean
  read_only: string
}

/** One line on why the store cannot work with this server. */
export function serverProblem({ version, number, standby, read_only }: ServerFacts, where: string): string | undefined {
  const [, name, lacks] = engines.find(([pattern]) => pattern.test(version)) ?? []
  if (name) return `${where} is ${name}, which lacks ${lacks}: the orders need PostgreSQL ${OLDEST} or newer`
  if (number < OLDEST * 10_000) return `${where} is ${version.split(' on ')[0]}: the orders need ${OLDEST} or newer`
  if (standby) return `${where} is a hot standby: name the primary, or all hosts, separated by commas`
  if (read_only === 'on') return `${where} accepts no writes: default_transaction_read_only is on`
  return undefined
}
