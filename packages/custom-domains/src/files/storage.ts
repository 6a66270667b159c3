// The storage in files below one folder, which one process locks at a time.
import { mkdir, readFile, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Configuration, formatConfiguration, parseConfiguration } from '../state/configuration.ts'
import { changesBetween, withRecords } from '../state/records.ts'
import { emptySnapshot } from '../state/snapshot.ts'
import {
  BrokenStateError,
  type DomainStorage,
  isRole,
  type RecordChange,
  type SecretKind,
  type StoredRecord,
} from '../state/storage.ts'
import { type Lock, lockFolder, lockNumbers, unless } from './lock.ts'
import { fileNameOf, inChunks, keepDamaged, readRecords, removeRecordParts, sha256, writeRecord } from './records.ts'
import { namedError, removeParts, replaceFile } from './replace.ts'
import { syncFolder } from './sync-folder.ts'

export interface FileStorageOptions {
  /** The file of the redirects and the roles. Default: `domains.json` in the folder. */
  configurationFile?: string | undefined
  /** Replaced by tests. */
  takeLock?: (folder: string) => Promise<Lock>
}

/** The folder of the records, within that of the storage. */
export const RECORDS = 'records'
/** The file of a save of several records that is not completed. */
export const BATCH = 'batch.json'

/** The errors of a disk that can be read: the domains are served from it, and nothing is saved. */
const unwritable = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO'])

/**
 * @param folder belongs to this process until the storage is closed
 * @throws with a line that names the other process, when one holds the lock
 */
export async function fileStorage(
  folder: string,
  { configurationFile, takeLock = lockFolder }: FileStorageOptions = {},
): Promise<Omit<DomainStorage, 'shared'>> {
  const configuration = configurationFile ?? join(folder, 'domains.json')
  const folderOfRecords = join(folder, RECORDS)
  /** Once it is written, its changes are saved, and completed sooner or later. */
  const batch = join(folder, BATCH)
  const folders = ['', 'certificates', 'orders', 'accounts'].map((name) => join(folder, name))
  const last = Math.max(0, ...(await lockNumbers(folder).catch(() => [])))
  let isLate = false
  let lock: Promise<Lock> | undefined
  /** What the configuration file contains. */
  let configured: Configuration = emptySnapshot
  /** The damaged records by file: someone may be able to repair them. */
  const damaged = new Set<string>()
  /** Changes that are saved together, but may not be in their files yet. */
  let incomplete: readonly RecordChange[] | undefined

  async function prepare(): Promise<Lock> {
    for (const path of folders) await mkdir(path, { recursive: true, mode: 0o700 })
    const taken = await takeLock(folder)
    try {
      for (const path of folders) await removeParts(path)
      await removeRecordParts(folderOfRecords)
      await removeParts(dirname(configuration), `${basename(configuration)}.`)
      if (!isLate || taken.number === last + 1) return taken
      throw new Error(`another server has used ${folder} since this one read it: restart this one`)
    } catch (error) {
      await taken.release()
      throw error
    }
  }

  /** Nothing is written without the lock. A disk that was full at the start may have room later. */
  function locked(): Promise<Lock> {
    lock ??= prepare().catch((error) => {
      lock = undefined
      isLate = true
      throw namedError(folder, error)
    })
    return lock
  }

  const write = async (file: string, text: string) => replaceFile(file, text, await locked())
  const remove = async (file: string) => {
    await (await locked()).check()
    await rm(file, { force: true })
    await syncFolder(dirname(file))
  }

  await locked().catch(unlessUnwritable)

  /** Writes the file of each record; the redirects and the roles are in one file. */
  async function complete(changes: readonly RecordChange[]) {
    const settings = changes.filter(isConfiguration)
    if (settings.length > 0) {
      const next = withRecords({ ...emptySnapshot, ...configured }, settings)
      await write(configuration, formatConfiguration(next))
      configured = next
    }
    const lock = await locked()
    await inChunks(
      changes.filter((change) => !isConfiguration(change)),
      async (change) => {
        if (damaged.delete(`${change.kind} ${fileNameOf(change.name)}`)) await keepDamaged(folderOfRecords, change)
        await writeRecord(folderOfRecords, change, lock)
      },
    )
  }

  async function completeBatch() {
    if (!incomplete) return
    await complete(incomplete)
    await remove(batch)
    incomplete = undefined
  }

  const fileOf = (kind: SecretKind, name: string) => join(folder, `${kind}s`, fileNames[kind](name))

  return {
    async load() {
      const { records, ...stored } = await readFolder(folder, configuration)
      configured = stored.configured
      incomplete = stored.incomplete
      for (const { kind, name, fault } of records) if (fault !== undefined) damaged.add(`${kind} ${name}`)
      await completeBatch().catch(unlessUnwritable)
      return { version: '', isWhole: true, records }
    },
    async save(changes) {
      await completeBatch()
      const files = changes.filter((change) => !isConfiguration(change)).length + Number(changes.some(isConfiguration))
      if (files === 1) {
        await complete(changes)
        return ''
      }
      await write(batch, `${JSON.stringify({ changes })}\n`)
      incomplete = changes
      await completeBatch().catch(() => {}) // saved, but not completed: the next save or the next start does that
      return ''
    },
    loadSecret: (kind, name) => read(fileOf(kind, name)),
    saveSecret: (kind, name, text) =>
      text === undefined ? remove(fileOf(kind, name)) : write(fileOf(kind, name), text),
    async replaceSecret(kind, name, former, text) {
      if ((await read(fileOf(kind, name))) === former) await write(fileOf(kind, name), text)
    },
    close: async () => (await lock)?.release(),
  }
}

