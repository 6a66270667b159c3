// Installs a runner once: into a folder of the cache, again when the file that pins its versions changes.
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { cache } from './folders.ts'

/** Runners that run at once may share a folder. */
const installing = new Map<string, Promise<string>>()

/**
 * @param name of the folder
 * @param manifest the file with the versions
 * @param make fills the folder
 * @returns the folder, with a slash
 */
export function installed(name: string, manifest: string, make: (folder: string) => Promise<void>): Promise<string> {
  const started = installing.get(name) ?? install(name, manifest, make)
  installing.set(name, started)
  return started
}

async function install(name: string, manifest: string, make: (folder: string) => Promise<void>) {
  const folder = `${cache}${name}/`
  const stamp = `${cache}${name}.installed`
  if (contentOf(stamp) === contentOf(manifest)) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await make(folder)
  cpSync(manifest, stamp)
  return folder
}

function contentOf(file: string) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
