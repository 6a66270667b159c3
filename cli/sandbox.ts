// Runs a command beside a server of its own: fresh orders, a key, and no limit that a tester would meet.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { constants } from 'node:os'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeKey } from '../config/keys/key.ts'
import type { Terminal } from './terminal.ts'

const HOST = '127.0.0.1'
const POLL_MS = 50
/** The exit code of shells for a command that cannot be run. */
const NOT_FOUND = 127

/** Ends with the exit code of the command. */
export async function sandboxCommand(command: readonly string[], terminal: Terminal): Promise<void> {
  const key = makeKey()
  const origin = `http://${HOST}:${await freePort()}`
  const server = spawn(process.execPath, [String(process.argv[1]), 'serve'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true, // Ctrl-C is for the command alone
    env: { ...systemVariables(terminal.env), ...settingsOf(origin, key) },
  })
  const serverEnded = once(server, 'exit')
  try {
    while (!(await isReady(origin))) {
      /* c8 ignore next -- another program took the port */
      if (server.exitCode !== null) throw new Error('the server of the sandbox did not start')
      await sleep(POLL_MS)
    }
    terminal.exitCode = await run(command, {
      ...terminal.env,
      API_KEY: key,
      STORE_ORDERS_URL: `${origin}/v1`,
      STORE_ORDERS_KEY: key,
      OPENAPI_URL: `${origin}/openapi.json`,
    })
  } finally {
    server.kill()
    await serverEnded
  }
}

/** A configuration of the user's own could point to a database with real orders. A file of orders is only read. */
function systemVariables({ PATH, HOME, TMPDIR, SystemRoot, ORDERS_FILE }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { PATH, HOME, TMPDIR, SystemRoot, ORDERS_FILE }
}

/** Testers send wrong keys on purpose. With a quota, responses have every documented header. */
function settingsOf(origin: string, key: string) {
  const { port } = new URL(origin)
  const limits = { AUTH_FAILURE_LIMIT: 'off', RATE_LIMIT: '1000000/60s', MAX_EVENT_LOOP_DELAY: '0' }
  return { HOST, PORT: port, API_KEYS: `sandbox:${key}`, BASE_URL: `${origin}/v1`, LOG_LEVEL: 'error', ...limits }
}

async function run([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(program, args, { stdio: 'inherit', env, shell: process.platform === 'win32' })
  /* c8 ignore next -- Ctrl-C reaches the command as well, which decides */
  const interrupt = () => {}
  const terminate = () => child.kill()
  process.on('SIGINT', interrupt).on('SIGTERM', terminate)
  const exitCode = await once(child, 'exit').then(
    ([code, signal]) => code ?? 128 + constants.signals[signal as NodeJS.Signals],
    ({ code }: NodeJS.ErrnoException) => {
      process.stderr.write(`store-orders: cannot run ${program}: ${code}\n`)
      return NOT_FOUND
    },
  )
  process.off('SIGINT', interrupt).off('SIGTERM', terminate)
  return exitCode
}

async function isReady(origin: string): Promise<boolean> {
  const response = await fetch(`${origin}/readyz`).catch(() => undefined)
  await response?.body?.cancel()
  return response?.ok ?? false
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await once(server.close(), 'close')
  return port
}
