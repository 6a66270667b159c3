// Keeps the figures of each row that is measured, so that a run that ended early goes on where it stopped.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'

const folder = new URL('../reports/bench/', import.meta.url)

/**
 * @typedef {{ figures: import('./run-row.js').Figure[], at: string, took: number }} Part `at` in ISO 8601, `took` in
 *   seconds
 *
 * @typedef {ReturnType<typeof partsOf>} Parts
 */

/**
 * The parts of the build as it is now, measured with these options.
 * @param {{ rounds: number, seconds: number }} options
 */
export function partsOf({ rounds, seconds }) {
  const run = `${hashOf('dist', 'bench', 'packages/client/dist')} in ${rounds} rounds of ${seconds} s`
  const fileOf = (name) => new URL(`${name}.json`, folder)
  return {
    /** @param {string} name of a row @returns {Part | undefined} */
    read(name) {
      const file = statSync(fileOf(name), { throwIfNoEntry: false })
      const { run: measured, ...part } = file ? JSON.parse(readFileSync(fileOf(name), 'utf8')) : {}
      return measured === run ? part : undefined
    },
    /** @param {string} name @param {Part} part */
    write(name, part) {
      mkdirSync(folder, { recursive: true })
      const partial = fileOf(`${name}.partial`)
      writeFileSync(partial, JSON.stringify({ run, ...part }))
      renameSync(partial, fileOf(name))
    },
  }
}

/** Of the scripts in these folders. */
function hashOf(...folders) {
  const hash = createHash('sha256')
  for (const name of folders) {
    const root = new URL(`../${name}/`, import.meta.url)
    const files = readdirSync(root, { encoding: 'utf8', recursive: true })
      .filter((file) => file.endsWith('.js') && !file.includes('node_modules'))
      .toSorted()
    for (const file of files) hash.update(`${file}\0`).update(readFileSync(new URL(file, root)))
  }
  return hash.digest('hex').slice(0, 16)
}
