// Chaos: three servers on one database under load, while servers and PostgreSQL fail. npm run test:chaos [-- SEED SECONDS]
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomOf } from '../hostile/random.ts'
import { proxyTo } from '../postgres/proxy.ts'
import { ownAction } from './owner.js'
import { prepare, startPair } from './pair.js'
import { serverOn } from './servers.js'
import { eventually, inSession } from './sessions.js'
import { FIRST_ORDERS, trial } from './trial.js'

const seed = Number(process.argv[2] ?? Date.now() % 1_000_000)
const seconds = Number(process.argv[3] ?? 25)
const random = randomOf(seed, 0)
console.log(`seed ${seed}, ${seconds} seconds`)

const [primary, standby] = await startPair(['fsync=on', 'max_prepared_transactions=5'])
await prepare(primary.url(), FIRST_ORDERS)

const proxies = await Promise.all([primary, standby].map(({ port }) => proxyTo({ teardown() {} }, port)))
const url = `postgres://postgres@${proxies.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres?sslmode=disable`
const servers = await Promise.all([1, 2, 3].map(() => serverOn(url)))

let current = primary
/** @template T @param {(session: import('pg').Client) => Promise<T>} work */
const atPrimary = (work) => inSession(current.url(), work)

/** @typedef {(trial: import('./trial.js').Trial) => Promise<unknown>} Fault */

/** @type {Record<string, Fault>} */
const once = {
  async 'a server is killed and started again'() {
    const server = /** @type {(typeof servers)[number]} */ (servers[random.below(servers.length)])
    await server.stop('SIGKILL')
    await server.start()
  },
  async 'a backend is stopped for a while'() {
    const pids = await backends()
    const pid = pids[random.below(Math.max(1, pids.length))]
    if (!pid) return
    process.kill(pid, 'SIGSTOP')
    await sleep(4000)
    process.kill(pid, 'SIGCONT')
  },
  'PostgreSQL is restarted in immediate mode': crash,
  async 'a backend is killed, which makes PostgreSQL recover'() {
    const [pid] = await backends()
    if (pid) process.kill(pid, 'SIGKILL')
  },
  async 'results are cut in the middle'() {
    for (const proxy of proxies) proxy.cut(10)
  },
  async 'an order is held, and the table is rewritten'() {
    await atPrimary(async (session) => {
      await session.query('BEGIN; SELECT FROM store_orders.orders ORDER BY id DESC LIMIT 3 FOR UPDATE')
      await sleep(1500)
    })
    for (const change of ['ADD COLUMN note uuid DEFAULT gen_random_uuid()', 'DROP COLUMN note'])
      await atPrimary((session) => session.query(`ALTER TABLE store_orders.orders ${change}`))
  },
  'a prepared transaction outlives a crash': prepareAndCrash,
}
/** @type {Fault} */
const changeTables = (trial) => ownAction(trial, random, atPrimary, crash)
/** @type {[name: string, fault: Fault][]} */
const faults = [...Object.entries(once), ...Array(4).fill(['an owner changes the tables', changeTables])]

/** The processes of PostgreSQL that serve the servers. @returns {Promise<number[]>} */
async function backends() {
  const sql = "SELECT pid FROM pg_stat_activity WHERE application_name = 'store-orders'"
  return (await atPrimary((session) => session.query(sql))).rows.map(({ pid }) => pid)
}

async function crash() {
  await current.stop('immediate')
  await current.start()
}

/** @param {import('./trial.js').Trial} trial */
async function prepareAndCrash({ history, nextId }) {
  const id = nextId()
  await history.record({ kind: 'insert', id }, async () => {
    await atPrimary(async (session) => {
      await session.query('BEGIN')
      await session.query('INSERT INTO store_orders.orders (id) VALUES ($1)', [id])
      await session.query(`PREPARE TRANSACTION 'order ${id}'`)
    })
    await crash()
    await sleep(2000)
    await eventually('the prepared transaction is committed', () =>
      atPrimary((session) => session.query(`COMMIT PREPARED 'order ${id}'`)),
    )
    return { outcome: 'done' }
  })
}

/** @param {import('./trial.js').Trial} trial */
async function disturb(trial) {
  const end = Date.now() + seconds * 1000
  for (let turn = 0; turn < faults.length || Date.now() < end - 6000; turn++) {
    await sleep(500 + random.below(1000))
    const [name, fault] = /** @type {(typeof faults)[number]} */ (
      faults[turn < faults.length ? turn : random.below(faults.length)]
    )
    console.log(name)
    await fault(trial).catch((error) => console.log(`  (${error.message})`))
  }
  await eventually('the standby has everything that can be read', standbyCaughtUp)
  console.log('the standby is promoted')
  await primary.stop('immediate')
  current = standby
  await eventually('the standby is promoted', standbyPromoted)
  await sleep(3000)
}

/** Recovered commits had no response, and are not on the standby until it has reconnected. */
async function standbyCaughtUp() {
  const { rows } = await atPrimary((session) => session.query('SELECT pg_current_wal_insert_lsn() AS lsn'))
  const caughtUp = "SELECT FROM pg_stat_replication WHERE sync_state = 'sync' AND flush_lsn >= $1"
  return eventually('the standby is synchronous', () =>
    atPrimary(async (session) => (await session.query(caughtUp, [rows[0].lsn])).rowCount),
  )
}

async function standbyPromoted() {
  const promote = 'SELECT pg_is_in_recovery() AS waits, CASE WHEN pg_is_in_recovery() THEN pg_promote(false) END'
  const { rows } = await atPrimary((session) => session.query(promote))
  return !rows[0].waits
}

const isSound = await trial({ seed, origins: servers.map(({ origin }) => origin), atPrimary, disturb })
await Promise.all(servers.map((server) => server.stop()))
await Promise.all([primary.remove(), standby.remove()])
process.exit(isSound ? 0 : 1)
