// Imports domains into an empty database in one transaction; servers may be running.

import type { Secret, StoredRecord } from 'custom-domains'
import { asAdmin } from '../../store/postgres/admin.ts'
import { checkSchema } from '../../store/postgres/schema.ts'
import { queryRow } from '../../store/postgres/sessions.ts'
import { cipherOf, nameOf } from './cipher.ts'
import * as queries from './queries.ts'
import type { PostgresDomainsOptions } from './storage.ts'

/** Replaces the platform's own domain, which any server adds. @throws if there are others */
export async function importIntoDatabase(
  { connection, encryptionKeys }: Pick<PostgresDomainsOptions, 'connection' | 'encryptionKeys'>,
  records: readonly StoredRecord[],
  secrets: readonly Secret[],
): Promise<void> {
  const cipher = cipherOf(encryptionKeys)
  await asAdmin(connection, async (admin) => {
    await checkSchema(admin)
    await admin.query(queries.endLeadership)
    await admin.query(queries.lockSaves)
    const { domains } = await queryRow<{ domains: number }>(admin, queries.countDomains)
    if (domains > 0) throw new Error('the database has domains already: nothing was imported')
    await admin.query(queries.replaceRecords, [
      records.map(({ kind }) => kind),
      records.map(({ name }) => name),
      records.map(({ value }) => JSON.stringify(value)),
    ])
    for (const { kind, name, text } of secrets)
      await admin.query(queries.replaceSecret, [kind, name, cipher.encrypt(text, nameOf(kind, name))])
    await admin.query(queries.notify)
  })
}
