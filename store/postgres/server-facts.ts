// Whether the store can work with a server, and whether it accepts writes at present.

const OLDEST = 14

export const facts = `SELECT pg_catalog.version() AS version,
  pg_catalog.current_setting('server_version_num')::integer AS number,
  pg_catalog.pg_is_in_recovery() AS standby, pg_catalog.current_setting('transaction_read_only') AS read_only`

/** Engines that speak PostgreSQL's protocol but lack features that the store needs. */
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
export function serverProblem({ version, number }: ServerFacts, where: string): string | undefined {
  const [, name, lacks] = engines.find(([pattern]) => pattern.test(version)) ?? []
  if (name) return `${where} is ${name}, which lacks ${lacks}: the orders need PostgreSQL ${OLDEST} or newer`
  if (number < OLDEST * 10_000) return `${where} is ${version.split(' on ')[0]}: the orders need ${OLDEST} or newer`
  return undefined
}

/** One line on why the server accepts no writes. */
export function roleProblem({ standby, read_only }: ServerFacts, where: string): string | undefined {
  if (standby) return `${where} is a hot standby: name the primary, or all hosts, separated by commas`
  if (read_only === 'on') return `${where} accepts no writes: default_transaction_read_only is on`
  return undefined
}
