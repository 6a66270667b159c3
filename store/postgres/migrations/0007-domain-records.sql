-- Custom domains as records: a row for each domain, redirect, message and so on. Older servers can no longer change them.

CREATE TABLE store_orders.domain_records (
  kind text NOT NULL,
  name text NOT NULL,
  -- The revision that changed it last: an instance reads what has changed since the one that it serves.
  revision bigint NOT NULL,
  -- NULL: it was deleted. Kept for a while, for instances that have not read that yet.
  value json,
  PRIMARY KEY (kind, name)
);
CREATE INDEX domain_records_revision ON store_orders.domain_records (revision);
CREATE INDEX domain_records_deleted ON store_orders.domain_records (revision) WHERE value IS NULL;

-- The state moves over, and is kept aside.
ALTER TABLE store_orders.domain_state RENAME COLUMN state TO former_state;

INSERT INTO store_orders.domain_records (kind, name, revision, value)
WITH former AS (
  SELECT revision, former_state::json AS state, (former_state::json ->> 'configuration')::json -> 'domains' AS configuration
  FROM store_orders.domain_state
),
tables (kind, key) AS (
  VALUES ('challenge', 'challenges'), ('backoff', 'backoffs'), ('account', 'accounts'), ('revoked', 'revoked')
)
SELECT 'domain', domain #>> '{name,host}', revision, domain
FROM former, json_array_elements(state -> 'domains') domain
UNION ALL
SELECT 'message', message ->> 'id', revision, message
FROM former, json_array_elements(state -> 'outbox') message
UNION ALL
SELECT 'order', gen_random_uuid()::text, revision, placed FROM former, json_array_elements(state -> 'orders') placed
UNION ALL
SELECT kind, entry.key, revision, entry.value
FROM former, tables, json_each(state -> tables.key) entry
UNION ALL
SELECT 'primary', '', revision, configuration -> 'primary' FROM former WHERE configuration ->> 'primary' IS NOT NULL
UNION ALL
SELECT 'redirect', redirect ->> 'from', revision, coalesce(redirect -> 'status', '301')
FROM former, json_array_elements(configuration -> 'redirects') redirect;

-- Roles of servers keep working.
DO $$
DECLARE
  server regrole;
BEGIN
  FOR server IN
    SELECT acl.grantee FROM pg_catalog.pg_class, pg_catalog.aclexplode(relacl) acl
    WHERE oid = 'store_orders.domain_state'::regclass AND privilege_type = 'UPDATE' AND acl.grantee NOT IN (0, relowner)
  LOOP
    EXECUTE pg_catalog.format('GRANT SELECT, INSERT, UPDATE, DELETE ON store_orders.domain_records TO %1$s', server);
  END LOOP;
END $$;
