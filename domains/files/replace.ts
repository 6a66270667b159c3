// Files that are whole whenever the process, or the machine, ends: written beside and renamed.
import { open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const PART = /\.part$/

/** For the owner alone (mode 0600). @throws the system's error, and then the file is as it was */
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

/** What a process that was killed left half written. */
export async function removeParts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (PART.test(name)) await rm(join(folder, name))
  }
}

/** Without it a rename may be lost with the power. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
