// The SQL of the store. Named statements are prepared once per connection. Functions are qualified with pg_catalog where
// overload resolution could otherwise choose one of another schema.
import { PAGE_BITS } from '../page.ts'

/** The page `wanted.page`, in one row; `condition` may refer to `wanted`. */
const page = (condition: string) => `
  SELECT pg_catalog.count(*) AS rows, pg_catalog.count(*) FILTER (WHERE o.status <> 'cancelled') AS listed,
    pg_catalog.string_agg(o.json, ',' ORDER BY o.position) FILTER (WHERE o.status <> 'cancelled') AS json
  FROM store_orders.orders o
  WHERE o.position >= wanted.page::bigint << ${PAGE_BITS} AND o.position < (wanted.page::bigint + 1) << ${PAGE_BITS}
    AND ${condition}`

/**
 * Identifies the log. It has every change since a snapshot if its epoch is still the same: the row of the epoch, which
 * a crash deletes; the server; the table's file, as rewrites fire no trigger; and the transactions whose log was lost.
 * NULL if the log since the snapshot has been pruned.
 */
const epochSince = (snapshot: string) => `CASE
  WHEN e.started = pg_catalog.pg_postmaster_start_time() AND e.pruned <= pg_catalog.pg_snapshot_xmin(${snapshot})
  THEN pg_catalog.concat_ws(' ', e.token, pg_catalog.pg_relation_filenode('store_orders.orders'), (
    SELECT pg_catalog.count(*) FROM pg_catalog.unnest(e.unlogged) id
    WHERE pg_catalog.pg_visible_in_snapshot(id, pg_catalog.pg_current_snapshot())))
END`
const epochs = 'LEFT JOIN store_orders.order_changes_epoch e ON true'

/**
 * A row if nothing has changed since the snapshot $1 of the epoch $2: equal snapshots see the same transactions. Costs
 * about as much as SELECT 1, but any commit in the server, of other tables too, makes the snapshot another one.
 */
export const isSame = {
  name: 'is-same',
  text: `
    SELECT FROM store_orders.order_changes_epoch e
    WHERE pg_catalog.pg_current_snapshot()::text = $1 AND pg_catalog.starts_with($2, e.token::text)
      AND e.started = pg_catalog.pg_postmaster_start_time()`,
}

/** The snapshot $1 sees no transaction from this one on. */
const xmax = 'pg_catalog.pg_snapshot_xmax($1::pg_snapshot)'

/** The transactions that were running when the snapshot $1 was taken and have since ended. */
const ended = `ARRAY(SELECT id FROM pg_catalog.pg_snapshot_xip($1::pg_snapshot) id
  WHERE pg_catalog.pg_visible_in_snapshot(id, pg_catalog.pg_current_snapshot()))`

/** A page with more cancellations than these is read again. */
export const CUT_MAX = 64

/** The pages that changed since the snapshot $1, each with its cancelled orders if it has no other changes. */
const changes = `
  SELECT page, CASE WHEN pg_catalog.count(*) = pg_catalog.count(cancelled) AND pg_catalog.count(*) <= ${CUT_MAX}
    THEN pg_catalog.array_agg(cancelled) END AS cancelled
  FROM (
    SELECT page, cancelled FROM store_orders.order_changes WHERE xid >= ${xmax}
    UNION ALL
    SELECT page, cancelled FROM store_orders.order_changes WHERE xid = ANY (${ended})) logged
  GROUP BY page`

/**
 * The page and the id of each order cancelled since the snapshot $1, as text; NULL for any other change. At most
 * CUT_MAX + 1 from each part, an index scan that finds nothing if nothing changed and skips running transactions.
 */
export const cancelledSince = {
  name: 'cancelled-since',
  text: `
    SELECT pg_catalog.pg_current_snapshot()::text AS snapshot, ${epochSince('$1::pg_snapshot')} AS epoch, ARRAY(
      (SELECT page || ' ' || cancelled FROM store_orders.order_changes
        WHERE xid >= ${xmax} ORDER BY xid LIMIT ${CUT_MAX + 1})
      UNION ALL
      (SELECT page || ' ' || cancelled FROM store_orders.order_changes
        WHERE xid = ANY (${ended}) ORDER BY xid LIMIT ${CUT_MAX + 1})) AS cancelled
    FROM (SELECT) one ${epochs}`,
}

/** The pages that changed since $1, with the content of $2 of those to be read; a row without a page if none did. */
export const changesSince = {
  name: 'changes-since',
  text: `
    WITH changed AS MATERIALIZED (
      SELECT page, cancelled,
        cancelled IS NULL AND pg_catalog.row_number() OVER (PARTITION BY cancelled IS NULL) <= $2 AS is_read
      FROM (${changes}) changes)
    SELECT pg_catalog.pg_current_snapshot()::text AS snapshot, ${epochSince('$1::pg_snapshot')} AS epoch,
      wanted.page, wanted.cancelled, p.rows, p.listed, p.json
    FROM (SELECT) one ${epochs}
      LEFT JOIN changed wanted ON true
      LEFT JOIN LATERAL (${page('wanted.is_read')}) p ON wanted.is_read`,
}

/** All pages that have orders, with one index lookup per page; a row without a page if there are none. */
export const existingPages = {
  name: 'existing-pages',
  text: `
    WITH RECURSIVE existing AS (
      SELECT (pg_catalog.min(position) >> ${PAGE_BITS})::integer AS page FROM store_orders.orders
      UNION ALL
      SELECT (SELECT (pg_catalog.min(position) >> ${PAGE_BITS})::integer FROM store_orders.orders
        WHERE position >= (page::bigint + 1) << ${PAGE_BITS})
      FROM existing WHERE page IS NOT NULL)
    SELECT s.snapshot::text, ${epochSince('s.snapshot')} AS epoch, existing.page
    FROM pg_catalog.pg_current_snapshot() s (snapshot) ${epochs}
      LEFT JOIN existing ON existing.page IS NOT NULL`,
}

/** The pages $1. */
export const readPages = {
  name: 'read-pages',
  text: `SELECT wanted.page, p.rows, p.listed, p.json
    FROM pg_catalog.unnest($1::integer[]) wanted (page) CROSS JOIN LATERAL (${page('true')}) p`,
}

/** Locks before taking the snapshot: an older snapshot would see a rewritten table as empty. */
export const begin = {
  text: `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
    LOCK TABLE store_orders.orders IN ACCESS SHARE MODE`,
}
export const commit = { text: 'COMMIT' }
export const renew = { text: 'SELECT store_orders.renew_order_changes()' }
export const prune = { text: "SELECT store_orders.prune_order_changes('10 minutes') AS more" }
export const cancel = { name: 'cancel', text: 'SELECT store_orders.cancel_orders($1, $2) AS outcomes' }
export const pet = {
  name: 'pet',
  text: 'SELECT EXISTS (SELECT FROM store_orders.orders WHERE pet_id = $1) AS known',
}

export const statuses = {
  name: 'statuses',
  text: 'SELECT status, pg_catalog.count(*)::float8 AS orders FROM store_orders.orders GROUP BY status',
}

export const ping = { name: 'ping', text: 'SELECT 1' }
