-- Orders, the log of the orders that changed, and custom domains.
--
-- The owner of the schema runs this. Servers read the tables, cancel through functions, and write the tables of the
-- domains (store-orders migrate --grant). Other services write orders with plain SQL; triggers log what they change.

-- 1. Orders

-- In plpgsql, because a function in SQL takes three times as long. A backslash would depend on
-- standard_conforming_strings.
CREATE FUNCTION store_orders.order_json(
  id bigint, pet_id bigint, quantity integer, ship_date timestamptz, complete boolean)
RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN concat('{"id":', id, ',"petId":' || pet_id::text, ',"quantity":' || quantity::text,
    ',"shipDate":"' || to_char(ship_date AT TIME ZONE 'UTC', CASE WHEN ship_date < '0001-01-01 00:00:00+00'
      THEN '"0000-"MM-DD"T"HH24:MI:SS.MS"Z"' -- to_char calls the year 0 the year 1
      ELSE 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"' END) || '"',
    CASE WHEN complete THEN ',"complete":true' WHEN NOT complete THEN ',"complete":false' END, '}');
END $$;
COMMENT ON FUNCTION store_orders.order_json IS 'an order as the API shows it';

CREATE TABLE store_orders.orders (
  id bigint PRIMARY KEY,
  pet_id bigint,
  quantity integer,
  ship_date timestamptz(3)
    CHECK (ship_date >= '0001-01-01 00:00:00+00 BC' AND ship_date < '10000-01-01 00:00:00+00'),
  complete boolean,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'shipped', 'cancelled')),
  cancelled_by uuid,
  position bigint NOT NULL GENERATED ALWAYS AS IDENTITY (MINVALUE 0 MAXVALUE 2199023255551 START 0)
    CHECK (position BETWEEN 0 AND 2199023255551), -- the number of its page is an integer
  -- Stored: written once an order, and read with its page whenever everything is read.
  json text GENERATED ALWAYS AS (store_orders.order_json(id, pet_id, quantity, ship_date, complete)) STORED
);
CREATE UNIQUE INDEX orders_position ON store_orders.orders (position);
CREATE INDEX orders_pet_id ON store_orders.orders (pet_id) WHERE pet_id IS NOT NULL;
COMMENT ON TABLE store_orders.orders IS 'the orders, cancelled ones included';
COMMENT ON COLUMN store_orders.orders.cancelled_by IS 'the request that cancelled the order';
COMMENT ON COLUMN store_orders.orders.position
  IS 'the order''s place in the list: the order of placement; servers read blocks of 1,024 positions, position >> 10';
COMMENT ON COLUMN store_orders.orders.json IS 'the order as the API shows it';

