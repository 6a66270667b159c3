// Runs other programs: their output goes to a file, and none outlives this process.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import process from 'node:process'
import { project } from './folders.ts'

const LIMIT_MS = 900_000

/** How to get a program, by its name. */
const sources = new Map([
  ['python3', 'on Debian, apt-get install python3 python3-venv'],
  ['go', 'Go 1.25 or newer, https://go.dev/dl'],
])

/** Without a proxy, which is only for installing: the tested servers are local. */
const direct = `${process.env.no_proxy ?? process.env.NO_PROXY ?? ''},127.0.0.1`

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill()
})

/** @throws with how to get missing ones */
export function need(programs: string[]) {
  const missing = programs.filter((name) => spawnSync(name, ['--version']).error)
  if (missing.length === 0) return
  throw new Error(missing.map((name) => `${name} is missing: ${sources.get(name)}`).join('\n'))
}

export interface Options {
  /** The file that gets its output, appended. */
  log: string
  /** By default, the project. */
  cwd?: string
  /** In addition to that of this process. */
  env?: Record<string, string>
}

export function start(command: string, args: string[], { log, cwd = project, env }: Options) {
  const output = openSync(log, 'a')
  const variables = { ...process.env, NO_PROXY: direct, no_proxy: direct, ...env }
  const child = spawn(command, args, { cwd, env: variables, stdio: ['ignore', output, output] })
  closeSync(output)
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}

/** Runs a program to its end, fifteen minutes at most. @returns its exit code @throws when it ended by a signal */
export async function run(command: string, args: string[], options: Options): Promise<number> {
  const child = start(command, args, options)
  const late = setTimeout(() => child.kill(), LIMIT_MS)
  const [code, signal] = await once(child, 'close').finally(() => clearTimeout(late))
  if (signal) throw new Error(`${command} was ended by ${signal}, see ${options.log}`)
  return code
}
