// The sources of a build, by their hashes, and its commit: an unchanged project is not built again.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { env } from 'node:process'

const file = 'dist/sources.json'
const commitFile = 'dist/commit'
const hashOf = (/** @type {string} */ text) => createHash('sha256').update(text).digest('hex')
const textOf = (/** @type {string} */ source) => readFileSync(source, 'utf8')

/** @type {Record<string, string>} */
const hashes = {}

/** Reads a file that the build depends on. @param {string} source */
export function readSource(source) {
  const text = textOf(source)
  hashes[source] = hashOf(text)
  return text
}

/** Called at the end of a build. npm gives every file of a package the same time, so the commit's file records when it was built. */
export function recordSources() {
  writeFileSync(commitFile, `${commit()} ${new Date().toISOString()}`)
  writeFileSync(file, JSON.stringify(hashes))
}

/** The commit that an image without a repository gets by a variable, or that git knows. */
function commit() {
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' })
  return (env.COMMIT || stdout || '').trim().slice(0, 12)
}

/** Whether a build has ended, and has read the same. */
export function isBuilt() {
  try {
    if (textOf(commitFile).split(' ')[0] !== commit()) return false
    return Object.entries(JSON.parse(textOf(file))).every(([source, hash]) => hashOf(textOf(source)) === hash)
  } catch {
    return false
  }
}
