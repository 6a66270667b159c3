// Atomic, durable writes: to a temporary file in the same folder, which is then renamed.
import { open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const PART = /\.part$/

/** Readable by the owner only (mode 0600). @throws the system's error, and then the file is unchanged */
export async function replaceFile(file: string, text: string): Promise<void> {
  const part = `${file}.part`
  try {
    const handle = await open(part, 'w', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
  await syncFolder(dirname(file))
}

/** Removes the temporary files of a process that was killed while writing. */
export async function removeParts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (PART.test(name)) await rm(join(folder, name))
  }
}

/** A rename survives a power failure only once its folder is synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
