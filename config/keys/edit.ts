// Changes the key file atomically, one command at a time.
import { chmod, type FileHandle, lchown, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type KeyLine, linesIn } from './file.ts'
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
      await keepOwner(handle, next, file)
      await handle.writeFile(textOf(isEmpty ? [{ text: HEADER }, ...lines] : lines))
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(next, file)
  } catch (error) {
    await rm(next, { force: true })
    const { syscall, message } = error as NodeJS.ErrnoException
    throw syscall ? new Error(`${file} is unchanged: ${message}`, { cause: error }) : error
  }
  const folder = await open(dirname(file), 'r')
  await folder.sync().finally(() => folder.close()) // only then does the rename survive a power failure
}

/** @throws with a line for each error in the file */
export async function readLines(file: string): Promise<KeyLine[]> {
  const text = await readFile(file, 'utf8').catch(unless('ENOENT', `${HEADER}\n`))
  mergeKeys({ values: [], variable: '', file }, text)
  return linesIn(text)
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

/**
 * Gives the new file the owner and the mode of the old one, so that the server can still read it. A first file gets the owner
 * of its folder, if that is allowed: in a container's volume, the folder may belong to root. Changes through the handle follow
 * no link, but Node's permission model allows only changes by path.
 */
async function keepOwner(handle: FileHandle, next: string, file: string) {
  const now = await handle.stat()
  const before = await stat(file).catch(unless('ENOENT', undefined))
  const { uid, gid } = before ?? (await stat(dirname(file)))
  if (now.uid !== uid || now.gid !== gid) {
    const changed = handle.chown(uid, gid).catch(ifDenied(() => lchown(next, uid, gid)))
    await (before ? changed : changed.catch(unless('EPERM', undefined)))
  }
  if (before && now.mode !== before.mode) {
    const mode = before.mode & 0o7777
    await handle.chmod(mode).catch(ifDenied(() => chmod(next, mode)))
  }
}

function ifDenied(change: () => Promise<void>) {
  return (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_ACCESS_DENIED') throw error
    return change()
  }
}

function textOf(lines: KeyLine[]): string {
  const text = lines.map((line) => line.text).join('\n')
  return text.endsWith('\n') ? text : `${text}\n`
}

function unless<T>(code: string, value: T) {
  return (error: NodeJS.ErrnoException): T => {
    if (error.code !== code) throw error
    return value
  }
}
