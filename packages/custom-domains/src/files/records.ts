// Records in files, one each: below `records`, in a folder for their kind, and there in one of 256 folders.
import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { type RecordChange, type RecordKind, recordKinds, type StoredRecord } from '../state/storage.ts'
import { type Lock, unless } from './lock.ts'
import { isPart, replaceFile } from './replace.ts'
import { syncFolder } from './sync-folder.ts'

/** How many files are open at the same time. */
const AT_A_TIME = 64

/** A file name has 255 bytes at most, and those of temporary files are longer than the name. */
export function fileNameOf(name: string): string {
  return /^[a-z0-9_.-]{1,200}$/.test(name) ? name : sha256(name)
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function fileOf(folder: string, { kind, name }: RecordChange): string {
  return join(folder, kind, sha256(name).slice(0, 2), `${fileNameOf(name)}.json`)
}

/** Reads all records. One that cannot be read has a fault, and the name of its file. */
export async function readRecords(folder: string): Promise<StoredRecord[]> {
  const files = (await filesIn(folder)).filter((file) => file.endsWith('.json'))
  return inChunks(files, async (file) => {
    const [kind] = relative(folder, file).split(sep) as [RecordKind]
    return { kind, ...(await readRecord(file)) }
  }).then((records) => records.filter(({ kind }) => recordKinds.includes(kind)))
}

async function readRecord(file: string): Promise<Omit<StoredRecord, 'kind'>> {
  try {
    const { name, value } = JSON.parse(await readFile(file, 'utf8'))
    if (typeof name !== 'string' || value === undefined) throw new Error('it has no name, or no value')
    if (fileNameOf(name) !== basename(file, '.json')) throw new Error(`it is the record of ${name}`)
    return { name, value }
  } catch (error) {
    return { name: basename(file, '.json'), value: undefined, fault: (error as Error).message }
  }
}

/** Keeps the file of a damaged record, which is about to be replaced or deleted. */
export async function keepDamaged(folder: string, change: RecordChange): Promise<void> {
  const file = fileOf(folder, change)
  await copyFile(file, `${file}.damaged`).catch(unless('ENOENT'))
}

/** Replaces, creates or deletes the file of a record, durably. */
export async function writeRecord(folder: string, change: RecordChange, lock: Lock): Promise<void> {
  const file = fileOf(folder, change)
  const { name, value } = change
  if (value !== undefined) {
    await makeFolders(dirname(file), folder)
    return replaceFile(file, `${JSON.stringify({ name, value })}\n`, lock)
  }
  await lock.check()
  await rm(file, { force: true })
  await syncFolder(dirname(file)).catch(unless('ENOENT'))
}

/** Removes the temporary files of earlier holders of the lock. */
export async function removeRecordParts(folder: string): Promise<void> {
  for (const file of await filesIn(folder)) if (isPart(file)) await rm(file, { force: true })
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(unless('ENOENT'))
  return (entries ?? []).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** A new folder survives a power failure once its parent is synced. */
async function makeFolders(folder: string, top: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let parent = dirname(folder); parent.length >= dirname(top).length; parent = dirname(parent))
    await syncFolder(parent)
}

/** Rejects once nothing runs any more: a write that is late would replace that of a later save. */
export async function inChunks<Item, Result>(
  items: readonly Item[],
  use: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let begin = 0; begin < items.length; begin += AT_A_TIME) {
    const running = items.slice(begin, begin + AT_A_TIME).map(use)
    await Promise.allSettled(running)
    results.push(...(await Promise.all(running)))
  }
  return results
}
