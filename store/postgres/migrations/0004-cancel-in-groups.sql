-- A log of changes that knows which server wrote it.

-- Both tables are filled again by use. A dump may have brought rows of another server.
TRUNCATE store_orders.order_changes, store_orders.order_changes_epoch;

ALTER TABLE store_orders.order_changes_epoch
  ADD COLUMN started timestamptz NOT NULL DEFAULT pg_postmaster_start_time(),
  ADD COLUMN unlogged xid8[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN store_orders.order_changes_epoch.started
  IS 'when the server started that this epoch belongs to: transaction ids of another one mean something else';
COMMENT ON COLUMN store_orders.order_changes_epoch.unlogged
  IS 'prepared transactions that outlived a crash, while what they had logged did not';
