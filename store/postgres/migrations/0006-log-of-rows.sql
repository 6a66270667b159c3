-- The log has a row for each order that changed, and cancellations remember their requests.
--
-- A reader keeps the snapshot under which it last read: what was logged under a transaction that this snapshot did not
-- see, and is visible now, has changed since. It then reads these orders as they are now.

-- No writer is between the old triggers and the new ones.
LOCK TABLE store_orders.orders IN ACCESS EXCLUSIVE MODE;
-- Without its epoch, every reader reads everything again.
TRUNCATE store_orders.order_changes, store_orders.order_changes_epoch;

-- The JSON is null if the order is no longer listed, and empty if a reader has to look the order up. It does so, too, if
-- an order has several rows, because nothing tells which is the last.
ALTER TABLE store_orders.order_changes DROP COLUMN page, DROP COLUMN cancelled,
  ADD COLUMN position bigint NOT NULL, ADD COLUMN json text;
ALTER TABLE store_orders.order_changes RENAME TO order_log;
ALTER INDEX store_orders.order_changes_xid RENAME TO order_log_xid;
-- Vacuumed after as many changes as one prune deletes at a time, so that their space is used again.
ALTER TABLE store_orders.order_log SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- For servers of the earlier version, until they are replaced.
CREATE VIEW store_orders.order_changes AS
  SELECT xid, (position >> 10)::integer AS page, NULL::bigint AS cancelled FROM store_orders.order_log;

