// Starts this service with fresh orders, on a free port.
import { once } from 'node:events'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, isOpen } from 'test-kit/ports'
import { start } from './command.ts'

export const KEY = 'contract-key'

const HOST = '127.0.0.1'
const POLL_MS = 20

/**
 * Runs the built server while `use` runs.
 * @param options without a file, the sample
 * @param use its address ends in /v1
 */
export async function withService<T>(
  { log, ordersFile = '' }: { log: string; ordersFile?: string },
  use: (baseUrl: string) => Promise<T>,
) {
  const port = await freePort()
  // Runners send invalid keys on purpose. With a quota, responses have every listed header. A busy machine must not cause 503.
  const limits = { AUTH_FAILURE_LIMIT: 'off', RATE_LIMIT: '1000000/60s', MAX_EVENT_LOOP_DELAY: '0' }
  const address = { HOST, PORT: String(port) }
  const env = { NODE_ENV: 'production', API_KEYS: `contract:${KEY}`, ORDERS_FILE: ordersFile, ...address, ...limits }
  const child = start(process.execPath, ['dist/server.js'], { log, env })
  const ended = once(child, 'close')
  try {
    while (!(await isOpen(port))) {
      await sleep(POLL_MS)
      if (child.exitCode !== null) throw new Error(`the server did not start, see ${log}`)
    }
    return await use(`http://${HOST}:${port}/v1`)
  } finally {
    child.kill()
    await ended
  }
}
