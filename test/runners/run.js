// Runs third-party contract testers against the built server: npm run test:contract
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import process from 'node:process'
import { need } from './command.js'
import { dredd } from './dredd/run.js'
import { reports } from './folders.js'
import { fuzz } from './fuzz/run.js'
import { go } from './go/run.js'
import { chosen } from './options.js'
import { prism } from './prism/run.js'
import { contract, schemathesis } from './schemathesis/run.js'
import { specmatic } from './specmatic/run.js'
import { summaryOf } from './summary.js'

/**
 * @typedef {object} Outcome what a runner reports
 * @property {number} cases
 * @property {number} failures
 * @property {number} warnings
 * @property {number} skipped
 * @property {string[]} problems why the run failed
 *
 * @typedef {object} Runner
 * @property {string} name
 * @property {string} version
 * @property {string[]} needs programs
 * @property {(folder: string) => Promise<Outcome>} run its report goes to `folder`, which ends in a slash
 *
 * @typedef {Partial<Outcome> & { name: string, version: string, seconds: number, problems: string[] }} Result
 */

const LOG_LINES = 80

/** @type {Runner[]} */
const runners = [schemathesis, contract, fuzz, prism, dredd, specmatic, go]

/** @param {Runner} runner @returns {Promise<Result>} */
async function resultOf({ name, version, needs, run }) {
  const started = Date.now()
  const result = (/** @type {Outcome | { problems: string[] }} */ outcome) => {
    return { name, version, seconds: (Date.now() - started) / 1000, ...outcome }
  }
  const folder = `${reports}${name}/`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  try {
    need(needs)
    return result(await run(folder))
  } catch (error) {
    return result({ problems: [/** @type {Error} */ (error).message] })
  }
}

/** Two at once: most of them, and the server that each starts, use less than a core. */
async function runAll() {
  const selected = chosen(runners)
  /** @type {Result[]} */
  const results = []
  const next = selected.entries()
  const worker = async () => {
    for (const [index, runner] of next) {
      console.log(`${runner.name} ${runner.version} …`)
      results[index] = await resultOf(runner)
    }
  }
  await Promise.all([worker(), worker()])
  return results
}

async function main() {
  const results = await runAll()
  const failed = results.filter(({ problems }) => problems.length > 0)
  for (const { name } of failed) printLogs(`${reports}${name}/`)
  console.log(`\n${summaryOf(results)}\n\nReports: reports/contract/`)
  if (failed.length > 0) process.exitCode = 1
}

/** The last lines of what a runner and its server wrote. @param {string} folder */
function printLogs(folder) {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.log'))) {
    const lines = readFileSync(folder + file, 'utf8')
      .trimEnd()
      .split('\n')
    console.log([`\n${folder}${file}:`, ...lines.slice(-LOG_LINES)].join('\n'))
  }
}

for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 }))
  process.once(signal, () => process.exit(code))
try {
  await main()
} catch (error) {
  console.error(`test:contract: ${/** @type {Error} */ (error).message}`)
  process.exitCode = 1
}
