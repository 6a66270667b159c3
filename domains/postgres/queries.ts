// The SQL of the domains. Time is the database's own, so that the clocks of instances do not matter.

export const CHANNEL = 'store_orders_domains'

/** Empty unless $1 holds the work with the fence $2. Locked, so that no other takes over before this is written. */
const held = `
  held AS (SELECT FROM store_orders.domain_work WHERE holder = $1 AND fence = $2 FOR SHARE)`

export const load = { text: 'SELECT revision, state FROM store_orders.domain_state' }

const save = (condition: string) => `
  saved AS (
    UPDATE store_orders.domain_state SET revision = revision + 1, save = $4, state = $5
    WHERE revision = $3 ${condition} RETURNING revision)
  SELECT revision, pg_notify('${CHANNEL}', '') FROM saved`

/** Saves the state $5 over the revision $3; $4 identifies the save. A row with the new revision if it was saved. */
export const saveState = { text: `WITH ${save('AND $1::uuid IS NOT NULL AND $2::bigint IS NULL')}` }
export const saveWork = { text: `WITH ${held}, ${save('AND EXISTS (SELECT FROM held)')}` }

/** Whether the save $3 has succeeded after all, and whether $1 still holds the work with the fence $2. */
export const outcome = {
  text: `
    SELECT s.revision, s.save = $3 AS saved, w.holder = $1 AND w.fence = $2 AS held
    FROM store_orders.domain_state s, store_orders.domain_work w`,
}

/** A value that none of the keys with the ids $1 has encrypted: it begins with the id of its key. */
export const unreadable = {
  text: `SELECT kind, name FROM store_orders.domain_secrets
    WHERE encode(substring(value FROM 1 FOR 4), 'hex') <> ALL ($1::text[]) ORDER BY kind, name LIMIT 1`,
}

export const loadSecret = { text: 'SELECT value FROM store_orders.domain_secrets WHERE kind = $1 AND name = $2' }

const upsert = 'ON CONFLICT (kind, name) DO UPDATE SET value = excluded.value'

/** A row unless there is another value. */
export const createSecret = {
  text: `INSERT INTO store_orders.domain_secrets AS stored (kind, name, value) VALUES ($1, $2, $3)
    ${upsert} WHERE stored.value = excluded.value RETURNING 1`,
}

/** A row if $1 holds the work. */
export const saveWorkSecret = {
  text: `WITH ${held} INSERT INTO store_orders.domain_secrets (kind, name, value) SELECT $3, $4, $5 FROM held
    ${upsert} RETURNING 1`,
}

/** A row if $1 holds the work, whether or not there was anything to delete. */
export const deleteWorkSecret = {
  text: `WITH ${held}, deleted AS (
    DELETE FROM store_orders.domain_secrets WHERE kind = $3 AND name = $4 AND EXISTS (SELECT FROM held))
  SELECT 1 FROM held`,
}

/** Replaces the value $3, if it is still the stored one. */
export const exchangeSecret = {
  text: 'UPDATE store_orders.domain_secrets SET value = $4 WHERE kind = $1 AND name = $2 AND value = $3',
}

export const replaceSecret = {
  text: `INSERT INTO store_orders.domain_secrets (kind, name, value) VALUES ($1, $2, $3) ${upsert}`,
}

/** Until the transaction ends, nothing else is saved; after it, whoever has the work must take it anew. */
export const takeWork = {
  text: "UPDATE store_orders.domain_work SET holder = NULL, fence = fence + 1, expires = '-infinity'",
}
export const lockState = { text: `${load.text} FOR UPDATE` }
export const replaceState = {
  text: 'UPDATE store_orders.domain_state SET revision = revision + 1, save = NULL, state = $1',
}

/** Renews the leases of the instance $1, which serves the revision $2, for $3 seconds. */
export const beat = {
  text: `
    WITH me AS (
      INSERT INTO store_orders.domain_instances (id, revision, expires)
      VALUES ($1, $2, clock_timestamp() + $3 * interval '1 second')
      ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, expires = excluded.expires),
    work AS (
      UPDATE store_orders.domain_work
      SET holder = $1, expires = clock_timestamp() + $3 * interval '1 second',
        fence = fence + (holder IS DISTINCT FROM $1)::integer
      WHERE holder = $1 OR expires < clock_timestamp()
      RETURNING fence),
    gone AS (DELETE FROM store_orders.domain_instances WHERE expires < clock_timestamp() - interval '1 hour')
    SELECT revision, (SELECT fence FROM work) AS fence FROM store_orders.domain_state`,
}

export const ring = { text: `SELECT pg_notify('${CHANNEL}', '')` }

/** How many other instances may serve something older than the revision $2. */
export const behind = {
  text: `SELECT count(*)::integer AS instances FROM store_orders.domain_instances
    WHERE id <> $1 AND revision < $2 AND expires > clock_timestamp()`,
}

export const leave = {
  text: `WITH gone AS (DELETE FROM store_orders.domain_instances WHERE id = $1)
    UPDATE store_orders.domain_work SET expires = '-infinity' WHERE holder = $1`,
}
