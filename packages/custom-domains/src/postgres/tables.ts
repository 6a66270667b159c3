// The tables of the storage, and what a role needs to use them.
import { runOn, type SchemaOptions, type Statements, schemaIn } from './database.ts'

export interface TableOptions extends SchemaOptions {
  /** A role that gets what an instance needs. */
  grant?: string | undefined
}

const names = ['domain_saves', 'domain_records', 'domain_secrets', 'domain_leader', 'domain_instances']

/** Arbitrary, but the same for every instance. */
const LOCK = 7_205_759_404

/**
 * Creates the tables that do not exist, and grants what is missing: the same call creates and upgrades. Several instances may
 * call it at once.
 */
export async function createTables(database: Statements, options: TableOptions = {}): Promise<void> {
  const schema = schemaIn(options)
  const { grant } = options
  const granted = grant === undefined ? '' : grants(schema, `"${grant.replaceAll('"', '""')}"`)
  // Without values, several statements are one transaction.
  await database.query({ text: `SELECT pg_advisory_xact_lock(${LOCK}); ${tables(schema)} ${granted}` })
}

/** The tables that do not exist, such as "custom_domains.domain_records". */
export async function missingTables(database: Statements, options: SchemaOptions = {}): Promise<string[]> {
  const text = `SELECT $1 || '.' || wanted AS missing ${fromCatalog} WHERE c.oid IS NULL`
  return missing(database, text, [schemaIn(options).slice(1, -1), names])
}

/** The privileges that the role, or else the user, lacks, such as "INSERT on custom_domains.domain_records". */
export async function missingPrivileges(
  database: Statements,
  { role, ...options }: SchemaOptions & { role?: string | undefined } = {},
): Promise<string[]> {
  const text = `SELECT privilege || ' on ' || $1 || '.' || wanted AS missing ${fromCatalog}
    CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) privilege
    WHERE has_table_privilege(coalesce($3, current_user), c.oid, privilege) IS NOT TRUE
      OR has_schema_privilege(coalesce($3, current_user), c.relnamespace, 'USAGE') IS NOT TRUE`
  return missing(database, text, [schemaIn(options).slice(1, -1), names, role ?? null])
}

/** By the catalog, which can be read without a privilege on the schema. */
const fromCatalog = `FROM unnest($2::text[]) wanted LEFT JOIN pg_class c
  ON c.relname = wanted AND c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1)`

async function missing(database: Statements, text: string, values: unknown[]): Promise<string[]> {
  return (await runOn(database)<{ missing: string }>({ text: `${text} ORDER BY 1` }, values)).map(
    ({ missing }) => missing,
  )
}

const grants = (schema: string, role: string) => `
  GRANT USAGE ON SCHEMA ${schema} TO ${role};
  GRANT SELECT, INSERT, UPDATE, DELETE ON ${names.map((name) => `${schema}.${name}`).join(', ')} TO ${role};`

const tables = (schema: string) => `
DO $$ BEGIN
  IF to_regnamespace('${schema}') IS NULL THEN CREATE SCHEMA ${schema}; END IF;
END $$;

-- Identifies each state by the save that led to it, since a number alone is given out again after a restore, or by a
-- standby that lacked the last changes.
CREATE TABLE IF NOT EXISTS ${schema}.domain_saves (
  save uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  revision bigint NOT NULL UNIQUE
);
INSERT INTO ${schema}.domain_saves (revision) SELECT 0 WHERE NOT EXISTS (SELECT FROM ${schema}.domain_saves);
COMMENT ON TABLE ${schema}.domain_saves IS 'the changes of the domains; the latest ones are kept';
COMMENT ON COLUMN ${schema}.domain_saves.revision IS 'the number of changes so far';

CREATE TABLE IF NOT EXISTS ${schema}.domain_records (
  kind text NOT NULL,
  name text NOT NULL,
  revision bigint NOT NULL,
  value json,
  PRIMARY KEY (kind, name)
);
CREATE INDEX IF NOT EXISTS domain_records_revision ON ${schema}.domain_records (revision);
CREATE INDEX IF NOT EXISTS domain_records_deleted ON ${schema}.domain_records (revision) WHERE value IS NULL;
COMMENT ON TABLE ${schema}.domain_records IS 'a row for each domain, redirect, message and so on';
COMMENT ON COLUMN ${schema}.domain_records.revision
  IS 'the one that changed it last: an instance reads what has changed since the revision that it serves';
COMMENT ON COLUMN ${schema}.domain_records.value
  IS 'NULL if it was deleted; kept for a while, for instances that have not read that yet';

CREATE TABLE IF NOT EXISTS ${schema}.domain_secrets (
  kind text NOT NULL CHECK (kind IN ('certificate', 'order', 'account')),
  name text NOT NULL,
  value bytea NOT NULL,
  PRIMARY KEY (kind, name)
);
COMMENT ON TABLE ${schema}.domain_secrets
  IS 'certificates, pending orders and account keys, each with its private key, encrypted by the instance';

CREATE TABLE IF NOT EXISTS ${schema}.domain_leader (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  holder uuid,
  fence bigint NOT NULL DEFAULT 0,
  expires timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO ${schema}.domain_leader DEFAULT VALUES ON CONFLICT DO NOTHING;
COMMENT ON TABLE ${schema}.domain_leader IS 'the one instance that obtains and renews certificates';
COMMENT ON COLUMN ${schema}.domain_leader.fence
  IS 'rises with every change of the leader; a write with an older fence is rejected';

CREATE TABLE IF NOT EXISTS ${schema}.domain_instances (
  id uuid PRIMARY KEY,
  save uuid NOT NULL,
  expires timestamptz NOT NULL,
  keys text[] NOT NULL DEFAULT '{}'
);
COMMENT ON TABLE ${schema}.domain_instances IS 'the instances that serve, each with the save that it serves';
COMMENT ON COLUMN ${schema}.domain_instances.keys
  IS 'fingerprints of its encryption keys, the newest first: a new key encrypts once every instance has it';
`
