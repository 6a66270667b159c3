// Imports domains into empty tables; instances may be running.
import type { Secret, StoredRecord } from '../state/storage.ts'
import { cipherOf, nameOf } from './cipher.ts'
import { rowOf, runOn, type SchemaOptions, type Statements, schemaIn } from './database.ts'
import { queriesIn } from './queries.ts'

export interface ImportOptions extends SchemaOptions {
  encryptionKeys: readonly Buffer[]
}

/**
 * Replaces the domain of the platform, which any instance adds.
 * @param transaction an open one, which the caller commits
 * @throws if there are other domains
 */
export async function importInto(
  transaction: Statements,
  { records, secrets }: { records: readonly StoredRecord[]; secrets: readonly Secret[] },
  { encryptionKeys, ...options }: ImportOptions,
): Promise<void> {
  const run = runOn(transaction)
  const queries = queriesIn(schemaIn(options))
  const cipher = cipherOf(encryptionKeys)
  await run(queries.endLeadership)
  await run(queries.lockSaves)
  const { domains } = await rowOf<{ domains: number }>(run, queries.countDomains)
  if (domains > 0) throw new Error('the database has domains already: nothing was imported')
  await run(queries.replaceRecords, [
    records.map(({ kind }) => kind),
    records.map(({ name }) => name),
    records.map(({ value }) => JSON.stringify(value)),
  ])
  for (const { kind, name, text } of secrets)
    await run(queries.replaceSecret, [kind, name, cipher.encrypt(text, nameOf(kind, name))])
  await run(queries.notify)
}
