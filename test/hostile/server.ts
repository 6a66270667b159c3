// Starts the built server as in production, with its log in a file.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 20
const START_LIMIT_MS = 60_000
/** After this long, garbage collection has started and is mostly done. */
const COLLECT_MS = 250
const STOP_LIMIT_MS = 30_000

export type Server = Awaited<ReturnType<typeof startServer>>

interface Options {
  program: string
  logs: string
  env: Record<string, string>
  ready: RegExp
}

export async function startServer({ program, logs, env, ready }: Options) {
  const files = { stdout: `${logs}.log`, stderr: `${logs}.stderr` }
  const args = ['--import', new URL('collect.js', import.meta.url).href, program]
  const child = spawn(process.execPath, args, {
    env: { NODE_ENV: 'production', HOST: '127.0.0.1', PORT: '0', ...env },
    stdio: ['ignore', openSync(files.stdout, 'w'), openSync(files.stderr, 'w')],
  })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  const closed = once(child, 'close').then(([code, signal]) => {
    process.off('exit', end)
    return code ?? (signal as number | string)
  })
  const { pid } = child
  const port = await portOf(files.stdout, ready, () => child.exitCode !== null)

  return {
    port,
    files,
    isAlive: () => child.exitCode === null && child.signalCode === null && child.pid === pid,
    /** Resident memory in use, in bytes. */
    memory: async () => {
      child.kill('SIGWINCH')
      await sleep(COLLECT_MS)
      const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
      return Number(kilobytes) * 1024
    },
    /** Stops it. @returns its exit code, or the signal that ended it */
    stop: async () => {
      child.kill('SIGTERM')
      return Promise.race([closed, sleep(STOP_LIMIT_MS, 'still running', { ref: false })])
    },
  }
}

async function portOf(log: string, ready: RegExp, hasEnded: () => boolean) {
  for (const deadline = Date.now() + START_LIMIT_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    const found = ready.exec(readFileSync(log, 'utf8'))
    if (found) return Number(found.at(-1))
    if (hasEnded()) break
  }
  throw new Error(`the server did not start: see ${log} and its .stderr`)
}
