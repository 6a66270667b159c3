// Imports domains into an empty database in one transaction; servers may be running.

import { importInto } from 'custom-domains/postgres'
import type { Secret, StoredRecord } from 'custom-domains/storage'
import { asAdmin } from '../../store/postgres/admin.ts'
import { checkSchema } from '../../store/postgres/schema.ts'
import type { PostgresDomainsOptions } from './storage.ts'
import { inSchema } from './tables.ts'

/** @throws if there are other domains than that of the platform */
export async function importIntoDatabase(
  { connection, encryptionKeys }: Pick<PostgresDomainsOptions, 'connection' | 'encryptionKeys'>,
  exported: { records: readonly StoredRecord[]; secrets: readonly Secret[] },
): Promise<void> {
  await asAdmin(connection, async (admin) => {
    await checkSchema(admin)
    await importInto(admin.client, exported, { ...inSchema, encryptionKeys })
  })
}
