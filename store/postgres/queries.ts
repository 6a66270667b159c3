// The SQL of the store. Named statements are prepared once per connection. Functions are qualified with pg_catalog where
// overload resolution could otherwise choose one of another schema.
import { BLOCK_BITS, BLOCK_SIZE } from '../page.ts'

const blockOf = (position: string) => `(${position} >> ${BLOCK_BITS})::integer`
const slotOf = (position: string) => `(${position} & ${BLOCK_SIZE - 1}::bigint)`

const [orders, log, epochTable] = ['orders', 'order_log', 'order_log_epoch'].map(
  (name) => `'store_orders.${name}'::regclass`,
)
const functions = ['log_change', 'keep_log'].map((name) => `'store_orders.${name}()'::regprocedure`).join(', ')

/** The triggers of the log, as `migrate` enables them: for origins, for replicas, or always. */
const triggers = {
  orders: { inserted: 'O', updated: 'O', deleted: 'O', moved: 'O', replicated: 'R', truncated: 'A' },
  order_log: { deleted: 'A', updated: 'A' },
}
const enabled = Object.entries(triggers).flatMap(([table, modes]) =>
  Object.entries(modes).map(([name, mode]) => `('store_orders.${table}'::regclass, '${table}_${name}', '${mode}')`),
)

/**
 * True if the log can have every change: all of its triggers are enabled, and a crash empties both tables. What makes it
 * false also changes the epoch below, so only a reader of everything asks.
 */
export const isLogging = `(
  SELECT pg_catalog.count(*) = ${enabled.length} FROM pg_catalog.pg_trigger
  WHERE (tgrelid, tgname, tgenabled) IN (${enabled.join(', ')})
) AND NOT EXISTS (
  SELECT FROM pg_catalog.pg_class WHERE oid IN (${log}, ${epochTable}) AND (relpersistence <> 'u' OR relrowsecurity))`

/**
 * The rows of the catalog that define the tables, three columns, the triggers and their functions. Each names the
 * transaction that wrote it, and a later one has a higher number: their sum and count differ after every change.
 */
const definitions = `(
  SELECT pg_catalog.concat(pg_catalog.sum(xmin::text::bigint), ' ', pg_catalog.count(*)) FROM (
    SELECT xmin FROM pg_catalog.pg_class WHERE oid IN (${orders}, ${log}, ${epochTable})
    UNION ALL
    SELECT xmin FROM pg_catalog.pg_attribute WHERE attrelid = ${orders} AND attname IN ('json', 'position', 'status')
    UNION ALL
    SELECT xmin FROM pg_catalog.pg_trigger WHERE tgrelid IN (${orders}, ${log})
    UNION ALL
    SELECT xmin FROM pg_catalog.pg_proc WHERE oid IN (${functions})) written)`

/** True unless changes may have been pruned that the snapshot does not see. Usually, it is much newer. */
const isCovered = (snapshot: string) => `(
  pg_catalog.pg_snapshot_xmin(${snapshot}) >= pg_catalog.pg_snapshot_xmax(e.pruned)
  OR pg_catalog.pg_snapshot_xmax(${snapshot}) >= pg_catalog.pg_snapshot_xmax(e.pruned)
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_snapshot_xip(${snapshot}) id
      WHERE pg_catalog.pg_visible_in_snapshot(id, e.pruned)))`

/**
 * Identifies the log. It has every change since a snapshot if its epoch is still the same: the token, which a crash and a
 * change of the log delete; the database, which may be a renamed copy; the tables and columns, which may have been
 * rewritten, exchanged or renamed; the triggers and their functions, which may have been disabled or replaced for a
 * while; and the transactions whose log was lost. NULL if the log since the snapshot has been pruned, or if row level
 * security would hide orders: then everything has to be read, which fails for the last reason.
 */
const epochSince = (snapshot: string) => `CASE
  WHEN ${isCovered(snapshot)} AND NOT pg_catalog.row_security_active(${orders})
  THEN pg_catalog.concat_ws(' ', e.token, pg_catalog.pg_relation_filepath(${orders}), ${definitions},
    ARRAY(SELECT id FROM pg_catalog.unnest(e.unlogged) id
      WHERE pg_catalog.pg_visible_in_snapshot(id, pg_catalog.pg_current_snapshot())))
END`

/** Leaves out a row that another server or a restore has written. */
const epochs = `LEFT JOIN store_orders.order_log_epoch e
  ON e.xmin = e.written::xid AND e.started = pg_catalog.pg_postmaster_start_time()`

/**
 * A row if nothing has changed since the snapshot $1 of the epoch $2: equal snapshots see the same transactions. Costs
 * about as much as SELECT 1, but any commit in the server, of other tables too, makes the snapshot another one.
 */
export const isSame = {
  name: 'is-same',
  text: `
    SELECT FROM store_orders.order_log_epoch e
    WHERE pg_catalog.pg_current_snapshot()::text = $1 AND pg_catalog.starts_with($2, e.token::text)
      AND e.started = pg_catalog.pg_postmaster_start_time()`,
}

/** The snapshot $1 sees no transaction from this one on. */
const xmax = 'pg_catalog.pg_snapshot_xmax($1::pg_snapshot)'

/** The transactions that were running when the snapshot $1 was taken and have since ended. */
const ended = `ARRAY(SELECT id FROM pg_catalog.pg_snapshot_xip($1::pg_snapshot) id
  WHERE pg_catalog.pg_visible_in_snapshot(id, pg_catalog.pg_current_snapshot()))`

/**
 * A row without a block, then one for each block in which orders have changed since the snapshot $1, with these orders as they
 * are now; only the first if more than $2 have, or if a statement changed too many to log. The log has the JSON of an order that changed once. Others are looked up,
 * because nothing tells which row is the last; so are rows that another transaction has written than they name, such as a
 * restore, and those with an empty JSON. An index scan that finds nothing if nothing changed, and skips running transactions.
 */
