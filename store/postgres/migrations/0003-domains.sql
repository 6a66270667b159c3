-- Custom domains, for instances that share them.

CREATE TABLE store_orders.domain_state (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  revision bigint NOT NULL,
  -- Identifies the save that made the revision, in a retry.
  save uuid,
  state text NOT NULL
);
INSERT INTO store_orders.domain_state (revision, state) VALUES (0, '{"domains":[]}');

-- Certificates, pending orders and account keys, each with its private key: encrypted by the server.
CREATE TABLE store_orders.domain_secrets (
  kind text NOT NULL CHECK (kind IN ('certificate', 'order', 'account')),
  name text NOT NULL,
  value bytea NOT NULL,
  PRIMARY KEY (kind, name)
);

-- The leader: the one instance that obtains and renews certificates. `fence` is its fencing token, which rises with every
-- change of the leader; a write with an older token is rejected. The names stay: older servers use them during an update.
CREATE TABLE store_orders.domain_work (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  holder uuid,
  fence bigint NOT NULL DEFAULT 0,
  expires timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO store_orders.domain_work DEFAULT VALUES;

-- The instances that serve, and the revision that each of them serves.
CREATE TABLE store_orders.domain_instances (
  id uuid PRIMARY KEY,
  revision bigint NOT NULL,
  expires timestamptz NOT NULL
);
