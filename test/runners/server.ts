// Starts servers, each on a free port: this service with fresh orders, and a runner's proxy in front of it.
import { once } from 'node:events'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, isOpen } from 'test-kit/ports'
import { start } from './command.ts'

export const KEY = 'contract-key'

const HOST = '127.0.0.1'
const POLL_MS = 20

export interface Program {
  command: string
  args: string[]
  env?: Record<string, string>
}

/**
 * Runs the built server while `use` runs.
 * @param options without a file, the sample
 * @param use its address ends in /v1
 */
export async function withService<T>(
  options: { log: string; ordersFile?: string },
  use: (baseUrl: string) => Promise<T>,
) {
  const { log, ordersFile } = options
  const orders = { ORDERS_FILE: ordersFile ?? '' }
  // Runners send invalid keys on purpose. With a quota, responses have every listed header. A busy machine must not cause 503.
  const limits = { AUTH_FAILURE_LIMIT: 'off', RATE_LIMIT: '1000000/60s', MAX_EVENT_LOOP_DELAY: '0' }
  const env = { NODE_ENV: 'production', HOST, API_KEYS: `contract:${KEY}`, ...limits, ...orders }
  const command = process.execPath
  const on = (port: string) => ({ command, args: ['dist/server.js'], env: { ...env, PORT: port } })
  return withServer(log, on, (origin) => use(`${origin}/v1`))
}

/** Runs a server while `use` runs. */
export async function withServer<T>(log: string, on: (port: string) => Program, use: (origin: string) => Promise<T>) {
  const port = await freePort()
  const { command, args, env = {} } = on(String(port))
  const child = start(command, args, { log, env })
  const ended = once(child, 'close')
  try {
    while (!(await isOpen(port))) {
      await sleep(POLL_MS)
      if (child.exitCode !== null) throw new Error(`a server did not start, see ${log}`)
    }
    return await use(`http://${HOST}:${port}`)
  } finally {
    child.kill()
    await ended
  }
}
