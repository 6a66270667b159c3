// Changes the key file atomically, one command at a time.
import { type FileHandle, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type KeyLine, parseKeyFile } from './file.ts'
import { mergeKeys } from './key-set.ts'

const HEADER = '# API keys of Store Orders, written by "store-orders keys". See docs/configuration.md.'
const RETRY_MS = 50
const WAIT_MS = 5_000

/**
 * Writes a new file next to the old one and renames it. The new file is also the lock: only one command can create it.
 * @param change throws to leave the file as it is
 */
export async function editKeyFile(path: string, change: (lines: KeyLine[]) => KeyLine[], waitMs = WAIT_MS) {
  const file = await realpath(path).catch(unless('ENOENT', path)) // keeps a symbolic link
  const next = `${file}.new`
  const handle = await create(next, waitMs)
  try {
    try {
      const lines = change(await readLines(file))
      const isEmpty = lines.every(({ text }) => text.trim() === '') // the server would reject it
      await keepOwner(handle, file)
      await handle.writeFile(textOf(isEmpty ? [{ text: HEADER }, ...lines] : lines))
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(next, file)
  } catch (error) {
    await rm(next, { force: true })
    throw error
  }
  await syncFolder(dirname(file))
}

/** @throws with a line for each error in the file */
export async function readLines(file: string): Promise<KeyLine[]> {
  const text = await readFile(file, 'utf8').catch(unless('ENOENT', `${HEADER}\n`))
  mergeKeys({ given: [], variable: '', file }, text)
  return parseKeyFile(text, file).lines
}

async function create(file: string, waitMs: number): Promise<FileHandle> {
  try {
    return await open(file, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (waitMs <= 0) throw new Error(`another command is changing the keys. If none is, delete ${file}`)
  }
  await setTimeout(RETRY_MS)
  return create(file, waitMs - RETRY_MS)
}

/** Keeps the file readable for the server. A new file gets the owner of its directory. */
async function keepOwner(handle: FileHandle, file: string) {
  const before = await stat(file).catch(unless('ENOENT', undefined))
  if (!before) {
    const folder = await stat(dirname(file))
    return handle.chown(folder.uid, folder.gid).catch(unless('EPERM', undefined))
  }
  await handle.chown(before.uid, before.gid)
  await handle.chmod(before.mode & 0o7777)
}

function textOf(lines: KeyLine[]): string {
  const text = lines.map((line) => line.text).join('\n')
  return text.endsWith('\n') ? text : `${text}\n`
}

/** A rename survives a power failure only once its folder is synced. */
async function syncFolder(folder: string) {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function unless<T>(code: string, value: T) {
  return (error: NodeJS.ErrnoException): T => {
    if (error.code !== code) throw error
    return value
  }
}
