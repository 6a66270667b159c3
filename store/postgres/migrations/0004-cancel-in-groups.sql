-- Cancellations in groups, a log of changes that knows which server wrote it, and pruning in parts.

-- Both tables are filled again by use. A dump may have brought rows of another server.
TRUNCATE store_orders.order_changes, store_orders.order_changes_epoch;

ALTER TABLE store_orders.order_changes_epoch
  ADD COLUMN started timestamptz NOT NULL DEFAULT pg_postmaster_start_time(),
  ADD COLUMN unlogged xid8[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN store_orders.order_changes_epoch.started
  IS 'when the server started that this epoch belongs to: transaction ids of another one mean something else';
COMMENT ON COLUMN store_orders.order_changes_epoch.unlogged
  IS 'prepared transactions that outlived a crash, while what they had logged did not';

-- Names every order that a statement cancelled, up to 64 a page: readers cut out no more than that.
CREATE OR REPLACE FUNCTION store_orders.log_updated() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = store_orders, pg_temp AS $$
BEGIN
  INSERT INTO order_changes (xid, page, cancelled)
  SELECT pg_current_xact_id(), page,
    unnest(CASE WHEN count(*) = count(cancelled) AND count(*) <= 64 THEN array_agg(cancelled) ELSE '{NULL}' END)
  FROM (
    SELECT (position >> 10)::integer, CASE WHEN n.status = 'cancelled' AND n.json = o.json THEN n.id END
    FROM old_rows o FULL JOIN new_rows n USING (position)
    WHERE n.json IS DISTINCT FROM o.json OR (n.status = 'cancelled') IS DISTINCT FROM (o.status = 'cancelled')
  ) changed (page, cancelled)
  GROUP BY page;
  RETURN NULL;
END $$;

-- Cancels orders, each for a request of its own. Returns an outcome for each: NULL if another transaction holds the
-- order. Nothing waits for a row, so groups cannot deadlock. The second statement sees what the first one did, and
-- every commit before it (READ COMMITTED).
CREATE FUNCTION store_orders.cancel_orders(ids bigint[], requests uuid[]) RETURNS text[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = store_orders, pg_temp AS $$
DECLARE
  cancelled integer;
BEGIN
  -- An order that the same request has cancelled before, in an attempt whose result was lost, is written again: this
  -- commit, too, has to wait for a synchronous standby.
  UPDATE orders SET status = 'cancelled', cancelled_by = held.request
  FROM (
    SELECT id, request FROM unnest(ids, requests) wanted (id, request) JOIN orders o USING (id)
    WHERE o.status = 'pending' OR (o.status = 'cancelled' AND o.cancelled_by = request)
    FOR NO KEY UPDATE OF o SKIP LOCKED
  ) held
  WHERE orders.id = held.id;
  GET DIAGNOSTICS cancelled = ROW_COUNT;
  IF cancelled = cardinality(ids) THEN RETURN array_fill('cancelled'::text, ARRAY[cancelled]); END IF;

  RETURN ARRAY(
    SELECT CASE
      WHEN o.id IS NULL THEN 'not_found'
      WHEN o.status = 'cancelled' AND o.cancelled_by = request THEN 'cancelled'
      WHEN o.status <> 'pending' THEN 'already_' || o.status
    END
    FROM unnest(ids, requests) WITH ORDINALITY wanted (id, request, place) LEFT JOIN orders o USING (id)
    ORDER BY place);
END $$;

-- Deletes changes that are older than the last prune but one; a reader that needs them reads everything again. Deletes
-- those of another server, too, whose transaction ids lie in the future. Returns whether any are left: one call deletes
-- no more than fit into a time limit.
DROP FUNCTION store_orders.prune_order_changes(interval);
CREATE FUNCTION store_orders.prune_order_changes(every interval) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = store_orders, pg_temp AS $$
DECLARE
  part CONSTANT integer := 50000;
  deleted integer;
BEGIN
  UPDATE order_changes_epoch
  SET pruned = next_prune, next_prune = pg_snapshot_xmin(pg_current_snapshot()), pruned_at = now()
  WHERE pruned_at <= now() - every;
  DELETE FROM order_changes WHERE ctid = ANY (ARRAY(
    (SELECT ctid FROM order_changes WHERE xid < (SELECT pruned FROM order_changes_epoch) ORDER BY xid LIMIT part)
    UNION ALL
    (SELECT ctid FROM order_changes WHERE xid >= pg_snapshot_xmax(pg_current_snapshot()) ORDER BY xid LIMIT part)));
  GET DIAGNOSTICS deleted = ROW_COUNT;
  RETURN deleted >= part;
END $$;

-- Begins an epoch after a restart, a crash, a failover or a TRUNCATE: every reader reads everything again.
CREATE OR REPLACE FUNCTION store_orders.renew_order_changes() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = store_orders, pg_temp AS $$
BEGIN
  DELETE FROM order_changes_epoch WHERE started <> pg_postmaster_start_time();
  INSERT INTO order_changes_epoch (unlogged) VALUES (ARRAY(
    SELECT id FROM pg_snapshot_xip(pg_current_snapshot()) id
    JOIN pg_prepared_xacts ON transaction::text::bigint = id::text::bigint & 4294967295 -- its lower 32 bits
    WHERE database = current_database()))
  ON CONFLICT DO NOTHING;
  PERFORM prune_order_changes('10 minutes');
END $$;

-- The roles that could cancel can go on.
REVOKE ALL ON FUNCTION
  store_orders.cancel_orders(bigint[], uuid[]),
  store_orders.prune_order_changes(interval)
FROM PUBLIC;
DO $$
DECLARE
  server regrole;
BEGIN
  FOR server IN
    SELECT acl.grantee FROM pg_proc, aclexplode(proacl) acl
    WHERE pg_proc.oid = 'store_orders.cancel_order(bigint, uuid)'::regprocedure AND acl.grantee <> proowner
  LOOP
    EXECUTE format('GRANT EXECUTE ON FUNCTION store_orders.cancel_orders(bigint[], uuid[]),
      store_orders.prune_order_changes(interval) TO %s', server);
  END LOOP;
END $$;
