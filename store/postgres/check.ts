// Checks that a server can use the database: that it responds, its schema, and the privileges of the role.
import { asAdmin } from './admin.ts'
import type { ConnectionOptions } from './connection-string.ts'
import { missingPrivileges } from './privileges.ts'
import { checkSchema } from './schema.ts'

/** @throws with a line for each problem */
export async function checkDatabase(options: ConnectionOptions): Promise<void> {
  await asAdmin(options, async (admin) => {
    await checkSchema(admin)
    const lacking = await missingPrivileges(admin)
    if (lacking.length > 0)
      throw new Error(`the role lacks ${lacking.join(', ')}. Run as the owner: store-orders migrate --grant ROLE`)
  })
}
