-- Orders, and a log of which pages of the list changed in which transaction.
--
-- Page = position >> 10: 1,024 orders, as in the memory store. A reader keeps the snapshot under which it last read:
-- what was logged under a transaction that this snapshot did not see, and is visible now, has changed since.

-- An order as the API shows it. Dates by to_char, which is STABLE only for formats that depend on the locale.
CREATE FUNCTION store_orders.order_json(id bigint, pet_id bigint, quantity integer, ship_date timestamptz, complete boolean)
RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN '{"id":' || id
    || coalesce(',"petId":' || pet_id, '')
    || coalesce(',"quantity":' || quantity, '')
    || CASE WHEN ship_date IS NULL THEN ''
         ELSE to_char(ship_date AT TIME ZONE 'UTC', CASE WHEN ship_date < '0001-01-01 00:00:00+00'
           THEN '",\"shipDate\":\"0000-"MM-DD"T"HH24:MI:SS.MS"Z\""' -- to_char calls the year 0 the year 1
           ELSE '",\"shipDate\":\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\""' END) END
    || CASE complete WHEN true THEN ',"complete":true}' WHEN false THEN ',"complete":false}' ELSE '}' END;
END $$;

CREATE TABLE store_orders.orders (
  id bigint PRIMARY KEY,
  pet_id bigint,
  quantity integer,
  ship_date timestamptz(3)
    CHECK (ship_date >= '0001-01-01 00:00:00+00 BC' AND ship_date < '10000-01-01 00:00:00+00'),
  complete boolean,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'shipped', 'cancelled')),
  cancelled_by uuid,
  position bigint NOT NULL GENERATED ALWAYS AS IDENTITY (MINVALUE 0 START 0),
  -- Stored: written once an order, and read with its page whenever another order of the page changes.
  json text GENERATED ALWAYS AS (store_orders.order_json(id, pet_id, quantity, ship_date, complete)) STORED
);
CREATE UNIQUE INDEX orders_position ON store_orders.orders (position);
CREATE INDEX orders_pet_id ON store_orders.orders (pet_id) WHERE pet_id IS NOT NULL;

COMMENT ON COLUMN store_orders.orders.cancelled_by IS 'the request that cancelled the order';
COMMENT ON COLUMN store_orders.orders.position IS 'the order''s place in the list: the order of placement';

-- Unlogged: after a crash or a failover, when transaction ids may be reused, both tables are empty, and the
-- missing token makes every reader read everything again.
CREATE UNLOGGED TABLE store_orders.order_changes (xid xid8 NOT NULL, page integer NOT NULL);
CREATE INDEX order_changes_xid ON store_orders.order_changes (xid);

