// How long requests wait in a failover between two hosts, with DATABASE_TIMEOUT as it comes: the table of docs/postgresql.md.
// npm run build && node --import=./test/loader/typescript.js test/chaos/failover.js
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createCluster } from '../postgres/cluster.js'
import { KEY, serverOn } from './servers.js'
import { eventually, inSession } from './sessions.js'

const ORDERS = 100_000
const CALM_MS = 3000
const CLIENTS = 4
const headers = { authorization: `Bearer ${KEY}` }

for (const [name, mode] of /** @type {const} */ ([
  ['switchover: the primary is stopped, the standby promoted', 'fast'],
  ['the primary is killed, the standby promoted', 'immediate'],
])) {
  const { get, cancel, unavailable, cancelled } = await failover(mode)
  console.log(`| ${name} | ${get.toFixed(1)} s | ${cancel.toFixed(1)} s | ${unavailable} | none of ${cancelled} |`)
}

/** @param {'fast' | 'immediate'} mode */
async function failover(mode) {
  const replicated = ['synchronous_commit=on', 'synchronous_standby_names=standby', 'wal_level=replica']
  const primary = await createCluster({ settings: [...replicated, 'max_connections=100'] })
  await primary.start()
  const standby = await inSession(primary.url(), (session) =>
    primary.standby((sql) => session.query(sql), ['synchronous_standby_names=']),
  )
  await standby.start()
  const env = { PATH: process.env.PATH, DATABASE_URL: primary.url() }
  await promisify(execFile)(process.execPath, ['dist/cli/index.js', 'migrate'], { env })
  await eventually('there are orders', () =>
    inSession(primary.url(), (session) =>
      session.query(`INSERT INTO store_orders.orders (id) SELECT generate_series(1, ${ORDERS}) ON CONFLICT DO NOTHING`),
    ),
  )
  const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(',')
  const server = await serverOn(`postgres://postgres@${hosts}/postgres?sslmode=disable`, '')
  const result = { get: 0, cancel: 0, unavailable: 0, cancelled: 0 }
  /** @type {number[]} */
  const cancelled = []
  let isOver = false

  /** @param {'get' | 'cancel'} kind @param {string} path @param {string} method */
  async function send(kind, path, method) {
    const began = performance.now()
    const response = await fetch(`${server.origin}${path}`, { method, headers })
    await response.arrayBuffer()
    result[kind] = Math.max(result[kind], (performance.now() - began) / 1000)
    if (response.status === 503) result.unavailable++
    else assert.ok(response.ok, `${method} got ${response.status}`)
    return response.status
  }
  /** @param {number} client */
  async function cancels(client) {
    for (let id = client; !isOver; id += CLIENTS) {
      if ((await send('cancel', `/store/orders/${id}`, 'DELETE')) === 204) cancelled.push(id)
      await sleep(5)
    }
  }
  async function lists() {
    while (!isOver) {
      await send('get', '/store/orders', 'GET')
      await sleep(20)
    }
  }
  await send('get', '/store/orders', 'GET')
  result.get = 0
  const load = [lists(), ...Array.from({ length: CLIENTS }, (_, client) => cancels(client + 1))]
  await sleep(CALM_MS)
  await primary.stop(mode)
  await inSession(standby.url(), (session) => session.query('SELECT pg_promote()'))
  await sleep(2 * CALM_MS)
  isOver = true
  await Promise.all(load)
  const { rows } = await inSession(standby.url(), (session) =>
    session.query("SELECT id::integer FROM store_orders.orders WHERE status = 'cancelled'"),
  )
  const kept = new Set(rows.map(({ id }) => id))
  assert.ok(
    cancelled.every((id) => kept.has(id)),
    'a cancellation is lost',
  )
  await server.stop()
  await Promise.all([primary.remove(), standby.remove()])
  return { ...result, cancelled: cancelled.length }
}
