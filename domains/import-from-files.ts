// Copies a folder's domains to PostgreSQL, with the folder locked.
import { readdir } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { originOf } from '../packages/custom-domains/src/certificates/certificate.ts'
import { lockFolder } from '../packages/custom-domains/src/files/lock.ts'
import { namedError } from '../packages/custom-domains/src/files/replace.ts'
import { fileStorage } from '../packages/custom-domains/src/files/storage.ts'
import { formatConfiguration } from '../packages/custom-domains/src/state/configuration.ts'
import type { StoredState } from '../packages/custom-domains/src/state/snapshot.ts'
import type { DomainStorage, Secret, SecretKind } from '../packages/custom-domains/src/state/storage.ts'
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
  const { folder, configurationFile } = options
  const lock = await lockFolder(folder).catch((error) => {
    throw namedError(folder, error)
  })
  const storage = await fileStorage({ folder, configurationFile }, async () => lock)
  try {
    const state = await stateOf(storage)
    if (state.domains.length === 0) throw new Error(`${folder} has no domains`)
    const secrets = await secretsOf(storage, options)
    await lock.check()
    await importIntoDatabase(options, state, secrets)
    const count = (kind: SecretKind) => secrets.filter((secret) => secret.kind === kind).length
    return {
      domains: state.domains.filter(({ isPlatform }) => !isPlatform).length,
      secrets: { certificate: count('certificate'), order: count('order'), account: count('account') },
      accountsLeft: (await namesIn(join(folder, 'accounts'))).length - count('account'),
    }
  } finally {
    await storage.close()
  }
}

/** In PostgreSQL, the state contains the configuration. */
async function stateOf(storage: DomainStorage): Promise<StoredState> {
  const configuration = formatConfiguration(await storage.loadConfiguration())
  return { configuration, ...(await storage.loadState()) }
}

async function secretsOf(storage: DomainStorage, { folder, directoryUrls }: ImportOptions): Promise<Secret[]> {
  async function read(kind: SecretKind, names: Iterable<string>): Promise<Secret[]> {
    const all = Array.from(names, async (name) => ({ kind, name, text: await storage.loadSecret(kind, name) }))
    return (await Promise.all(all)).filter((secret): secret is Secret => secret.text !== undefined)
  }
  const certificates = await read('certificate', await namesIn(join(folder, 'certificates')))
  const orders = await read('order', await namesIn(join(folder, 'orders')))
  const origins = certificates.flatMap(({ text }) => originOf(text).authority ?? [])
  const accounts = await read('account', new Set([...directoryUrls, ...origins]))
  return [...certificates, ...orders, ...accounts]
}

/** The names of the secrets' files, without their endings. */
async function namesIn(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).map((file) => parse(file))
  return files.filter(({ ext }) => ext === '.pem' || ext === '.json').map(({ name }) => name)
}
