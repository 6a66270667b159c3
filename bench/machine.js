// Checks the machine that the benchmark runs on, and describes it for the report.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import process from 'node:process'
import { LOAD_CORE } from './load.js'
import { serverPath, toolPath } from './tools.js'

const MEMORY_GB = 12

/** @param {import('./rows/index.js').Row[]} rows @throws with what to do about it, when something is missing */
export function checkMachine(rows) {
  const missing = ['taskset', 'wrk', 'nginx'].filter((tool) => spawnSync(tool, ['-v']).error)
  if (missing.length > 0) {
    throw new Error(`${missing.join(' and ')} missing. On Debian: apt-get install wrk nginx (taskset is in util-linux)`)
  }
  for (const { name, needs = [] } of rows) {
    const absent = needs.filter((tool) => !toolPath(tool))
    if (absent.length > 0) {
      throw new Error(`${name} needs ${absent.join(' and ')}. On Debian: apt-get install postgresql`)
    }
  }
  if (cpus().length < 2) throw new Error('two cores are needed: one for the server, one for the load')
  if (!existsSync(new URL('../dist/server.js', import.meta.url))) throw new Error('not built: npm run build')
  if (totalmem() < MEMORY_GB * 1e9) console.error(`Less than ${MEMORY_GB} GB of memory: peers may swap at 1,000,000.`)
}

/** Leaves the first core to the servers. */
export const makeRoom = () => moveTo(LOAD_CORE)

/** Moves this process, and with it those that it starts and puts nowhere else. @param {string} cores */
export function moveTo(cores) {
  execFileSync('taskset', ['-acp', cores, String(process.pid)], { stdio: 'ignore' })
}

/** Names and versions. @returns {[string, string][]} */
export function versions() {
  const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
  return [
    ['Node.js', process.version.slice(1)],
    ['wrk', versionOf('wrk', /(?:wrk|debian\/)\s*([\d.]+)/)],
    ['nginx', versionOf('nginx', /nginx\/([\d.]+)/)],
    ['PostgreSQL', versionOf(serverPath(), /\(PostgreSQL\) ([\d.]+)/, '--version')],
    ['psql, pgbench', versionOf(toolPath('psql') ?? 'psql', /\(PostgreSQL\) ([\d.]+)/, '--version')],
    ...Object.entries(dependencies),
  ]
}

function versionOf(tool, pattern, flag = '-v') {
  const { stdout, stderr } = spawnSync(tool, [flag], { encoding: 'utf8' })
  return pattern.exec(stdout + stderr)?.[1] ?? 'unknown'
}

export const cores = cpus().length
export const memoryGb = Math.round(totalmem() / 1e9)
