// Reads everything that a folder stores, for another storage, with the folder locked.
import { readdir } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { originOf } from '../certificates/certificate.ts'
import { type Damage, faultOf } from '../state/records.ts'
import type { DomainStorage, Secret, SecretKind, StoredRecord } from '../state/storage.ts'
import { lockFolder } from './lock.ts'
import { readRecords } from './records.ts'
import { namedError } from './replace.ts'
import { fileStorage, RECORDS } from './storage.ts'

export interface ExportOptions {
  folder: string
  configurationFile?: string | undefined
  /** Authorities whose account keys may be stored, besides those of the certificates. */
  directoryUrls: readonly string[]
}

export interface ExportedFiles {
  /** The records, those of the configuration included. */
  records: StoredRecord[]
  secrets: Secret[]
  /** Account keys whose authority is unknown: their files are named by its hash. */
  accountsLeft: number
}

/** The records of a folder that cannot be used. Another process may hold the folder. */
export async function damagedRecords(folder: string): Promise<Damage[]> {
  const records = await readRecords(join(folder, RECORDS))
  return records
    .map((record) => ({ kind: record.kind, name: record.name, reason: faultOf(record) }))
    .filter((record): record is Damage => record.reason !== undefined)
}

/** @param save stores it elsewhere; until that is done, no other process uses the folder @throws with a line on why not */
export async function exportFiles(
  options: ExportOptions,
  save: (exported: ExportedFiles) => Promise<void>,
): Promise<ExportedFiles> {
  const { folder, configurationFile } = options
  const lock = await lockFolder(folder).catch((error) => {
    throw namedError(folder, error)
  })
  const storage = await fileStorage(folder, { configurationFile, takeLock: async () => lock })
  try {
    const { records } = await storage.load()
    for (const record of records) {
      const reason = faultOf(record)
      if (reason !== undefined) throw new Error(`the ${record.kind} ${record.name} is damaged: ${reason}`)
    }
    if (!records.some(({ kind }) => kind === 'domain')) throw new Error(`${folder} has no domains`)
    const secrets = await secretsOf(storage, options)
    const accounts = secrets.filter(({ kind }) => kind === 'account')
    const accountsLeft = (await namesIn(join(folder, 'accounts'))).length - accounts.length
    const exported = { records, secrets, accountsLeft }
    await lock.check()
    await save(exported)
    return exported
  } finally {
    await storage.close()
  }
}

async function secretsOf(
  storage: Pick<DomainStorage, 'loadSecret'>,
  { folder, directoryUrls }: ExportOptions,
): Promise<Secret[]> {
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
