// Checks the storage of custom domains, without opening it: an open one is locked, and written.
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { BATCH, damagedRecords, parseBatch } from 'custom-domains/files'
import { lackedKey, missingPrivileges } from 'custom-domains/postgres'
import type { Config } from '../config/environment.ts'
import { type Admin, asAdmin } from '../store/postgres/admin.ts'
import { lackingPrivileges } from '../store/postgres/privileges.ts'
import { checkConfigurationFile, checkFile } from './configuration-file.ts'
import { inSchema } from './postgres/tables.ts'

/** @throws with a line for each problem */
export async function checkDomains({ domains, database }: Config, isOffline: boolean): Promise<void> {
  if (!domains) return
  const { dataDir, encryptionKeys } = domains
  if (database && encryptionKeys.length > 0) return isOffline ? undefined : checkDatabase(database, encryptionKeys)
  await checkWritable(resolve(dataDir))
  await checkConfigurationFile(domains)
  await checkFile(join(dataDir, BATCH), parseBatch)
  const damaged = await damagedRecords(dataDir)
  if (damaged.length > 0)
    throw new Error(damaged.map(({ kind, name, reason }) => `the ${kind} ${name} is damaged: ${reason}`).join('\n'))
}

/** @throws if the role lacks a privilege, or a stored value needs a key that the configuration lacks */
async function checkDatabase(
  { connection, timeout }: NonNullable<Config['database']>,
  encryptionKeys: readonly Buffer[],
): Promise<void> {
  const examine = async ({ client }: Admin) => {
    const lacking = await missingPrivileges(client, inSchema)
    if (lacking.length > 0) throw new Error(lackingPrivileges(lacking))
    const name = await lackedKey(client, { ...inSchema, encryptionKeys })
    if (name !== undefined) throw new Error(`${name} is encrypted with a key that is not in DOMAINS_ENCRYPTION_KEYS`)
  }
  await asAdmin(connection, examine, { timeout })
}

/** A folder that does not exist yet is created by the server. */
async function checkWritable(folder: string): Promise<void> {
  const code = await access(folder, constants.R_OK | constants.W_OK).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code,
  )
  if (code === 'ENOENT' && dirname(folder) !== folder) return checkWritable(dirname(folder))
  if (code) throw new Error(`DATA_DIR cannot be written: ${folder} (${code})`)
}
