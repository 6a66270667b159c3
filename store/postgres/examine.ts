// Examines the database as a server would use it: the statements of the list, privileges, limits, the log and the pooler.
import pg from 'pg'
import { type Admin, asAdmin } from './admin.ts'
import { clientConfig } from './client-config.ts'
import type { ConnectionOptions, HostAddress } from './connection-string.ts'
import { RLS_ADVICE, reasonOf } from './faults.ts'
import { lackingPrivileges, missingPrivileges } from './privileges.ts'
import * as queries from './queries.ts'
import { checkSchema } from './schema.ts'
import { queryRow } from './sessions.ts'

/** What the log may hold before its age is suspicious. */
const LONG_LOG = 100_000

const state = `
  SELECT pg_catalog.row_security_active('store_orders.orders') AS "isHidden", ${queries.isLogging} AS "isLogging",
    (SELECT pg_catalog.count(*) FROM (SELECT FROM store_orders.order_log LIMIT ${LONG_LOG}) logged)::integer AS logged,
    (SELECT pruned_at < pg_catalog.now() - interval '1 day' FROM store_orders.order_log_epoch) AS "isUnpruned",
    (SELECT pg_catalog.max(position) FROM ONLY store_orders.orders)::float8 AS last`

interface State {
  isHidden: boolean
  isLogging: boolean
  logged: number
  isUnpruned: boolean | null
  last: number | null
}

/** The positions that a sequence can give out: the migrations say the same. */
const POSITIONS = 2 ** 41

/**
 * Changes nothing.
 * @param timeout of a request, in milliseconds
 * @returns what does not prevent a start
 * @throws with a line for each problem, and its cure
 */
export async function examineDatabase(connection: ConnectionOptions, timeout: number): Promise<string[]> {
  const warnings: string[] = []
  const address = await asAdmin(connection, async (admin) => {
    await checkSchema(admin)
    const problems = await problemsOf(admin, warnings)
    if (problems.length === 0) problems.push(...(await listProblems(admin, timeout)))
    if (problems.length > 0) throw new Error(problems.join('\n'))
    return { host: admin.client.host, port: admin.client.port }
  })
  /* c8 ignore next -- only behind a pooler, by test/deploy/pooler.js */
  if (await isShared(connection, address)) warnings.push(shared(connection.user))
  return warnings
}

async function problemsOf(admin: Admin, warnings: string[]): Promise<string[]> {
  const lacking = await missingPrivileges(admin)
  if (lacking.length > 0) return [lackingPrivileges(lacking)]
  const { isHidden, isLogging, logged, isUnpruned, last } = await queryRow<State & pg.QueryResultRow>(admin, {
    text: state,
  })
  if (!isLogging) warnings.push(queries.UNCOVERED)
  if (logged === LONG_LOG && isUnpruned)
    warnings.push('the log of changes is long, and has not been pruned for a day: run a server, which prunes it')
  if ((last ?? 0) > POSITIONS / 2)
    warnings.push('more than half of the positions are used: export and import the orders')
  /* c8 ignore next -- both are tested by processes of other roles */
  return isHidden ? [RLS_ADVICE] : []
}

/** Reads the first pages within the limit that statements of a server have. */
async function listProblems({ client, query }: Admin, timeout: number): Promise<string[]> {
  try {
    await client.query(`SET LOCAL statement_timeout = ${Math.ceil(timeout)}`)
    await query({ text: `LOCK TABLE ONLY store_orders.orders IN ACCESS SHARE MODE` })
    const [first, ...more] = await query<{ page: number | null; snapshot: string }>(queries.existingPages, [0])
    const pages = [first, ...more].flatMap((row) => row?.page ?? []).slice(0, queries.BATCH)
    await query(queries.readPages, [pages])
    await query(queries.changesSince, [first?.snapshot, 1])
    return []
  } catch (error) {
    /* c8 ignore next 3 -- a list that takes too long needs a large table */
    const isLate = error instanceof pg.DatabaseError && error.code === '57014'
    const cure = isLate
      ? `: raise DATABASE_TIMEOUT above ${timeout / 1000} s, or VACUUM ANALYZE store_orders.orders`
      : ''
    return [`a list cannot be read: ${reasonOf(error)}${cure}`]
  }
}

const limits = { connectionTimeoutMillis: 10_000, query_timeout: 10_000 }

/** Whether a pooler gives the session of one client to another that is still connected, as in transaction pooling. */
async function isShared(connection: ConnectionOptions, address: HostAddress): Promise<boolean> {
  const [first, other] = [0, 1].map(() => new pg.Client({ ...clientConfig(connection, address), ...limits })) as [
    pg.Client,
    pg.Client,
  ]
  const pidOf = async (session: pg.Client) => {
    session.on('error', () => {})
    await session.connect()
    return (await session.query('SELECT pg_catalog.pg_backend_pid() AS pid')).rows[0].pid
  }
  try {
    return (await pidOf(first)) === (await pidOf(other))
  } finally {
    await Promise.all([first.end(), other.end()])
  }
}

/* c8 ignore next 2 -- only behind a pooler, by test/deploy/pooler.js */
const shared = (user: string) =>
  `a pooler shares sessions between clients (transaction pooling): give the servers a role of their own, and ALTER ROLE "${user}" SET jit = off, SET plan_cache_mode = force_generic_plan, SET row_security = off; notifications of domains are not delivered`
