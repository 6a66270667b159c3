// Runs other programs: their output goes to a file, and none outlives this process.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import process from 'node:process'
import { project } from './folders.js'

const LIMIT_MS = 900_000

/** How to get a program, by its name. */
const sources = new Map([
  ['python3', 'on Debian, apt-get install python3 python3-venv'],
  ['java', 'on Debian, apt-get install default-jre-headless'],
  ['go', 'Go 1.25 or newer, https://go.dev/dl'],
])

/** Without a proxy, which is only for installing: the tested servers are local. */
const direct = `${process.env.no_proxy ?? process.env.NO_PROXY ?? ''},127.0.0.1`

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
process.on('exit', () => {
  for (const child of running) child.kill()
})

/** @param {string[]} programs @throws with how to get missing ones */
export function need(programs) {
  const missing = programs.filter((name) => spawnSync(name, ['--version']).error)
  if (missing.length === 0) return
  throw new Error(missing.map((name) => `${name} is missing: ${sources.get(name)}`).join('\n'))
}

/**
 * @typedef {object} Options
 * @property {string} log the file that gets its output, appended
 * @property {string} [cwd] the project
 * @property {Record<string, string>} [env] in addition to that of this process
 */

/** @param {string} command @param {string[]} args @param {Options} options */
export function start(command, args, { log, cwd = project, env }) {
  const output = openSync(log, 'a')
  const variables = { ...process.env, NO_PROXY: direct, no_proxy: direct, ...env }
  const child = spawn(command, args, { cwd, env: variables, stdio: ['ignore', output, output] })
  closeSync(output)
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}

/**
 * Runs a program to its end, fifteen minutes at most.
 * @param {string} command @param {string[]} args @param {Options} options
 * @returns {Promise<number>} its exit code
 * @throws when it ended by a signal
 */
export async function run(command, args, options) {
  const child = start(command, args, options)
  const late = setTimeout(() => child.kill(), LIMIT_MS)
  const [code, signal] = await once(child, 'close').finally(() => clearTimeout(late))
  if (signal) throw new Error(`${command} was ended by ${signal}, see ${options.log}`)
  return code
}
