-- The encryption keys of each instance: a new key encrypts only once all of them have it.

ALTER TABLE store_orders.domain_instances ADD COLUMN keys text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN store_orders.domain_instances.keys IS 'fingerprints of its encryption keys, the newest first';
