// Installs a runner once: into a folder of the cache, again when the file that pins its versions changes.
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { cache } from './folders.js'

/** Runners that run at once may share a folder. @type {Map<string, Promise<string>>} */
const installing = new Map()

/**
 * @param {string} name of the folder
 * @param {string} manifest the file with the versions
 * @param {(folder: string) => Promise<void>} make fills the folder
 * @returns {Promise<string>} the folder, with a slash
 */
export function installed(name, manifest, make) {
  const started = installing.get(name) ?? install(name, manifest, make)
  installing.set(name, started)
  return started
}

/** @param {string} name @param {string} manifest @param {(folder: string) => Promise<void>} make */
async function install(name, manifest, make) {
  const folder = `${cache}${name}/`
  const stamp = `${cache}${name}.installed`
  if (contentOf(stamp) === contentOf(manifest)) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await make(folder)
  cpSync(manifest, stamp)
  return folder
}

/** @param {string} file */
function contentOf(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
