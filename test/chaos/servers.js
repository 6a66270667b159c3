// Server processes on one database; each can be killed and restarted at the same port.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { freePort, isOpen } from 'test-kit/ports'
import { until } from 'test-kit/until'

export const KEY = 'chaos-key'

/** @param {string} databaseUrl */
export async function serverOn(databaseUrl) {
  const port = await freePort()
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child
  process.on('exit', () => child?.kill('SIGKILL'))
  const database = { DATABASE_URL: databaseUrl, DATABASE_TIMEOUT: '5' }
  const env = { PATH: process.env.PATH, PORT: String(port), API_KEYS: `chaos:${KEY}`, LOG_LEVEL: 'warn', ...database }
  const server = {
    origin: `http://127.0.0.1:${port}/v1`,
    async start() {
      child = spawn(process.execPath, ['dist/server.js'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
      const started = child
      await until(async () => started.exitCode !== null || (await isOpen(port)))
      if (started.exitCode !== null) throw new Error(`a server ended with ${started.exitCode}`)
    },
    /** @param {NodeJS.Signals} signal */
    async stop(signal = 'SIGTERM') {
      if (!child || child.exitCode !== null) return // it could not be restarted
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
  }
  await server.start()
  return server
}
