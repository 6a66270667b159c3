-- The log named the orders that a statement cancelled.
ALTER TABLE store_orders.order_changes ADD COLUMN cancelled bigint;
