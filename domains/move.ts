// Copies a folder's domains to PostgreSQL, with the folder locked.
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { ConnectionOptions } from '../store/postgres/connection-string.ts'
import { originOf } from './certificates/certificate.ts'
import { lockFolder } from './files/lock.ts'
import { namedError } from './files/replace.ts'
import { fileStorage } from './files/storage.ts'
import { importDomains } from './postgres/import.ts'
import { formatConfiguration } from './state/configuration.ts'
import type { StoredState } from './state/snapshot.ts'
import type { DomainStorage, Secret } from './state/storage.ts'

export interface MoveOptions {
  folder: string
  configurationFile: string | undefined
  /** Authorities whose account keys may be stored, besides those of the certificates. */
  directoryUrls: readonly string[]
  connection: ConnectionOptions
  encryptionKeys: readonly Buffer[]
}

export interface Moved {
  domains: number
  secrets: Record<Secret['kind'], number>
  /** Account keys whose authority is unknown: their files are named by its hash. */
  accountsLeft: number
}

/** @throws with a line on why nothing was copied */
export async function moveToPostgres(options: MoveOptions): Promise<Moved> {
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
    await importDomains(options, state, secrets)
    const count = (kind: Secret['kind']) => secrets.filter((secret) => secret.kind === kind).length
    return {
      domains: state.domains.filter(({ isPlatform }) => !isPlatform).length,
      secrets: { certificate: count('certificate'), order: count('order'), account: count('account') },
      accountsLeft: (await namesIn(join(folder, 'accounts'), '.pem')).length - count('account'),
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

async function secretsOf(storage: DomainStorage, { folder, directoryUrls }: MoveOptions): Promise<Secret[]> {
  const read = async (
    kind: Secret['kind'],
    names: Iterable<string>,
    load: (name: string) => Promise<string | undefined>,
  ) => {
    const secrets: Secret[] = []
    for (const name of names) {
      const text = await load(name)
      if (text !== undefined) secrets.push({ kind, name, text })
    }
    return secrets
  }
  const certificates = await read(
    'certificate',
    await namesIn(join(folder, 'certificates'), '.pem'),
    storage.loadCertificate,
  )
  const orders = await read('order', await namesIn(join(folder, 'orders'), '.json'), storage.loadOrder)
  const origins = certificates.flatMap(({ text }) => originOf(text).authority ?? [])
  const accounts = await read('account', new Set([...directoryUrls, ...origins]), storage.loadAccountKey)
  return [...certificates, ...orders, ...accounts]
}

/** The names of the files with this ending, without it. */
async function namesIn(folder: string, ending: string): Promise<string[]> {
  return (await readdir(folder)).filter((file) => file.endsWith(ending)).map((file) => basename(file, ending))
}
