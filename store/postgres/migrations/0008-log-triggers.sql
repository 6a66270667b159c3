-- The triggers that write the log, apart from its tables: they replace earlier ones, which log less.

CREATE OR REPLACE FUNCTION store_orders.log_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = store_orders, pg_temp AS $$
BEGIN
  IF TG_RELID <> 'store_orders.orders'::regclass THEN RAISE EXCEPTION 'only changes of orders are logged'; END IF;
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM order_changes_epoch;
  ELSIF TG_LEVEL = 'ROW' THEN
    INSERT INTO order_log (xid, position, json)
      SELECT DISTINCT pg_current_xact_id(), moved, '' FROM unnest(ARRAY[OLD.position, NEW.position]) moved
      WHERE moved IS NOT NULL;
  ELSE
    INSERT INTO order_log (xid, position, json)
      SELECT pg_current_xact_id(), position, CASE
        WHEN (SELECT relhassubclass FROM pg_class WHERE oid = TG_RELID) THEN '' -- the row may be of a table that inherits
        WHEN TG_OP <> 'DELETE' AND status <> 'cancelled' THEN json END
      FROM changed;
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION store_orders.log_change() FROM PUBLIC;

CREATE OR REPLACE TRIGGER orders_inserted AFTER INSERT ON store_orders.orders
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION store_orders.log_change();
CREATE OR REPLACE TRIGGER orders_updated AFTER UPDATE ON store_orders.orders
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION store_orders.log_change();
CREATE OR REPLACE TRIGGER orders_deleted AFTER DELETE ON store_orders.orders
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION store_orders.log_change();
CREATE OR REPLACE TRIGGER orders_moved AFTER UPDATE ON store_orders.orders
  FOR EACH ROW WHEN (OLD.position <> NEW.position) EXECUTE FUNCTION store_orders.log_change();
CREATE OR REPLACE TRIGGER orders_truncated AFTER TRUNCATE ON store_orders.orders
  FOR EACH STATEMENT EXECUTE FUNCTION store_orders.log_change();
-- Logical replication fires no statement triggers except for TRUNCATE, and only those that are enabled for replicas.
CREATE OR REPLACE TRIGGER orders_replicated AFTER INSERT OR UPDATE OR DELETE ON store_orders.orders
  FOR EACH ROW EXECUTE FUNCTION store_orders.log_change();
ALTER TABLE store_orders.orders ENABLE REPLICA TRIGGER orders_replicated, ENABLE ALWAYS TRIGGER orders_truncated;