/** Everything but the secrets. Another process may hold the folder. @throws BrokenStateError */
export async function storedRecords(
  folder: string,
  { configurationFile }: Pick<FileStorageOptions, 'configurationFile'> = {},
): Promise<StoredRecord[]> {
  const { records } = await readFolder(folder, configurationFile ?? join(folder, 'domains.json'))
  return records
}

async function readFolder(folder: string, configuration: string) {
  const [settings, changes] = [await read(configuration), await read(join(folder, BATCH))]
  const configured: Configuration = settings === undefined ? emptySnapshot : parseConfiguration(settings, configuration)
  const incomplete = changes === undefined ? undefined : parseBatch(changes, join(folder, BATCH))
  const all: StoredRecord[] = [
    ...(await readRecords(join(folder, RECORDS))),
    ...recordsIn(configured),
    ...(incomplete ?? []),
  ]
  const byName = new Map(all.map((record) => [idOf(record), record]))
  return { configured, incomplete, records: [...byName.values()].filter(isStored) }
}

function unlessUnwritable(error: NodeJS.ErrnoException) {
  if (!unwritable.has(String(error.code))) throw error
}

function isConfiguration(change: RecordChange): boolean {
  return change.kind === 'redirect' || isRole(change)
}

const idOf = ({ kind, name }: RecordChange) => `${kind} ${name}`
const isStored = ({ value, fault }: StoredRecord) => value !== undefined || fault !== undefined

function recordsIn(configuration: Configuration): StoredRecord[] {
  return changesBetween(emptySnapshot, { ...emptySnapshot, ...configuration })
}

/** @throws BrokenStateError */
export function parseBatch(text: string, file: string): RecordChange[] {
  try {
    const batch: { changes?: unknown } | null = JSON.parse(text)
    if (!Array.isArray(batch?.changes)) throw new Error('it has no array of changes')
    return batch.changes.map(({ value, ...change }) => ({ ...change, value }))
  } catch (error) {
    throw new BrokenStateError(`${file} cannot be used: ${(error as Error).message}`)
  }
}

const fileNames: Record<SecretKind, (name: string) => string> = {
  certificate: (host) => `${fileNameOf(host)}.pem`,
  order: (host) => `${fileNameOf(host)}.json`,
  account: (directoryUrl) => `${sha256(directoryUrl).slice(0, 32)}.pem`,
}

async function read(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(unless('ENOENT'))
}
