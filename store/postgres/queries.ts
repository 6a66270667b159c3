// The SQL of the store. Statements are prepared once per connection, by name.

/** 2^10 orders per page, by position. The migrations use the same number. */
export const PAGE_BITS = 10

/** The page `wanted.page`, in one row; `condition` may refer to `wanted`. */
const page = (condition: string) => `
  SELECT count(*) AS rows, count(*) FILTER (WHERE o.status <> 'cancelled') AS shown,
    string_agg(o.json, ',' ORDER BY o.position) FILTER (WHERE o.status <> 'cancelled') AS json
  FROM store_orders.orders o
  WHERE o.position >= wanted.page::bigint << ${PAGE_BITS} AND o.position < (wanted.page::bigint + 1) << ${PAGE_BITS}
    AND ${condition}`

/** Transaction ids are reused only after a crash, which empties the table, or after a restart of PostgreSQL. */
const token = `CASE WHEN e.pruned <= pg_snapshot_xmin($1::pg_snapshot)
  THEN e.token || pg_postmaster_start_time()::text END`

/** A page from which more orders than these were cancelled is read again. */
const CUT_MAX = 64

/**
 * The pages of changes that are invisible under the snapshot $1, as a transaction logged them that was not finished
 * then; with the orders to cut out where nothing but cancellations happened.
 */
const changedPages = `
  SELECT page, CASE WHEN count(*) = count(cancelled) AND count(*) <= ${CUT_MAX} THEN array_agg(cancelled) END AS cancelled
  FROM (
    SELECT page, cancelled FROM store_orders.order_changes WHERE xid >= pg_snapshot_xmax($1::pg_snapshot)
    UNION ALL
    SELECT page, cancelled FROM store_orders.order_changes
    WHERE xid = ANY (ARRAY(SELECT pg_snapshot_xip($1::pg_snapshot)))) logged
  GROUP BY page`

/** Checks for any change since the snapshot $1. EXISTS would be planned as a sequential scan. */
export const check = {
  name: 'check',
  text: `
    SELECT ${token} AS token,
      (SELECT xid FROM store_orders.order_changes
        WHERE xid >= pg_snapshot_xmax($1::pg_snapshot) ORDER BY xid LIMIT 1) IS NOT NULL
      OR (SELECT xid FROM store_orders.order_changes
        WHERE xid = ANY (ARRAY(SELECT pg_snapshot_xip($1::pg_snapshot))) ORDER BY xid LIMIT 1) IS NOT NULL AS changed
    FROM (SELECT) one LEFT JOIN store_orders.order_changes_epoch e ON true`,
}

/** The pages that changed since the snapshot $1, with the content of $2 of those to be read; a row without a page where none did. */
export const changes = {
  name: 'changes',
  text: `
    WITH changed AS MATERIALIZED (
      SELECT page, cancelled, cancelled IS NULL AND row_number() OVER (PARTITION BY cancelled IS NULL) <= $2 AS is_read
      FROM (${changedPages}) logged)
    SELECT pg_current_snapshot()::text AS snapshot, ${token} AS token,
      wanted.page, wanted.cancelled, p.rows, p.shown, p.json
    FROM (SELECT) one
      LEFT JOIN store_orders.order_changes_epoch e ON true
      LEFT JOIN changed wanted ON true
      LEFT JOIN LATERAL (${page('wanted.is_read')}) p ON wanted.is_read`,
}

/** All pages that changed since the snapshot $1: for a transaction whose statements share one snapshot. */
export const changed = {
  name: 'changed',
  text: `
    SELECT pg_current_snapshot()::text AS snapshot, ${token} AS token, wanted.page, wanted.cancelled
    FROM (SELECT) one
      LEFT JOIN store_orders.order_changes_epoch e ON true
      LEFT JOIN (${changedPages}) wanted ON true`,
}

/** How many pages there are, likewise. */
export const extent = {
  name: 'extent',
  text: `
    SELECT s.snapshot::text, e.token || pg_postmaster_start_time()::text AS token,
      coalesce((SELECT max(position) >> ${PAGE_BITS} FROM store_orders.orders) + 1, 0)::integer AS pages
    FROM pg_current_snapshot() s (snapshot) LEFT JOIN store_orders.order_changes_epoch e ON true`,
}

/** The pages $1. */
export const pages = {
  name: 'pages',
  text: `SELECT wanted.page, p.rows, p.shown, p.json
    FROM unnest($1::integer[]) wanted (page) CROSS JOIN LATERAL (${page('true')}) p`,
}

export const begin = { text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' }
export const commit = { text: 'COMMIT' }
export const renew = { text: 'SELECT store_orders.renew_order_changes()' }
export const prune = { text: "SELECT store_orders.prune_order_changes('10 minutes')" }
export const cancel = { name: 'cancel', text: 'SELECT store_orders.cancel_order($1, $2) AS outcome' }
export const pet = {
  name: 'pet',
  text: 'SELECT EXISTS (SELECT FROM store_orders.orders WHERE pet_id = $1) AS known',
}

export const statuses = {
  name: 'statuses',
  text: 'SELECT status, count(*)::float8 AS orders FROM store_orders.orders GROUP BY status',
}

export const ping = { name: 'ping', text: 'SELECT 1' }
