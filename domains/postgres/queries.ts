// The SQL of the domains. Time is the database's own, so that instances' clocks do not matter.

export const CHANNEL = 'store_orders_domains'

/** Empty unless $1 leads with the fencing token $2. The lock keeps another instance from taking over before the write. */
const leader = `
  leader AS (SELECT FROM store_orders.domain_work WHERE holder = $1 AND fence = $2 FOR SHARE)`

export const load = { text: 'SELECT revision, state FROM store_orders.domain_state' }

const save = (condition: string) => `
  saved AS (
    UPDATE store_orders.domain_state SET revision = revision + 1, save = $4, state = $5
    WHERE revision = $3 ${condition} RETURNING revision)
  SELECT revision, pg_notify('${CHANNEL}', '') FROM saved`

/** Saves the state $5 over the revision $3; $4 identifies the save. Returns the new revision if it was saved. */
export const saveState = { text: `WITH ${save('AND $1::uuid IS NOT NULL AND $2::bigint IS NULL')}` }
export const saveStateAsLeader = { text: `WITH ${leader}, ${save('AND EXISTS (SELECT FROM leader)')}` }

/** Whether an earlier attempt at the save $3 succeeded, and whether $1 still leads with the fencing token $2. */
export const saveOutcome = {
  text: `
    SELECT s.revision, s.save = $3 AS saved, w.holder = $1 AND w.fence = $2 AS leads
    FROM store_orders.domain_state s, store_orders.domain_work w`,
}

/** A value begins with the id of its key. */
const keyOfValue = "encode(substring(value FROM 1 FOR 4), 'hex')"

/** A value that none of the keys with the ids $1 has encrypted. */
export const unreadable = {
  text: `SELECT kind, name FROM store_orders.domain_secrets
    WHERE ${keyOfValue} <> ALL ($1::text[]) ORDER BY kind, name LIMIT 1`,
}

/** The values that another key than $1 has encrypted. */
export const encryptedOtherwise = {
  text: `SELECT kind, name, value FROM store_orders.domain_secrets WHERE ${keyOfValue} <> $1`,
}

export const loadSecret = { text: 'SELECT value FROM store_orders.domain_secrets WHERE kind = $1 AND name = $2' }

const upsert = 'ON CONFLICT (kind, name) DO UPDATE SET value = excluded.value'

export const createSecret = {
  text: 'INSERT INTO store_orders.domain_secrets (kind, name, value) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
}

/** Returns a row if $1 leads. */
export const saveSecretAsLeader = {
  text: `WITH ${leader} INSERT INTO store_orders.domain_secrets (kind, name, value) SELECT $3, $4, $5 FROM leader
    ${upsert} RETURNING 1`,
}

/** Returns a row if $1 leads, even if there was nothing to delete. */
export const deleteSecretAsLeader = {
  text: `WITH ${leader}, deleted AS (
    DELETE FROM store_orders.domain_secrets WHERE kind = $3 AND name = $4 AND EXISTS (SELECT FROM leader))
  SELECT 1 FROM leader`,
}

/** Replaces the value $4, if it is still the stored one. */
export const exchangeSecret = {
  text: 'UPDATE store_orders.domain_secrets SET value = $3 WHERE kind = $1 AND name = $2 AND value = $4',
}

export const replaceSecret = {
  text: `INSERT INTO store_orders.domain_secrets (kind, name, value) VALUES ($1, $2, $3) ${upsert}`,
}

/** Nothing else is saved until the transaction ends; afterwards, the leader must be elected again. */
export const endLeadership = {
  text: "UPDATE store_orders.domain_work SET holder = NULL, fence = fence + 1, expires = '-infinity'",
}
export const lockState = { text: `${load.text} FOR UPDATE` }
export const replaceState = {
  text: 'UPDATE store_orders.domain_state SET revision = revision + 1, save = NULL, state = $1',
}

/**
 * Renews the leases of the instance $1, which serves the revision $2 and has the keys $4, for $3 seconds. Returns the
 * first of these keys that all live instances have.
 */
export const heartbeat = {
  text: `
    WITH me AS (
      INSERT INTO store_orders.domain_instances (id, revision, expires, keys)
      VALUES ($1, $2, clock_timestamp() + $3 * interval '1 second', $4)
      ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, expires = excluded.expires, keys = excluded.keys),
    led AS (
      UPDATE store_orders.domain_work
      SET holder = $1, expires = clock_timestamp() + $3 * interval '1 second',
        fence = fence + (holder IS DISTINCT FROM $1)::integer
      WHERE holder = $1 OR expires < clock_timestamp()
      RETURNING fence),
    gone AS (DELETE FROM store_orders.domain_instances WHERE expires < clock_timestamp() - interval '1 hour')
    SELECT revision, (SELECT fence FROM led) AS token, (
      SELECT key FROM unnest($4::text[]) WITH ORDINALITY own (key, place)
      WHERE NOT EXISTS (
        SELECT FROM store_orders.domain_instances
        WHERE id <> $1 AND expires > clock_timestamp() AND key <> ALL (keys))
      ORDER BY place LIMIT 1) AS key
    FROM store_orders.domain_state`,
}

export const notify = { text: `SELECT pg_notify('${CHANNEL}', '')` }

/** How many other instances may serve something older than the revision $2. */
export const instancesBehind = {
  text: `SELECT count(*)::integer AS instances FROM store_orders.domain_instances
    WHERE id <> $1 AND revision < $2 AND expires > clock_timestamp()`,
}

export const leave = {
  text: `WITH gone AS (DELETE FROM store_orders.domain_instances WHERE id = $1)
    UPDATE store_orders.domain_work SET expires = '-infinity' WHERE holder = $1`,
}
