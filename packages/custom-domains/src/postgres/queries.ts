// The SQL of the domains. Time is the database's own, so that instances' clocks do not matter.
import { channelIn } from './database.ts'

/** Saves and deletions are known for this many revisions: an instance that serves an older one loads everything. */
export const KEPT_REVISIONS = 10_000

export type Queries = ReturnType<typeof queriesIn>

/** @param schema in quotes */
export function queriesIn(schema: string) {
  const channel = channelIn(schema)
  /** Empty unless $1 leads with the fencing token $2. The lock keeps another instance from taking over before the write. */
  const leader = `
  leader AS (SELECT FROM ${schema}.domain_leader WHERE holder = $1 AND fence = $2 FOR SHARE)`

  const latest = (column: string) => `SELECT ${column} FROM ${schema}.domain_saves ORDER BY revision DESC LIMIT 1`

  /**
   * The records that have changed since the save $1, in a single row each, or all of them if that save is unknown: it is too
   * old, or the database was restored to a state before it. Always one row at least.
   */
  const load = {
    text: `
    WITH now AS (${latest('revision, save')}),
    known AS (SELECT revision FROM ${schema}.domain_saves WHERE save = $1)
    SELECT now.revision, now.save, known.revision IS NULL AS whole, r.kind, r.name, r.value
    FROM now LEFT JOIN known ON true LEFT JOIN ${schema}.domain_records r
      ON r.revision > coalesce(known.revision, -1) AND (r.value IS NOT NULL OR known.revision IS NOT NULL)
    ORDER BY r.revision`,
  }

  /** A record's value is JSON, or NULL to delete it. */
  const put = (source: string) => `
    INSERT INTO ${schema}.domain_records (kind, name, revision, value)
    SELECT kind, name, revision, value::json FROM ${source}
    ON CONFLICT (kind, name) DO UPDATE SET revision = excluded.revision, value = excluded.value`

  const saving = (condition: string) => `
  saved AS (
    INSERT INTO ${schema}.domain_saves (save, revision)
    SELECT $4, revision + 1 FROM (${latest('revision, save')}) latest WHERE save = $3 ${condition}
    ON CONFLICT DO NOTHING RETURNING revision),
  put AS (${put('saved, unnest($5::text[], $6::text[], $7::text[]) AS changes (kind, name, value)')})
  SELECT revision, pg_notify('${channel}', revision::text) FROM saved`

  /**
   * Saves the records of the kinds $5 and the names $6 with the values $7, over the save $3; $4 identifies this one. Returns
   * a row if they were saved.
   */
  const save = { text: `WITH ${saving('AND $1::uuid IS NOT NULL AND $2::bigint IS NULL')}` }
  const saveAsLeader = { text: `WITH ${leader}, ${saving('AND EXISTS (SELECT FROM leader)')}` }

  const forget = {
    text: `WITH oldest AS (SELECT (${latest('revision')}) - ${KEPT_REVISIONS} AS revision),
    saves AS (DELETE FROM ${schema}.domain_saves s USING oldest WHERE s.revision < oldest.revision)
    DELETE FROM ${schema}.domain_records r USING oldest WHERE r.value IS NULL AND r.revision < oldest.revision`,
  }

  /** Returns the revision of the save $3, if an earlier attempt succeeded, and whether $1 still leads with the fencing token $2. */
  const saveOutcome = {
    text: `
    SELECT s.revision, w.holder = $1 AND w.fence = $2 AS leads
    FROM ${schema}.domain_leader w LEFT JOIN ${schema}.domain_saves s ON s.save = $3`,
  }

  /** A value begins with the id of its key. */
  const keyOfValue = "encode(substring(value FROM 1 FOR 4), 'hex')"

  /** A value that none of the keys with the ids $1 has encrypted. */
  const unreadable = {
    text: `SELECT kind, name FROM ${schema}.domain_secrets
    WHERE ${keyOfValue} <> ALL ($1::text[]) ORDER BY kind, name LIMIT 1`,
  }

  /** The values that another key than $1 has encrypted. */
  const encryptedOtherwise = {
    text: `SELECT kind, name, value FROM ${schema}.domain_secrets WHERE ${keyOfValue} <> $1`,
  }

  const loadSecret = { text: `SELECT value FROM ${schema}.domain_secrets WHERE kind = $1 AND name = $2` }

  const upsert = 'ON CONFLICT (kind, name) DO UPDATE SET value = excluded.value'

  const createSecret = {
    text: `INSERT INTO ${schema}.domain_secrets (kind, name, value) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
  }

  /** Returns a row if $1 leads. */
  const saveSecretAsLeader = {
    text: `WITH ${leader} INSERT INTO ${schema}.domain_secrets (kind, name, value) SELECT $3, $4, $5 FROM leader
    ${upsert} RETURNING 1`,
  }

  /** Returns a row if $1 leads, even if there was nothing to delete. */
  const deleteSecretAsLeader = {
    text: `WITH ${leader}, deleted AS (
    DELETE FROM ${schema}.domain_secrets WHERE kind = $3 AND name = $4 AND EXISTS (SELECT FROM leader))
  SELECT 1 FROM leader`,
  }

  /** Replaces the value $4, if it is still the stored one. */
  const exchangeSecret = {
    text: `UPDATE ${schema}.domain_secrets SET value = $3 WHERE kind = $1 AND name = $2 AND value = $4`,
  }

  const replaceSecret = {
    text: `INSERT INTO ${schema}.domain_secrets (kind, name, value) VALUES ($1, $2, $3) ${upsert}`,
  }

  /** Nothing else is saved until the transaction ends; afterwards, the leader must be elected again. */
  const endLeadership = {
    text: `UPDATE ${schema}.domain_leader SET holder = NULL, fence = fence + 1, expires = '-infinity'`,
  }
  const lockSaves = { text: `LOCK TABLE ${schema}.domain_saves IN EXCLUSIVE MODE` }
  /** Returns how many domains of users there are. */
  const countDomains = {
    text: `SELECT count(*)::integer AS domains FROM ${schema}.domain_records
    WHERE kind = 'domain' AND value IS NOT NULL AND value ->> 'isPlatform' IS NULL`,
  }
  /** Adds the records of the kinds $1 and the names $2 with the values $3, in the place of all others. */
  const replaceRecords = {
    text: `WITH next AS (
      INSERT INTO ${schema}.domain_saves (revision) SELECT (${latest('revision')}) + 1 RETURNING revision),
    deleted AS (
      UPDATE ${schema}.domain_records r SET revision = next.revision, value = NULL FROM next
      WHERE r.value IS NOT NULL AND NOT EXISTS (
        SELECT FROM unnest($1::text[], $2::text[]) AS kept (kind, name) WHERE (kept.kind, kept.name) = (r.kind, r.name)))
    ${put('next, unnest($1::text[], $2::text[], $3::text[]) AS records (kind, name, value)')}`,
  }

  /**
   * Renews the leases of the instance $1, which serves the save $2 and has the keys $4, for $3 seconds. Returns the
   * first of these keys that all live instances have.
   */
  const heartbeat = {
    text: `
    WITH me AS (
      INSERT INTO ${schema}.domain_instances (id, save, expires, keys)
      VALUES ($1, $2, clock_timestamp() + $3 * interval '1 second', $4)
      ON CONFLICT (id) DO UPDATE SET save = excluded.save, expires = excluded.expires, keys = excluded.keys),
    led AS (
      UPDATE ${schema}.domain_leader
      SET holder = $1, expires = clock_timestamp() + $3 * interval '1 second',
        fence = fence + (holder IS DISTINCT FROM $1)::integer
      WHERE holder = $1 OR expires < clock_timestamp()
      RETURNING fence),
    gone AS (DELETE FROM ${schema}.domain_instances WHERE expires < clock_timestamp() - interval '1 hour')
    SELECT (${latest('save')}) AS save, pg_postmaster_start_time()::text AS server, (SELECT fence FROM led) AS token, (
      SELECT key FROM unnest($4::text[]) WITH ORDINALITY own (key, place)
      WHERE NOT EXISTS (
        SELECT FROM ${schema}.domain_instances
        WHERE id <> $1 AND expires > clock_timestamp() AND key <> ALL (keys))
      ORDER BY place LIMIT 1) AS key`,
  }

  const notify = { text: `SELECT pg_notify('${channel}', '')` }

  /** How many other instances may serve a state without the save $2, and whether the database still has that save. */
  const instancesBehind = {
    text: `
    WITH mine AS (SELECT revision FROM ${schema}.domain_saves WHERE save = $2)
    SELECT pg_postmaster_start_time()::text AS server, EXISTS (SELECT FROM mine) AS kept, (
      SELECT count(*)::integer FROM ${schema}.domain_instances i
      WHERE id <> $1 AND expires > clock_timestamp() AND NOT EXISTS (
        SELECT FROM ${schema}.domain_saves s, mine WHERE s.save = i.save AND s.revision >= mine.revision)) AS instances`,
  }

  const leave = {
    text: `WITH gone AS (DELETE FROM ${schema}.domain_instances WHERE id = $1)
    UPDATE ${schema}.domain_leader SET expires = '-infinity' WHERE holder = $1`,
  }

  return {
    notify,
    load,
    save,
    saveAsLeader,
    forget,
    saveOutcome,
    unreadable,
    encryptedOtherwise,
    loadSecret,
    createSecret,
    saveSecretAsLeader,
    deleteSecretAsLeader,
    exchangeSecret,
    replaceSecret,
    endLeadership,
    lockSaves,
    countDomains,
    replaceRecords,
    heartbeat,
    instancesBehind,
    leave,
  }
}
