// Starts this server or a peer in a process of its own, on the first core; the load runs on the second.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort, isOpen } from 'test-kit/ports'
import { dataFolder, ordersFile } from './orders.js'
import { nginxCommand } from './peers/nginx.js'

export const OURS = 'this server'
export const FASTIFY = 'Fastify by hand'
export const EXPRESS = 'express-openapi-validator'
export const NGINX = 'nginx, a static file'
export const KEY = 'bench-key'
export const SERVER_CORE = '0'
export const LOAD_CORE = '1'
export const BOTH_CORES = '0,1'

const HOST = '127.0.0.1'
const POLL_MS = 2
const START_DEADLINE_MS = 300_000
const STOP_DEADLINE_MS = 3000

const node = (file) => [process.execPath, fileURLToPath(new URL(file, import.meta.url))]
const commands = {
  [OURS]: () => node('../dist/server.js'),
  [FASTIFY]: () => node('peers/fastify.js'),
  [EXPRESS]: () => node('peers/express-openapi-validator.js'),
  [NGINX]: nginxCommand,
}

/**
 * @typedef {{ pid: number, url: string }} Server `url` of the list
 *
 * @typedef {object} Options
 * @property {number} [orders] generated ones; without them, this server's own sample or the database that `env` names
 * @property {Record<string, string>} [env]
 * @property {string} [cores]
 */

/** The processes with their folders. @type {Map<import('node:child_process').ChildProcess, string>} */
const running = new Map()
process.on('exit', () => {
  for (const [child, folder] of running) {
    child.kill()
    rmSync(folder, { recursive: true })
  }
})

/**
 * Starts a server, uses it once its port is open, and stops it.
 * @template T
 * @param {string} name
 * @param {Options} options
 * @param {(server: Server) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withServer(name, { orders, env = {}, cores = SERVER_CORE }, use) {
  const file = orders ? await ordersFile(orders) : ''
  const folder = mkdtempSync(join(dataFolder(), 'run-'))
  const port = await freePort()
  const output = openSync(join(folder, 'output.log'), 'w')
  const command = commands[name]({ folder, file, host: HOST, port })
  const child = spawn('taskset', ['-c', cores, ...command], {
    env: { ...environment(port), ...(file && { ORDERS_FILE: file }), ...env },
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  running.set(child, folder)
  try {
    await opened(name, child, port, join(folder, 'output.log'))
    return await use({ pid: Number(child.pid), url: `http://${HOST}:${port}/v1/store/orders` })
  } finally {
    await end(child)
    running.delete(child)
    rmSync(folder, { recursive: true })
  }
}

/** Moves this process and its later children, unless they are pinned elsewhere. @param {string} cores */
export function moveTo(cores) {
  execFileSync('taskset', ['-acp', cores, String(process.pid)], { stdio: 'ignore' })
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

/** Resolves when the port is open. @throws with the output if the process exits instead */
async function opened(name, child, port, output) {
  const deadline = Date.now() + START_DEADLINE_MS
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) throw new Error(`${name} did not start:\n${readFileSync(output, 'utf8')}`)
    if (Date.now() > deadline) throw new Error(`${name} did not start within ${START_DEADLINE_MS / 1000} s`)
    await sleep(POLL_MS)
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
