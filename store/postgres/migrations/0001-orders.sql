-- Orders, and a log of what changed in which transaction. 0006 defines the log's present form and all functions.
--
-- A page of the list is position >> 10: 1,024 orders, as in the memory store.

CREATE FUNCTION store_orders.order_json(id bigint, pet_id bigint, quantity integer, ship_date timestamptz, complete boolean)
RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS 'BEGIN RETURN NULL; END';

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
