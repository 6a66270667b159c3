// Examines the database as a server would use it: the statements of the list, privileges, limits, the log and the pooler.
import pg from 'pg'
import { BLOCK_SIZE } from '../page.ts'
import { type Admin, asAdmin } from './admin.ts'
import { clientConfig } from './client-config.ts'
import type { ConnectionOptions, HostAddress } from './connection-string.ts'
import { isReadTimeout, RLS_ADVICE, reasonOf } from './faults.ts'
import { lackingPrivileges, missingPrivileges } from './privileges.ts'
import * as queries from './queries.ts'
import { checkSchema } from './schema.ts'

/** What the log may hold before its age is suspicious. */
const LONG_LOG = 100_000
/** With fewer orders in a block, reading everything takes many times as long as it could. */
const SPARSE = 32
/** Limits of a role that a server replaces in its own sessions. */
const LIMITS = ['statement', 'transaction', 'idle_in_transaction_session', 'idle_session', 'lock'].map(
  (name) => `${name}_timeout`,
)

const state = `
  SELECT pg_catalog.row_security_active('store_orders.orders') AS "isHidden", ${queries.isLogging} AS "isLogging",
    (SELECT pg_catalog.count(*) FROM (SELECT FROM store_orders.order_log LIMIT ${LONG_LOG}) logged)::integer AS logged,
    (SELECT pruned_at < pg_catalog.now() - interval '1 day' FROM store_orders.order_log_epoch) AS "isUnpruned",
    (SELECT pg_catalog.max(position) FROM ONLY store_orders.orders)::float8 AS last,
    ARRAY(SELECT name FROM pg_catalog.pg_settings WHERE name = ANY ($1) AND reset_val <> '0' ORDER BY 1) AS limits`

interface State {
  isHidden: boolean
  isLogging: boolean
  logged: number
  isUnpruned: boolean | null
  last: number | null
  limits: string[]
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
  const examine = async (admin: Admin) => {
    await checkSchema(admin)
    const { problems, limits } = await stateProblems(admin, warnings)
    if (problems.length === 0) problems.push(...(await listProblems(admin, timeout, warnings)))
    if (problems.length > 0) throw new Error(problems.join('\n'))
    return { host: admin.client.host, port: admin.client.port, limits }
  }
  const { limits, ...address } = await asAdmin(connection, examine, { timeout })
  /* c8 ignore next -- only behind a pooler, by test/deploy/pooler.ts */
  if (await isShared(connection, address)) warnings.push(shared(connection.user, limits))
  return warnings
}

async function stateProblems(admin: Admin, warnings: string[]): Promise<{ problems: string[]; limits: string[] }> {
  const lacking = await missingPrivileges(admin)
  if (lacking.length > 0) return { problems: [lackingPrivileges(lacking)], limits: [] }
  const [row] = await admin.query<State>({ text: state }, [LIMITS])
  const { isHidden, isLogging, logged, isUnpruned, last, limits } = row as State
  if (!isLogging) warnings.push(queries.UNCOVERED)
  if (logged === LONG_LOG && isUnpruned)
    warnings.push('the log of changes is long, and has not been pruned for a day: run a server, which prunes it')
  if ((last ?? 0) > POSITIONS / 2)
    warnings.push('more than half of the positions are used: export and import the orders')
  /* c8 ignore next -- both are tested by processes of other roles */
  return { problems: isHidden ? [RLS_ADVICE] : [], limits }
}

/** Reads the first blocks within the limit that statements of a server have. */
async function listProblems({ query }: Admin, timeout: number, warnings: string[]): Promise<string[]> {
  try {
    await query(queries.lockTable)
    const rows = await query<{ block: number | null; snapshot: string; kind: string }>(queries.existingBlocks, [0])
    const blocks = rows.flatMap(({ block }) => block ?? []).slice(0, queries.BATCH)
    await query(queries.readBlocks, [blocks])
    await query(queries.changesSince, [rows[0]?.snapshot, 1])
    const [first] = await query<{ orders: number }>(countBelow, [((blocks.at(-1) ?? 0) + 1) * BLOCK_SIZE])
    const orders = Number(first?.orders)
    if (blocks.length === queries.BATCH && orders < SPARSE * blocks.length) warnings.push(sparse(blocks.length, orders))
    return rows[0]?.kind === 'p' ? [queries.PARTITIONED] : []
  } catch (error) {
    /* c8 ignore next 3 -- a list that takes too long needs a large table */
    const isLate = error instanceof pg.DatabaseError && error.code === '57014'
    const cure = isLate
      ? `: raise DATABASE_TIMEOUT above ${timeout / 1000} s, or VACUUM ANALYZE store_orders.orders`
      : ''
    return [`a list cannot be read: ${reasonOf(error)}${cure}`]
  }
}

const countBelow = {
  text: 'SELECT pg_catalog.count(*)::integer AS orders FROM ONLY store_orders.orders WHERE position < $1',
}
const sparse = (blocks: number, orders: number) =>
  `positions have wide gaps, as INSERTs that are rolled back leave them: the first ${orders} orders take ${blocks} blocks in place of ${Math.ceil(orders / BLOCK_SIZE)}, and reading all orders takes longer. Stop other writers, then: store-orders export FILE && store-orders import --replace FILE`

const waits = { connectionTimeoutMillis: 10_000, query_timeout: 10_000 }

/** Whether a pooler gives the session of one client to another that is still connected, as in transaction pooling. */
async function isShared(connection: ConnectionOptions, address: HostAddress): Promise<boolean> {
  const [first, other] = [0, 1].map(() => new pg.Client({ ...clientConfig(connection, address), ...waits })) as [
    pg.Client,
    pg.Client,
  ]
  const pidOf = async (session: pg.Client) => {
    session.on('error', () => {})
    await session.connect()
    const query = session.query('SELECT pg_catalog.pg_backend_pid() AS pid')
    /* c8 ignore next 4 -- only behind a pooler in session mode, whose pool has one connection */
    const { rows } = await query.catch((error) => {
      if (!isReadTimeout(error)) throw error
      throw new Error('a second session gets no connection: the pool of a pooler is smaller than DATABASE_POOL_SIZE')
    })
    return rows[0].pid
  }
  try {
    return (await pidOf(first)) === (await pidOf(other))
  } finally {
    await Promise.all([first.end(), other.end()])
  }
}

/* c8 ignore start -- only behind a pooler, by test/deploy/pooler.ts */
function shared(user: string, limits: string[]): string {
  const settings = ['jit = off', 'plan_cache_mode = force_generic_plan', 'row_security = off']
  const cure = [...settings, ...limits.map((name) => `${name} = 0`)].map((each) => `ALTER ROLE "${user}" SET ${each};`)
  return `a pooler shares sessions between clients (transaction pooling), so that the settings of servers may be lost: give the servers a role of their own, and ${cure.join(' ')} Notifications of domains are not delivered`
}
/* c8 ignore stop */