-- The requests that have cancelled an order, found by their retries whatever has become of the order. Logged: a retry
-- after a crash has to find them, too.
CREATE TABLE store_orders.order_cancellations (
  request uuid PRIMARY KEY,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE INDEX order_cancellations_xid ON store_orders.order_cancellations (xid);
-- The functions run with the rights of their owner, so that whoever may write orders needs no right to the log. Each has
-- its own search_path, so that no operator or function of another schema is called.
DROP TRIGGER IF EXISTS orders_inserted ON store_orders.orders;
DROP TRIGGER IF EXISTS orders_updated ON store_orders.orders;
DROP TRIGGER IF EXISTS orders_deleted ON store_orders.orders;
DROP TRIGGER IF EXISTS orders_truncated ON store_orders.orders;
DROP FUNCTION IF EXISTS store_orders.log_inserted(), store_orders.log_updated(), store_orders.log_deleted(),
  store_orders.forget_log(), store_orders.cancel_order(bigint, uuid), store_orders.prune_order_changes(interval);

-- An order as the API shows it. In plpgsql, because a function in SQL takes three times as long. A backslash would depend
-- on standard_conforming_strings.
CREATE OR REPLACE FUNCTION store_orders.order_json(
  id bigint, pet_id bigint, quantity integer, ship_date timestamptz, complete boolean)
RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN concat('{"id":', id, ',"petId":' || pet_id::text, ',"quantity":' || quantity::text,
    ',"shipDate":"' || to_char(ship_date AT TIME ZONE 'UTC', CASE WHEN ship_date < '0001-01-01 00:00:00+00'
      THEN '"0000-"MM-DD"T"HH24:MI:SS.MS"Z"' -- to_char calls the year 0 the year 1
      ELSE 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"' END) || '"',
    CASE WHEN complete THEN ',"complete":true' WHEN NOT complete THEN ',"complete":false' END, '}');
END $$;

-- Cancels orders, each for a request of its own. Returns an outcome for each: NULL if another transaction holds the
-- order. Nothing waits for a row, so groups cannot deadlock. Each statement sees every commit before it began (READ
-- COMMITTED).
CREATE OR REPLACE FUNCTION store_orders.cancel_orders(ids bigint[], requests uuid[]) RETURNS text[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = store_orders, pg_temp SET row_security = off AS $$
DECLARE
  suppressed bigint;
  cancelled integer;
BEGIN
  WITH held AS MATERIALIZED (
    SELECT o.id, wanted.request FROM unnest(ids, requests) wanted (id, request) JOIN ONLY orders o USING (id)
    WHERE o.status = 'pending' AND NOT EXISTS (SELECT FROM order_cancellations c WHERE c.request = wanted.request)
    FOR NO KEY UPDATE OF o SKIP LOCKED
  ), written AS (
    UPDATE ONLY orders o SET status = 'cancelled', cancelled_by = held.request FROM held WHERE o.id = held.id
    RETURNING held.id, held.request, o.status
  ), noted AS (
    INSERT INTO order_cancellations (request) SELECT request FROM written
  )
  SELECT (SELECT min(id) FROM held WHERE id NOT IN (SELECT id FROM written WHERE status = 'cancelled')),
    (SELECT count(*) FROM written)
  INTO suppressed, cancelled;
  IF suppressed IS NOT NULL THEN
    RAISE EXCEPTION 'a trigger suppressed the cancellation of order %', suppressed
      USING ERRCODE = 'triggered_action_exception';
  END IF;
  IF cancelled = cardinality(ids) THEN RETURN array_fill('cancelled'::text, ARRAY[cancelled]); END IF;

  -- A request that has cancelled before, in an attempt whose result was lost, is written again: this commit, too, has to
  -- wait for a synchronous standby.
  UPDATE order_cancellations c SET request = c.request
  WHERE c.request = ANY (requests) AND c.xid <> pg_current_xact_id();
  -- ONLY leaves out the orders in partitions.
  IF (SELECT relkind FROM pg_class WHERE oid = 'store_orders.orders'::regclass) = 'p' THEN
    RAISE EXCEPTION 'the table store_orders.orders must not be partitioned' USING ERRCODE = 'wrong_object_type';
  END IF;
  RETURN ARRAY(
    SELECT CASE
      WHEN c.request IS NOT NULL OR o.cancelled_by = wanted.request THEN 'cancelled'
      WHEN o.id IS NULL THEN 'not_found'
      WHEN o.status <> 'pending' THEN 'already_' || o.status
    END
    FROM unnest(ids, requests) WITH ORDINALITY wanted (id, request, place)
      LEFT JOIN ONLY orders o ON o.id = wanted.id
      LEFT JOIN order_cancellations c ON c.request = wanted.request
    ORDER BY wanted.place);
END $$;

-- Deletes what is older than the last prune but one; a reader that needs it reads everything again. Deletes changes of
-- another server, too, whose transaction ids lie in the future. Returns whether any are left: each call is a transaction
-- short enough for a time limit. The clock may have been set back.
CREATE OR REPLACE FUNCTION store_orders.prune_order_changes(every interval) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = store_orders, pg_temp AS $$
DECLARE
  part CONSTANT integer := 10000;
  deleted integer;
  forgotten integer;
BEGIN
  UPDATE order_changes_epoch
  SET pruned = next_prune, next_prune = pg_snapshot_xmin(pg_current_snapshot()), pruned_at = now()
  WHERE pruned_at <= now() - every OR pruned_at > now();
  DELETE FROM order_log WHERE ctid = ANY (ARRAY(
    (SELECT ctid FROM order_log WHERE xid < (SELECT pruned FROM order_changes_epoch) ORDER BY xid LIMIT part)
    UNION ALL
    (SELECT ctid FROM order_log WHERE xid >= pg_snapshot_xmax(pg_current_snapshot()) ORDER BY xid LIMIT part)));
  GET DIAGNOSTICS deleted = ROW_COUNT;
  DELETE FROM order_cancellations WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM order_cancellations WHERE xid < (SELECT pruned FROM order_changes_epoch) ORDER BY xid LIMIT part));
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN deleted >= part OR forgotten >= part;
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

-- PUBLIC executes nothing but order_json, which writing an order needs. Roles that could serve still can.
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA store_orders FROM PUBLIC;
GRANT EXECUTE ON FUNCTION store_orders.order_json(bigint, bigint, integer, timestamptz, boolean) TO PUBLIC;
DO $$
DECLARE
  server regrole;
BEGIN
  FOR server IN
    SELECT acl.grantee FROM pg_catalog.pg_class, pg_catalog.aclexplode(relacl) acl
    WHERE oid = 'store_orders.order_log'::regclass AND privilege_type = 'SELECT' AND acl.grantee NOT IN (0, relowner)
  LOOP
    EXECUTE pg_catalog.format('GRANT SELECT ON store_orders.order_changes TO %1$s;
      GRANT EXECUTE ON FUNCTION store_orders.cancel_orders(bigint[], uuid[]),
        store_orders.prune_order_changes(interval), store_orders.renew_order_changes() TO %1$s', server);
  END LOOP;
END $$;
