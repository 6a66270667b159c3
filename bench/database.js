// The PostgreSQL of the rows: a server with fsync on, in the system's temporary folder, started when first needed.
// If this process is killed, the server ends too and its folder is removed.
import { execFile } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { createCluster } from '../test/postgres/cluster.js'
import { ordersFile } from './orders.js'
import { childrenOf, cpuOf } from './proc.js'
import { BOTH_CORES, LOAD_CORE, moveTo } from './servers.js'

const run = promisify(execFile)
const cli = fileURLToPath(new URL('../dist/cli/index.js', import.meta.url))
/** Keeps checkpoints rare during measurements. */
const settings = ['max_connections=100', 'shared_buffers=512MB', 'max_wal_size=4GB']
/** Seconds per request: enough for the first list of a million orders. */
const TIMEOUT = '60'

/** @type {Promise<import('../test/postgres/cluster.js').Cluster> | undefined} */
let cluster
/** Databases to copy, by their number of orders. @type {Map<number, Promise<string>>} */
const templates = new Map()
let copies = 0

/**
 * Measures on a new database, which is then dropped.
 * @template T
 * @param {number} orders
 * @param {(database: string, env: Record<string, string>) => Promise<T>} measure with its URL, and a server's environment
 * @returns {Promise<T>}
 */
export async function onDatabase(orders, measure) {
  cluster ??= start()
  const { url } = await cluster
  if (!templates.has(orders)) templates.set(orders, makeTemplate(url, orders))
  const name = `copy_${++copies}`
  await query(url(), `CREATE DATABASE ${name} TEMPLATE ${await templates.get(orders)}`)
  await query(url(name), 'CHECKPOINT')
  try {
    return await measure(url(name), { DATABASE_URL: url(name), DATABASE_TIMEOUT: TIMEOUT })
  } finally {
    await query(url(), `DROP DATABASE ${name} WITH (FORCE)`)
  }
}

/** The rows of a statement, in a session of its own. @param {string} url @param {string} sql */
export const query = (url, sql) => withSession(url, async (session) => (await session.query(sql)).rows)

/**
 * @template T
 * @param {string} url
 * @param {(session: import('pg').Client) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withSession(url, use) {
  const session = new pg.Client(url)
  await session.connect()
  try {
    return await use(session)
  } finally {
    await session.end()
  }
}

/** The CPU time of PostgreSQL so far, in µs, including processes that have ended. */
export async function databaseCpu() {
  const postmaster = (await cluster)?.pid() ?? 0
  const running = childrenOf(postmaster).reduce((sum, pid) => sum + cpuWhileRunning(pid), 0)
  return running + cpuOf(postmaster, { isWithEnded: true })
}

/** 0 for a process that has just ended. @param {number} pid */
function cpuWhileRunning(pid) {
  try {
    return cpuOf(pid)
  } catch {
    return 0
  }
}

export async function endDatabases() {
  await cluster?.then((running) => running.remove()).catch(() => {})
}

async function start() {
  const created = await createCluster({ settings })
  moveTo(BOTH_CORES)
  try {
    await created.start()
  } finally {
    moveTo(LOAD_CORE)
  }
  return created
}

/** Vacuums, so that no row pays for the cleanup after the import. */
async function makeTemplate(url, orders) {
  const name = `orders_${orders}`
  await query(url(), `CREATE DATABASE ${name}`)
  const env = { PATH: process.env.PATH, DATABASE_URL: url(name) }
  await run(process.execPath, [cli, 'migrate'], { env })
  await run(process.execPath, [cli, 'import', await ordersFile(orders)], { env })
  await query(url(name), 'VACUUM (ANALYZE)')
  return name
}
