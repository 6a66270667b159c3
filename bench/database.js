// The PostgreSQL of the rows: a server with fsync on, in the system's temporary folder, started when first needed.
// If this process is killed, the server ends too and its folder is removed.
import { execFile } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { createCluster } from '../test/fixtures/postgres/cluster.js'
import { makeRoom, moveTo } from './machine.js'
import { ordersFile } from './orders.js'
import { childrenOf, cpuOf } from './proc.js'
import { BOTH_CORES } from './servers.js'

const run = promisify(execFile)
export const cli = fileURLToPath(new URL('../dist/cli/index.js', import.meta.url))
/** Keeps checkpoints rare during measurements. */
const settings = ['max_connections=100', 'shared_buffers=512MB', 'max_wal_size=4GB']
/** Seconds per request: enough for the first list of a million orders. */
const TIMEOUT = '60'

/** @type {Promise<import('../test/fixtures/postgres/cluster.js').Cluster> | undefined} */
let started
/** Databases that others are copied from, by their number of orders. @type {Map<number, Promise<string>>} */
const templates = new Map()
let copies = 0

/** The address of a new database with the orders of the file. @param {number} orders 0 for the schema alone */
export async function newDatabase(orders) {
  if (!templates.has(orders)) templates.set(orders, makeTemplate(orders))
  const template = await templates.get(orders)
  const { url } = await cluster()
  const name = `copy_${++copies}`
  await query(url(), `CREATE DATABASE ${name} TEMPLATE ${template}`)
  await query(url(name), 'CHECKPOINT')
  return url(name)
}

/** The environment for a server with a new database. @param {number} orders */
export const databaseEnv = async (orders) => envOf(await newDatabase(orders))

/** @param {string} url @returns {Record<string, string>} */
export const envOf = (url) => ({ DATABASE_URL: url, DATABASE_TIMEOUT: TIMEOUT })

/** @param {string} url */
export async function drop(url) {
  const { pathname } = new URL(url)
  await query((await cluster()).url(), `DROP DATABASE ${pathname.slice(1)} WITH (FORCE)`)
}

/**
 * Measures on a new database, which is then dropped.
 * @template T
 * @param {number} orders
 * @param {(database: string) => Promise<T>} measure
 */
export async function onDatabase(orders, measure) {
  const database = await newDatabase(orders)
  return measure(database).finally(() => drop(database))
}

/** The rows of a statement, in a session of its own. @param {string} url @param {string} sql */
export async function query(url, sql) {
  const session = new pg.Client(url)
  await session.connect()
  try {
    return (await session.query(sql)).rows
  } finally {
    await session.end()
  }
}

/** The CPU time of PostgreSQL so far, in µs, including processes that have ended. */
export async function databaseCpu() {
  const postmaster = (await cluster()).pid()
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
  await started?.then((running) => running.remove()).catch(() => {})
}

function cluster() {
  started ??= start()
  return started
}

async function start() {
  const created = await createCluster({ settings })
  moveTo(BOTH_CORES)
  try {
    await created.start()
  } finally {
    makeRoom()
  }
  return created
}

/** Vacuums, so that no row pays for the cleanup after the import. */
async function makeTemplate(orders) {
  const { url } = await cluster()
  const name = `orders_${orders}`
  await query(url(), `CREATE DATABASE ${name}`)
  const env = { PATH: process.env.PATH, DATABASE_URL: url(name) }
  await run(process.execPath, [cli, 'migrate'], { env })
  if (orders > 0) await run(process.execPath, [cli, 'import', await ordersFile(orders)], { env })
  await query(url(name), 'VACUUM (ANALYZE)')
  return name
}