-- Logged: a retry after a crash has to find its request, too.
CREATE TABLE store_orders.order_cancellations (
  request uuid PRIMARY KEY,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE INDEX order_cancellations_xid ON store_orders.order_cancellations (xid);
COMMENT ON TABLE store_orders.order_cancellations
  IS 'the requests that have cancelled an order, for their retries, whatever has become of the order';

-- 2. The log
--
-- A reader keeps the snapshot under which it last read. What was logged by a transaction that this snapshot did not see,
-- and is visible now, has changed since. The reader then reads these orders as they are now.
--
-- Both tables are unlogged: after a crash or a failover, when transaction ids may be given out again, they are empty, and
-- the missing epoch makes every reader read everything.

-- Vacuumed after as many changes as one prune deletes, so that their space is used again.
CREATE UNLOGGED TABLE store_orders.order_log (
  xid xid8 NOT NULL,
  position bigint NOT NULL,
  json text
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
CREATE INDEX order_log_xid ON store_orders.order_log (xid);
COMMENT ON TABLE store_orders.order_log IS 'the orders that changed in the last ten to twenty minutes';
COMMENT ON COLUMN store_orders.order_log.xid IS 'the transaction that changed the order';
COMMENT ON COLUMN store_orders.order_log.position IS 'the order''s position; -1 for a statement that changed too many to log';
COMMENT ON COLUMN store_orders.order_log.json IS 'NULL if the order is no longer listed; empty if readers must look it up';

CREATE UNLOGGED TABLE store_orders.order_log_epoch (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  token uuid NOT NULL DEFAULT gen_random_uuid(),
  written xid8 NOT NULL DEFAULT pg_current_xact_id(),
  started timestamptz NOT NULL DEFAULT pg_postmaster_start_time(),
  unlogged xid8[] NOT NULL DEFAULT '{}',
  pruned pg_snapshot NOT NULL DEFAULT '1:1:',
  next_prune pg_snapshot NOT NULL DEFAULT '1:1:',
  pruned_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE store_orders.order_log_epoch IS 'identifies the log: readers that know another epoch read everything';
COMMENT ON COLUMN store_orders.order_log_epoch.written
  IS 'the transaction that wrote the row: one that a restore or a rewrite has written differs, and is not an epoch';
COMMENT ON COLUMN store_orders.order_log_epoch.started
  IS 'when the server started that this epoch belongs to: transaction ids of another one mean something else';
COMMENT ON COLUMN store_orders.order_log_epoch.unlogged
  IS 'prepared transactions that outlived a crash, while what they had logged did not';
COMMENT ON COLUMN store_orders.order_log_epoch.pruned IS 'changes that this snapshot sees have been deleted';
COMMENT ON COLUMN store_orders.order_log_epoch.next_prune IS 'the next prune deletes changes that this snapshot sees';

-- 3. Functions
--
-- They run with the rights of their owner, so that a service that writes orders needs no right to the log. Each has its
-- own search_path, so that it calls no operator or function of another schema.

-- No row is waited for, so groups cannot deadlock. Each statement sees every commit before it began (READ COMMITTED).
CREATE FUNCTION store_orders.cancel_orders(ids bigint[], requests uuid[]) RETURNS text[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = store_orders, pg_temp SET row_security = off AS $$
DECLARE
  suppressed bigint;
  cancelled integer;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'cancel_orders needs READ COMMITTED' USING ERRCODE = 'invalid_transaction_state';
  END IF;
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
COMMENT ON FUNCTION store_orders.cancel_orders
  IS 'cancels orders, each for a request; returns an outcome for each, NULL if another transaction holds the order';

-- Deletes what the last prune but one saw: an open transaction keeps no changes but its own. Deletes changes of another
-- server, too, whose transaction ids lie in the future. Each call is a transaction short enough for a time limit. The clock
-- may have been set back.
CREATE FUNCTION store_orders.prune_order_log(every interval) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = store_orders, pg_temp AS $$
DECLARE
  part CONSTANT integer := 10000;
  seen pg_snapshot;
  deleted integer;
  forgotten integer;
BEGIN
  UPDATE order_log_epoch SET pruned = next_prune, next_prune = pg_current_snapshot(), pruned_at = now(),
    written = pg_current_xact_id()
  WHERE (pruned_at <= now() - every OR pruned_at > now())
    AND xmin = written::xid AND started = pg_postmaster_start_time();
  SELECT pruned INTO seen FROM order_log_epoch WHERE xmin = written::xid AND started = pg_postmaster_start_time();
  DELETE FROM order_log WHERE ctid = ANY (ARRAY(
    (SELECT ctid FROM order_log WHERE xid < pg_snapshot_xmax(seen) AND pg_visible_in_snapshot(xid, seen)
      ORDER BY xid LIMIT part)
    UNION ALL
    (SELECT ctid FROM order_log WHERE xid >= pg_snapshot_xmax(pg_current_snapshot()) AND xid <> pg_current_xact_id()
      ORDER BY xid LIMIT part)));
  GET DIAGNOSTICS deleted = ROW_COUNT;
  DELETE FROM order_cancellations WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM order_cancellations WHERE xid < pg_snapshot_xmax(seen) AND pg_visible_in_snapshot(xid, seen)
    ORDER BY xid LIMIT part));
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN deleted >= part OR forgotten >= part;
END $$;
COMMENT ON FUNCTION store_orders.prune_order_log
  IS 'deletes old changes and requests, a part of them in each call; returns whether any are left';

-- A logged table would survive a crash, while the changes logged last may not: then there is no epoch.
CREATE FUNCTION store_orders.renew_order_log() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = store_orders, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM order_log_epoch WHERE xmin = written::xid AND started = pg_postmaster_start_time()) OR EXISTS (
    SELECT FROM pg_class WHERE oid IN ('order_log'::regclass, 'order_log_epoch'::regclass) AND relpersistence <> 'u')
  THEN RETURN; END IF;
  DELETE FROM order_log_epoch;
  PERFORM prune_order_log('10 minutes');
  INSERT INTO order_log_epoch (unlogged) VALUES (ARRAY(
    SELECT id FROM pg_snapshot_xip(pg_current_snapshot()) id
    JOIN pg_prepared_xacts ON transaction::text::bigint = id::text::bigint & 4294967295 -- its lower 32 bits
    WHERE database = current_database()))
  ON CONFLICT DO NOTHING;
END $$;
COMMENT ON FUNCTION store_orders.renew_order_log IS 'begins an epoch, unless there is one of this server';

-- 4. Triggers

CREATE FUNCTION store_orders.keep_cancelled() RETURNS trigger
LANGUAGE plpgsql SET search_path = store_orders, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'order % has been cancelled', OLD.id
    USING ERRCODE = 'check_violation', HINT = 'Ship with: UPDATE ... SET status = ''shipped'' WHERE id = ... AND status = ''pending''';
END $$;
COMMENT ON FUNCTION store_orders.keep_cancelled IS 'rejects an UPDATE that would undo a cancellation';

CREATE TRIGGER orders_stay_cancelled BEFORE UPDATE ON store_orders.orders
  FOR EACH ROW WHEN (OLD.status = 'cancelled' AND NEW.status <> 'cancelled')
  EXECUTE FUNCTION store_orders.keep_cancelled();

CREATE FUNCTION store_orders.log_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = store_orders, pg_temp AS $$
BEGIN
  IF TG_RELID <> 'store_orders.orders'::regclass THEN RAISE EXCEPTION 'only changes of orders are logged'; END IF;
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM order_log_epoch;
  ELSIF TG_LEVEL = 'ROW' THEN
    INSERT INTO order_log (xid, position, json)
      SELECT DISTINCT pg_current_xact_id(), moved, '' FROM unnest(ARRAY[OLD.position, NEW.position]) moved
      WHERE moved IS NOT NULL;
  ELSIF (SELECT count(*) FROM changed) >
    greatest(10000, (SELECT reltuples / 16 FROM pg_class WHERE oid = TG_RELID)) THEN
    -- Readers read everything after so many changes, as after an import: the log needs none of them.
    INSERT INTO order_log (xid, position) VALUES (pg_current_xact_id(), -1);
  ELSE
    INSERT INTO order_log (xid, position, json)
      SELECT pg_current_xact_id(), position, CASE
        WHEN (SELECT relhassubclass FROM pg_class WHERE oid = TG_RELID) THEN '' -- the row may be of a table that inherits
        WHEN TG_OP <> 'DELETE' AND status <> 'cancelled' THEN json END
      FROM changed;
  END IF;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION store_orders.log_change IS 'logs the orders that a statement changed; a TRUNCATE ends the epoch';

CREATE TRIGGER orders_inserted AFTER INSERT ON store_orders.orders
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION store_orders.log_change();
CREATE TRIGGER orders_updated AFTER UPDATE ON store_orders.orders
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION store_orders.log_change();
CREATE TRIGGER orders_deleted AFTER DELETE ON store_orders.orders
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION store_orders.log_change();
-- PostgreSQL lets no table inherit, or become a partition, that has such a trigger with a transition table. Through the
-- other table, orders would change without firing the triggers above.
CREATE TRIGGER orders_moved AFTER UPDATE ON store_orders.orders
  REFERENCING NEW TABLE AS changed FOR EACH ROW WHEN (OLD.position <> NEW.position) EXECUTE FUNCTION store_orders.log_change();
CREATE TRIGGER orders_truncated AFTER TRUNCATE ON store_orders.orders
  FOR EACH STATEMENT EXECUTE FUNCTION store_orders.log_change();
-- Logical replication fires no statement triggers except for TRUNCATE, and only those that are enabled for replicas.
CREATE TRIGGER orders_replicated AFTER INSERT OR UPDATE OR DELETE ON store_orders.orders
  FOR EACH ROW EXECUTE FUNCTION store_orders.log_change();
ALTER TABLE store_orders.orders ENABLE REPLICA TRIGGER orders_replicated, ENABLE ALWAYS TRIGGER orders_truncated;

CREATE FUNCTION store_orders.keep_log() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = store_orders, pg_temp AS $$
BEGIN
  DELETE FROM order_log_epoch WHERE TG_OP = 'UPDATE' OR EXISTS (SELECT FROM removed WHERE NOT pg_visible_in_snapshot(xid, pruned));
  RETURN NULL;
END $$;
COMMENT ON FUNCTION store_orders.keep_log IS 'ends the epoch when the log loses a change that was not pruned';

CREATE TRIGGER order_log_deleted AFTER DELETE ON store_orders.order_log
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION store_orders.keep_log();
-- For each row, so that the log cannot inherit either. No function of the store updates it.
CREATE TRIGGER order_log_updated AFTER UPDATE ON store_orders.order_log
  REFERENCING OLD TABLE AS removed FOR EACH ROW EXECUTE FUNCTION store_orders.keep_log();
ALTER TABLE store_orders.order_log ENABLE ALWAYS TRIGGER order_log_deleted, ENABLE ALWAYS TRIGGER order_log_updated;

-- 5. Privileges
--
-- PUBLIC executes nothing but order_json, which writing an order needs.

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA store_orders FROM PUBLIC;
GRANT EXECUTE ON FUNCTION store_orders.order_json(bigint, bigint, integer, timestamptz, boolean) TO PUBLIC;