export const changesSince = {
  name: 'changes-since',
  text: `
    WITH logged AS MATERIALIZED (
      (SELECT position, json, xmin = xid::xid AND json IS DISTINCT FROM '' AS is_known FROM store_orders.order_log
        WHERE xid >= ${xmax} ORDER BY xid LIMIT $2::bigint + 1)
      UNION ALL
      (SELECT position, json, xmin = xid::xid AND json IS DISTINCT FROM '' FROM store_orders.order_log
        WHERE xid = ANY (${ended}) ORDER BY xid LIMIT $2::bigint + 1)),
    extent AS MATERIALIZED (
      SELECT EXISTS (SELECT FROM logged OFFSET $2::bigint) OR EXISTS (SELECT FROM logged WHERE position < 0) AS is_long)
    SELECT pg_catalog.pg_current_snapshot()::text AS snapshot, ${epochSince('$1::pg_snapshot')} AS epoch, is_long,
      NULL::integer AS block, NULL AS orders
    FROM extent ${epochs}
    UNION ALL
    SELECT NULL, NULL, NULL, ${blockOf('position')}, pg_catalog.string_agg(${slotOf('position')}::text ||
      coalesce(',' || CASE WHEN is_last THEN json ELSE (SELECT json FROM ONLY store_orders.orders o
        WHERE o.position = c.position AND status <> 'cancelled') END, ''), ' ')
    FROM (
      SELECT position, pg_catalog.count(*) = 1 AND pg_catalog.bool_and(is_known) AS is_last, pg_catalog.min(json) AS json
      FROM logged WHERE NOT (SELECT is_long FROM extent) GROUP BY position) c
    GROUP BY ${blockOf('position')}`,
}

/** For the log and the operator, while `isLogging` is false. */
export const UNCOVERED =
  'PostgreSQL does not log every change of the orders, so each list reads all of them: the triggers of orders or order_log are not those of migrate, or order_log or order_log_epoch is not unlogged or has row level security'

export const PARTITIONED = 'the table store_orders.orders must not be partitioned'

/** Blocks per statement that reads them: few enough for its time limit and for the event loop. */
export const BATCH = 64

/** Blocks that one statement names: few enough for its time limit. */
export const BLOCKS = 4096

/**
 * The first blocks from $1 on that have orders, with one index lookup per block; a row without a block if there are none.
 * Without an epoch unless the log can have every change: then everything is read again.
 */
export const existingBlocks = {
  name: 'existing-pages',
  text: `
    WITH RECURSIVE existing AS (
      SELECT ${blockOf('pg_catalog.min(position)')} AS block FROM ONLY store_orders.orders
      WHERE position >= $1::bigint << ${BLOCK_BITS}
      UNION ALL
      SELECT (SELECT ${blockOf('pg_catalog.min(position)')} FROM ONLY store_orders.orders
        WHERE position >= (block::bigint + 1) << ${BLOCK_BITS})
      FROM existing WHERE block IS NOT NULL)
    SELECT s.snapshot::text, existing.block, (SELECT relkind FROM pg_catalog.pg_class WHERE oid = ${orders}) AS kind,
      CASE WHEN ${isLogging} THEN ${epochSince('s.snapshot')} END AS epoch
    FROM pg_catalog.pg_current_snapshot() s (snapshot) ${epochs}
      LEFT JOIN (SELECT block FROM existing WHERE block IS NOT NULL LIMIT ${BLOCKS}) existing ON true`,
}

/** The blocks $1. */
export const readBlocks = {
  name: 'read-pages',
  text: `
    SELECT wanted.block, p.json, p.slots
    FROM pg_catalog.unnest($1::integer[]) wanted (block) CROSS JOIN LATERAL (
      SELECT pg_catalog.string_agg(json, ',') AS json, pg_catalog.string_agg(pg_catalog.int2send(slot), '') AS slots
      FROM (
        SELECT json, ${slotOf('position')}::smallint AS slot
        FROM ONLY store_orders.orders
        WHERE position >= wanted.block::bigint << ${BLOCK_BITS} AND position < (wanted.block::bigint + 1) << ${BLOCK_BITS}
          AND status <> 'cancelled'
        ORDER BY position) o) p`,
}

export const begin = { text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL row_security = off' }
/**
 * Before the snapshot is taken: an older snapshot would see a rewritten table as empty. Not together with BEGIN: its error
 * arrives before the status of the transaction, so that a pool would take the session for one without a transaction.
 */
export const lockTable = { text: 'LOCK TABLE ONLY store_orders.orders IN ACCESS SHARE MODE' }
/** A transaction whose statements may take this long. */
export const beginLong = (ms: number) => ({ text: `BEGIN READ ONLY; SET LOCAL statement_timeout = ${ms}` })
export const beginReadCommitted = { text: 'BEGIN ISOLATION LEVEL READ COMMITTED' }
export const commit = { text: 'COMMIT' }
export const renew = { text: 'SELECT store_orders.renew_order_log()' }
export const prune = { text: "SELECT store_orders.prune_order_log('10 minutes') AS more" }
export const cancel = { name: 'cancel', text: 'SELECT store_orders.cancel_orders($1, $2) AS outcomes' }
export const pet = {
  name: 'pet',
  text: 'SELECT EXISTS (SELECT FROM ONLY store_orders.orders WHERE pet_id = $1) AS known',
}

export const statuses = {
  name: 'statuses',
  text: 'SELECT status, pg_catalog.count(*)::float8 AS orders FROM ONLY store_orders.orders GROUP BY status',
}
