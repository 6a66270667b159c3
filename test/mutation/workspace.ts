// A copy of the project to plant faults in: the work tree itself is never changed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'

export type Result = 'passed' | 'failed' | 'late'

export interface Workspace {
  write(file: string, text: string): Promise<unknown>
  /** Runs a test file in a process group of its own, which is killed after the limit. */
  run(test: string, limitMs: number): Promise<Result>
  /** Kills what runs, and deletes the copy. */
  close(): Promise<void>
}

/** As tap loads them. */
const hooks = ['@tapjs/mock/import', '@tapjs/processinfo/import'].map((name) => `--import=${import.meta.resolve(name)}`)

/** What Node.js loads before a test. */
export const loaders: readonly string[] = JSON.parse(readFileSync('package.json', 'utf8')).tap['node-arg']

/** Synchronous: no signal can leave half a copy behind. */
export function copyProject(files: readonly string[]): Workspace {
  const folder = mkdtempSync(join(tmpdir(), 'mutation-'))
  for (const file of files) {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    cpSync(file, join(folder, file))
  }
  linkPackages('node_modules', join(folder, 'node_modules'))
  let running: number | undefined
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false

  function kill() {
    try {
      if (running !== undefined) process.kill(-running, 'SIGKILL')
    } catch {} // it has ended
  }

  async function runAlone(test: string, limitMs: number): Promise<Result> {
    const args = [...hooks, ...loaders, test]
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, TAP_BAIL: '1', TAP_TIMEOUT: '1200' }
    const child = spawn(process.execPath, args, { cwd: folder, detached: true, stdio: 'ignore', env })
    running = child.pid
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      kill()
    }, limitMs)
    const [code] = await once(child, 'exit')
    clearTimeout(timer)
    kill() // what it has started
    running = undefined
    return isLate ? 'late' : code === 0 ? 'passed' : 'failed'
  }

  return {
    write: async (file, text) => isClosed || writeFile(join(folder, file), text),
    async run(test, limitMs) {
      if (isClosed) return 'late'
      const result = runAlone(test, limitMs)
      last = result
      return result
    },
    async close() {
      isClosed = true
      kill()
      await last
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** Links each installed package; those of this project lead to the copy, as they are relative. */
function linkPackages(from: string, to: string) {
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    const path = join(from, name)
    const target = lstatSync(path).isSymbolicLink() ? readlinkSync(path) : resolve(path)
    symlinkSync(target, join(to, name))
  }
}
