// Starts and stops servers: each a process of its own, on the first core.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { dataFolder } from './orders.js'
import { nginxCommand } from './peers/nginx.js'

/** This server's name among the peers. */
export const OURS = 'store-orders'
export const KEY = 'bench-key'
/** Server and load have a core each. */
export const SERVER_CORE = '0'

const HOST = '127.0.0.1'
const POLL_MS = 2
const START_DEADLINE_MS = 120_000
const STOP_DEADLINE_MS = 3000

/**
 * @typedef {object} Server
 * @property {number} pid
 * @property {string} url that of the list
 * @property {() => Promise<void>} stop
 */

/** The processes, each with the folder of its files. */
const running = new Map()
process.on('exit', () => {
  for (const [child, folder] of running) {
    child.kill()
    rmSync(folder, { recursive: true })
  }
})

/**
 * Resolves when the port is open; what the server prints goes to a file.
 * @param {string} peer a file in peers/, or this server
 * @param {string} [ordersFile] without it, the server's own sample
 * @param {Record<string, string>} [env]
 * @returns {Promise<Server>}
 */
export async function start(peer, ordersFile, env = {}) {
  mkdirSync(dataFolder, { recursive: true })
  const folder = mkdtempSync(join(dataFolder, 'run-'))
  const output = join(folder, 'output.log')
  const port = await freePort()
  const command =
    peer === 'nginx' ? nginxCommand({ folder, ordersFile: String(ordersFile), host: HOST, port }) : nodeCommand(peer)
  const fd = openSync(output, 'w')
  const child = spawn('taskset', ['-c', SERVER_CORE, ...command], {
    env: { ...environment(port), ...(ordersFile && { ORDERS_FILE: ordersFile }), ...env },
    stdio: ['ignore', fd, fd],
  })
  closeSync(fd)
  running.set(child, folder)

  const deadline = Date.now() + START_DEADLINE_MS
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) throw new Error(`${peer} did not start:\n${readFileSync(output, 'utf8')}`)
    if (Date.now() > deadline) throw new Error(`${peer} did not start within ${START_DEADLINE_MS / 1000} s`)
    await sleep(POLL_MS)
  }
  const stop = async () => {
    await end(child)
    running.delete(child)
    rmSync(folder, { recursive: true })
  }
  return { pid: /** @type {number} */ (child.pid), url: `http://${HOST}:${port}/v1/store/orders`, stop }
}

function nodeCommand(peer) {
  const file = peer === OURS ? '../dist/server.js' : `peers/${peer}.js`
  return [process.execPath, fileURLToPath(new URL(file, import.meta.url))]
}

function environment(port) {
  return {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    LOG_LEVEL: 'silent',
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

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, HOST)
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  server.close()
  await once(server, 'close')
  return port
}

function isOpen(port) {
  return new Promise((resolve) => {
    const socket = connect(port, HOST, () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
