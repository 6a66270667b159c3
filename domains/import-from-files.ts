// Copies a folder's domains to PostgreSQL.
import { type Domain, exportFiles, type SecretKind } from '../packages/custom-domains/src/index.ts'
import type { ConnectionOptions } from '../store/postgres/connection-string.ts'
import { importIntoDatabase } from './postgres/import.ts'

export interface ImportOptions {
  folder: string
  configurationFile: string | undefined
  /** Authorities whose account keys may be stored, besides those of the certificates. */
  directoryUrls: readonly string[]
  connection: ConnectionOptions
  encryptionKeys: readonly Buffer[]
}

export interface Imported {
  domains: number
  secrets: Record<SecretKind, number>
  /** Account keys whose authority is unknown: their files are named by its hash. */
  accountsLeft: number
}

/** @throws with a line on why nothing was copied */
export async function importFromFiles(options: ImportOptions): Promise<Imported> {
  const { records, secrets, accountsLeft } = await exportFiles(options, (exported) =>
    importIntoDatabase(options, exported.records, exported.secrets),
  )
  const count = (kind: SecretKind) => secrets.filter((secret) => secret.kind === kind).length
  return {
    domains: records.filter(({ kind, value }) => kind === 'domain' && !(value as Domain).isPlatform).length,
    secrets: { certificate: count('certificate'), order: count('order'), account: count('account') },
    accountsLeft,
  }
}