CREATE UNLOGGED TABLE store_orders.order_changes_epoch (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  token uuid NOT NULL DEFAULT gen_random_uuid(),
  -- Changes of transactions before this one have been deleted.
  pruned xid8 NOT NULL DEFAULT '0',
  -- The next prune deletes what is before this one.
  next_prune xid8 NOT NULL DEFAULT '0',
  pruned_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO store_orders.order_changes_epoch DEFAULT VALUES;

-- The functions run with the rights of their owner, so that whoever may write orders needs no right to the log.

CREATE FUNCTION store_orders.log_inserted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = store_orders, pg_temp AS $$
BEGIN
  INSERT INTO order_changes SELECT DISTINCT pg_current_xact_id(), (position >> 10)::integer FROM new_rows;
  RETURN NULL;
END $$;

CREATE FUNCTION store_orders.log_updated() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = store_orders, pg_temp AS $$
BEGIN
  INSERT INTO order_changes
  SELECT pg_current_xact_id(), page
  FROM (
    SELECT (position >> 10)::integer FROM old_rows UNION SELECT (position >> 10)::integer FROM new_rows
  ) changed (page);
  RETURN NULL;
END $$;

CREATE FUNCTION store_orders.log_deleted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = store_orders, pg_temp AS $$
BEGIN
  INSERT INTO order_changes SELECT DISTINCT pg_current_xact_id(), (position >> 10)::integer FROM old_rows;
  RETURN NULL;
END $$;

CREATE FUNCTION store_orders.forget_log() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = store_orders, pg_temp AS $$
BEGIN
  DELETE FROM order_changes_epoch;
  RETURN NULL;
END $$;

CREATE TRIGGER orders_inserted AFTER INSERT ON store_orders.orders
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION store_orders.log_inserted();
CREATE TRIGGER orders_updated AFTER UPDATE ON store_orders.orders
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION store_orders.log_updated();
CREATE TRIGGER orders_deleted AFTER DELETE ON store_orders.orders
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION store_orders.log_deleted();
CREATE TRIGGER orders_truncated AFTER TRUNCATE ON store_orders.orders
  FOR EACH STATEMENT EXECUTE FUNCTION store_orders.forget_log();

-- A cancellation that got 204 is final, whatever another service's UPDATE says.
CREATE FUNCTION store_orders.refuse_revival() RETURNS trigger
LANGUAGE plpgsql SET search_path = store_orders, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'order % has been cancelled', OLD.id
    USING ERRCODE = 'check_violation', HINT = 'Ship with: UPDATE ... SET status = ''shipped'' WHERE id = ... AND status = ''pending''';
END $$;
CREATE TRIGGER orders_stay_cancelled BEFORE UPDATE ON store_orders.orders
  FOR EACH ROW WHEN (OLD.status = 'cancelled' AND NEW.status <> 'cancelled')
  EXECUTE FUNCTION store_orders.refuse_revival();

-- Every statement of it sees what was committed before it began (READ COMMITTED). In one statement, the SELECT would
-- see the order as it was before the UPDATE waited for another cancel.
CREATE FUNCTION store_orders.cancel_order(wanted bigint, request uuid) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = store_orders, pg_temp AS $$
DECLARE
  found_status text;
  found_request uuid;
BEGIN
  LOOP
    UPDATE orders SET status = 'cancelled', cancelled_by = request WHERE id = wanted AND status = 'pending';
    IF FOUND THEN RETURN 'cancelled'; END IF;
    SELECT status, cancelled_by INTO found_status, found_request FROM orders WHERE id = wanted;
    IF NOT FOUND THEN RETURN 'not_found'; END IF;
    IF found_status = 'cancelled' AND found_request = request THEN
      -- The same request again, whose answer was lost. Something is written so that its commit, too, waits for a
      -- synchronous standby.
      UPDATE orders SET cancelled_by = request WHERE id = wanted;
      RETURN 'cancelled';
    END IF;
    IF found_status <> 'pending' THEN RETURN 'already_' || found_status; END IF;
  END LOOP;
END $$;

-- Makes the token again after a crash, a failover or a TRUNCATE.
CREATE FUNCTION store_orders.renew_order_changes() RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = store_orders, pg_temp AS $$
  INSERT INTO order_changes_epoch DEFAULT VALUES ON CONFLICT DO NOTHING;
$$;

-- Deletes changes that are older than the last prune but one. A reader that needs them reads everything again.
CREATE FUNCTION store_orders.prune_order_changes(every interval) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = store_orders, pg_temp AS $$
DECLARE
  bound xid8;
BEGIN
  UPDATE order_changes_epoch
  SET pruned = next_prune, next_prune = pg_snapshot_xmin(pg_current_snapshot()), pruned_at = now()
  WHERE pruned_at <= now() - every
  RETURNING pruned INTO bound;
  IF FOUND THEN DELETE FROM order_changes WHERE xid < bound; END IF;
END $$;

REVOKE ALL ON FUNCTION
  store_orders.cancel_order(bigint, uuid),
  store_orders.renew_order_changes(),
  store_orders.prune_order_changes(interval)
FROM PUBLIC;
