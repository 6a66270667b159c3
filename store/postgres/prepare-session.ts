// Prepares a new connection for the store, or rejects the server with an error that names it.
import type pg from 'pg'
import { RefusedError } from './faults.ts'

const OLDEST = 14

const question = `SELECT version() AS version, current_setting('server_version_num')::integer AS number,
  pg_is_in_recovery() AS standby, current_setting('transaction_read_only') AS read_only`

/** A plan made for each execution costs more than it saves here, as does compiling one. */
const settings = (timeout: number) => `SELECT set_config('jit', 'off', false),
  set_config('plan_cache_mode', 'force_generic_plan', false),
  set_config('statement_timeout', '${Math.ceil(timeout)}', false)`

/** @throws RefusedError */
export async function prepareSession(client: pg.Client, where: string, timeout: number): Promise<void> {
  const query = (text: string) => client.query({ text, query_timeout: Math.ceil(timeout) } as pg.QueryConfig)
  const { rows } = await query(question)
  const refusal = serverRefusal(rows[0], where)
  if (refusal) throw new RefusedError(refusal)
  await query(settings(timeout))
}

/** Engines that speak PostgreSQL's protocol but lack features that the store needs, by the name they report. */
const engines: [pattern: RegExp, name: string, lacks: string][] = [
  [/cockroach/i, 'CockroachDB', 'statement triggers with transition tables'],
  [/-YB-|yugabyte/i, 'YugabyteDB', 'transition tables'],
  [/redshift/i, 'Redshift', 'triggers'],
]

export interface ServerFacts {
  version: string
  number: number
  standby: boolean
  read_only: string
}

/** One line on why the store cannot work with this server. */
export function serverRefusal({ version, number, standby, read_only }: ServerFacts, where: string): string | undefined {
  const [, name, lacks] = engines.find(([pattern]) => pattern.test(version)) ?? []
  if (name) return `${where} is ${name}, which lacks ${lacks}: the orders need PostgreSQL ${OLDEST} or newer`
  if (number < OLDEST * 10_000) return `${where} is ${version.split(' on ')[0]}: the orders need ${OLDEST} or newer`
  if (standby) return `${where} is a hot standby: name the primary, or all hosts, with commas between them`
  if (read_only === 'on') return `${where} takes no writes: default_transaction_read_only is on`
  return undefined
}
