// Atomic, durable writes: to a temporary file in the same folder, which is then renamed.
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Lock } from './lock.ts'
import { syncFolder } from './sync-folder.ts'

const PART = /\.part$/

export const isPart = (file: string) => PART.test(file)

/**
 * Readable by the owner only (mode 0600). A process that has lost its lock replaces nothing: either the check after the
 * temporary file was written finds the next lock, or the next holder's removeParts finds the temporary file.
 * @throws with the file and the system's code, and then the file is unchanged
 */
export async function replaceFile(file: string, text: string, lock: Pick<Lock, 'number' | 'check'>): Promise<void> {
  const part = `${file}.${lock.number}.part`
  try {
    await writeFile(part, text, { mode: 0o600, flush: true })
    await lock.check()
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true }).catch(() => {})
    throw namedError(file, error as NodeJS.ErrnoException)
  }
  await syncFolder(dirname(file))
}

/** The system names no file when a write fails. */
export function namedError(file: string, error: NodeJS.ErrnoException): Error {
  if (error.code === undefined) return error
  const [reason] = error.message.split(',')
  return Object.assign(new Error(`${file} cannot be written: ${reason}`, { cause: error }), { code: error.code })
}

/** Removes the temporary files of earlier holders of the lock. @param begin only those whose names begin with it */
export async function removeParts(folder: string, begin = ''): Promise<void> {
  for (const name of await readdir(folder)) {
    if (isPart(name) && name.startsWith(begin)) await rm(join(folder, name), { force: true })
  }
}
