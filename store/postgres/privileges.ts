// What the role of a server may do: exactly what it needs.
import { type Admin, OWNER_ONLY } from './admin.ts'

const functions = ['cancel_orders(bigint[], uuid[])', 'prune_order_log(interval)', 'renew_order_log()']

/** Servers write these tables directly, and orders only through functions. */
const domainTables = ['saves', 'records', 'secrets', 'leader', 'instances']
  .map((name) => `store_orders.domain_${name}`)
  .join(', ')

/** Triggers run without a privilege. */
const missing = `
  SELECT 'SELECT on ' || oid::regclass AS privilege FROM pg_class
  WHERE relnamespace = 'store_orders'::regnamespace AND relkind = 'r'
    AND NOT has_table_privilege(coalesce($1, current_user), oid, 'SELECT')
  UNION ALL
  SELECT 'EXECUTE on ' || oid::regprocedure FROM pg_proc
  WHERE pronamespace = 'store_orders'::regnamespace AND prorettype <> 'trigger'::regtype
    AND NOT has_function_privilege(coalesce($1, current_user), oid, 'EXECUTE')
  ORDER BY 1`

/** The privileges that the role, or the user, lacks. */
export async function missingPrivileges(admin: Admin, role?: string): Promise<string[]> {
  const rows = await admin.query<{ privilege: string }>({ text: missing }, [role])
  return rows.map(({ privilege }) => privilege)
}

/** @throws if the user may not grant them: PostgreSQL only warns */
export async function grantTo(admin: Admin, role: string): Promise<void> {
  const name = admin.client.escapeIdentifier(role)
  await admin.client.query(`
    GRANT USAGE ON SCHEMA store_orders TO ${name};
    GRANT SELECT ON ALL TABLES IN SCHEMA store_orders TO ${name};
    GRANT INSERT, UPDATE, DELETE ON ${domainTables} TO ${name};
    GRANT EXECUTE ON FUNCTION ${functions.map((each) => `store_orders.${each}`).join(', ')} TO ${name}`)
  const lacking = await missingPrivileges(admin, role)
  if (lacking.length > 0) throw new Error(`role ${name} was not granted ${lacking.join(', ')}. ${OWNER_ONLY}`)
}
