// Starts and stops servers, each in its own process on the first core.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort, isOpen } from '../test/fixtures/free-port.js'
import { certificateOf } from '../test/hostile/certificate.js'
import { dataFolder } from './orders.js'
import { nginxCommand } from './peers/nginx.js'

/** This server's name among the peers. */
export const OURS = 'store-orders'
export const KEY = 'bench-key'
/** The domain that has a certificate, over HTTP/2. */
export const HTTP2_HOST = 'orders.bench.test'
/** Server and load use one core each. */
export const SERVER_CORE = '0'
/** For processes that use both. */
export const BOTH_CORES = '0,1'

const HOST = '127.0.0.1'
const server = '../dist/server.js'
const POLL_MS = 2
const START_DEADLINE_MS = 120_000
const STOP_DEADLINE_MS = 3000

/**
 * @typedef {object} Server
 * @property {number} pid
 * @property {string} url of the list
 * @property {() => Promise<void>} stop
 */

/** The processes with their folders. */
const running = new Map()
process.on('exit', () => {
  for (const [child, folder] of running) {
    child.kill()
    rmSync(folder, { recursive: true })
  }
})

/**
 * @param {string} peer a file in peers/, or this server
 * @param {string} [ordersFile] without it, the server's own sample, or the database that `env` names
 * @param {Record<string, string>} [env]
 * @param {string} [cores]
 * @returns {Promise<Server>}
 */
export function start(peer, ordersFile, env = {}, cores) {
  const command =
    peer === 'nginx'
      ? (place) => nginxCommand({ ...place, ordersFile: String(ordersFile) })
      : () => [process.execPath, fileURLToPath(new URL(peer === OURS ? server : `peers/${peer}.js`, import.meta.url))]
  return launch({ name: peer, command, env: { ...(ordersFile && { ORDERS_FILE: ordersFile }), ...env }, cores })
}

/** This server at a custom domain. @param {string} ordersFile @param {Record<string, string>} env @returns {Promise<Server>} */
export async function startHttp2(ordersFile, { MAX_EVENT_LOOP_DELAY: LIMIT = '0' }) {
  const port = await freePort()
  const program = fileURLToPath(new URL('../test/hostile/ports.js', import.meta.url))
  const server = await launch({
    name: `${OURS} over HTTP/2`,
    command: () => [process.execPath, program],
    env: {
      ...certificateOf(HTTP2_HOST, dataFolder),
      HTTPS_PORT: String(port),
      ORDERS_FILE: ordersFile,
      API_KEY: KEY,
      LIMIT,
    },
    port,
  })
  return { ...server, url: server.url.replace('http:', 'https:') }
}

/**
 * Resolves when the port is open. The output of the process goes to a file.
 * @param {object} options
 * @param {string} options.name
 * @param {(place: { folder: string, host: string, port: number }) => string[]} options.command
 * @param {Record<string, string>} [options.env]
 * @param {string | undefined} [options.cores]
 * @param {number} [options.port] a free one, unless given
 * @returns {Promise<Server>}
 */
export async function launch({ name, command, env = {}, cores = SERVER_CORE, port: given }) {
  mkdirSync(dataFolder, { recursive: true })
  const folder = mkdtempSync(join(dataFolder, 'run-'))
  const output = join(folder, 'output.log')
  const port = given ?? (await freePort())
  const fd = openSync(output, 'w')
  const child = spawn('taskset', ['-c', cores, ...command({ folder, host: HOST, port })], {
    env: { ...environment(port), ...env },
    stdio: ['ignore', fd, fd],
  })
  closeSync(fd)
  running.set(child, folder)

  const deadline = Date.now() + START_DEADLINE_MS
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) throw new Error(`${name} did not start:\n${readFileSync(output, 'utf8')}`)
    if (Date.now() > deadline) throw new Error(`${name} did not start within ${START_DEADLINE_MS / 1000} s`)
    await sleep(POLL_MS)
  }
  const stop = async () => {
    await end(child)
    running.delete(child)
    rmSync(folder, { recursive: true })
  }
  return { pid: /** @type {number} */ (child.pid), url: `http://${HOST}:${port}/v1/store/orders`, stop }
}

function environment(port) {
  return {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    LOG_LEVEL: 'silent',
    SHUTDOWN_DELAY: '0',
    MAX_EVENT_LOOP_DELAY: '0', // a shared machine can delay any process
    API_KEYS: `bench:${KEY}`,
    HOST,
    PORT: String(port),
  }
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill()
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS)
  await ended
  clearTimeout(late)
}
