// Checks that a server can use the database: that it responds, its schema, and the privileges of the role.
import { type Admin, asAdmin } from './admin.ts'
import type { ConnectionOptions } from './connection-string.ts'
import { checkSchema } from './schema.ts'

/** What `migrate --grant` gives, and the role lacks. Triggers run without a privilege. */
const missing = `
  SELECT 'SELECT on ' || oid::regclass AS privilege FROM pg_class
  WHERE relnamespace = 'store_orders'::regnamespace AND relkind = 'r' AND NOT has_table_privilege(oid, 'SELECT')
  UNION ALL
  SELECT 'EXECUTE on ' || oid::regprocedure FROM pg_proc
  WHERE pronamespace = 'store_orders'::regnamespace AND prorettype <> 'trigger'::regtype
    AND NOT has_function_privilege(oid, 'EXECUTE')
  ORDER BY 1`

/** @throws with a line for each problem */
export async function checkDatabase(options: ConnectionOptions): Promise<void> {
  await asAdmin(options, async (admin: Admin) => {
    await checkSchema(admin)
    const lacking = (await admin.query<{ privilege: string }>({ text: missing })).map(({ privilege }) => privilege)
    if (lacking.length > 0)
      throw new Error(`the role lacks ${lacking.join(', ')}. Run as the owner: store-orders migrate --grant ROLE`)
  })
}
