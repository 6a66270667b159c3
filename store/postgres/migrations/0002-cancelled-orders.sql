-- The log names the order that a statement cancelled. Readers cut it out of the page that they hold, instead of
-- reading all of the page's orders again; those of earlier versions read the page, as before.

ALTER TABLE store_orders.order_changes ADD COLUMN cancelled bigint;
COMMENT ON COLUMN store_orders.order_changes.cancelled
  IS 'the id of the order whose cancellation is all that changed in the page; null: the page has to be read';

-- What the list does not show, such as shipping, is not logged.
CREATE OR REPLACE FUNCTION store_orders.log_updated() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = store_orders, pg_temp AS $$
BEGIN
  INSERT INTO order_changes (xid, page, cancelled)
  SELECT pg_current_xact_id(), page, CASE WHEN count(*) = 1 THEN min(cancelled) END
  FROM (
    SELECT (position >> 10)::integer, CASE WHEN n.status = 'cancelled' AND n.json = o.json THEN n.id END
    FROM old_rows o FULL JOIN new_rows n USING (position)
    WHERE n.json IS DISTINCT FROM o.json OR (n.status = 'cancelled') IS DISTINCT FROM (o.status = 'cancelled')
  ) changed (page, cancelled)
  GROUP BY page;
  RETURN NULL;
END $$;
