// What the role of a server may do: exactly what it needs.
import { type Admin, OWNER_ONLY } from './admin.ts'

/** Of the schema; triggers run without a privilege. */
const functions = `pg_proc WHERE pronamespace = 'store_orders'::regnamespace AND prorettype <> 'trigger'::regtype`

/** Read by servers, which write them only through functions. */
const tables = ['migrations', 'orders', 'order_cancellations', 'order_log', 'order_log_epoch'].map(
  (name) => `store_orders.${name}`,
)

const missing = `
  SELECT 'SELECT on ' || oid::regclass AS privilege FROM pg_class
  WHERE oid = ANY ($2::regclass[])
    AND NOT has_table_privilege(coalesce($1, current_user), oid, 'SELECT')
  UNION ALL
  SELECT 'EXECUTE on ' || oid::regprocedure FROM ${functions}
    AND NOT has_function_privilege(coalesce($1, current_user), oid, 'EXECUTE')
  ORDER BY 1`

/** The privileges that the role, or the user, lacks. */
export async function missingPrivileges(admin: Admin, role?: string): Promise<string[]> {
  const rows = await admin.query<{ privilege: string }>({ text: missing }, [role, tables])
  return rows.map(({ privilege }) => privilege)
}

/** One line on what the role of a server lacks. */
export function lackingPrivileges(privileges: readonly string[]): string {
  return `the role lacks ${privileges.join(', ')}. Run as the owner: store-orders migrate --grant ROLE`
}

/** @throws if the user may not grant them: PostgreSQL only warns */
export async function grantTo(admin: Admin, role: string): Promise<void> {
  const name = admin.client.escapeIdentifier(role)
  const called = await admin.query<{ function: string }>({
    text: `SELECT oid::regprocedure AS function FROM ${functions}`,
  })
  await admin.client.query(`
    GRANT USAGE ON SCHEMA store_orders TO ${name};
    GRANT SELECT ON ${tables.join(', ')} TO ${name};
    GRANT EXECUTE ON FUNCTION ${called.map((each) => each.function).join(', ')} TO ${name}`)
  const lacking = await missingPrivileges(admin, role)
  if (lacking.length > 0) throw new Error(`role ${name} was not granted ${lacking.join(', ')}. ${OWNER_ONLY}`)
}
