// The sources of a build, by their hashes: an unchanged project is not built again.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

const file = 'dist/sources.json'
const hashOf = (/** @type {string} */ text) => createHash('sha256').update(text).digest('hex')
const read = (/** @type {string} */ source) => readFileSync(source, 'utf8')

/** @type {Record<string, string>} */
const hashes = {}

/** Reads a file that the build depends on. @param {string} source */
export function readSource(source) {
  const text = read(source)
  hashes[source] = hashOf(text)
  return text
}

/** Called at the end of a build. */
export function recordSources() {
  writeFileSync(file, JSON.stringify(hashes))
}

/** Whether a build has ended, and has read the same. */
export function isBuilt() {
  try {
    return Object.entries(JSON.parse(read(file))).every(([source, hash]) => hashOf(read(source)) === hash)
  } catch {
    return false
  }
}
