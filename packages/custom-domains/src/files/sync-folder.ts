// A rename survives a power failure only once its folder is synced.
import { open } from 'node:fs/promises'

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
