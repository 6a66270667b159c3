// How long requests wait in a failover, with DATABASE_TIMEOUT as it comes: the table of docs/postgresql.md.
// npm run build && node --import=./test/loader/typescript.js test/chaos/failover.js [SETUP...]
// Needs HAProxy, PgBouncer 1.21 or newer (PGBOUNCER=/path), and for Patroni what test/chaos/patroni.js needs.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from 'test-kit/ports'
import { startPgbouncer } from '../postgres/pgbouncer.js'
import { prepare, startPair } from './pair.js'
import { requirements, startPatroni } from './patroni-cluster.js'
import { KEY, serverOn } from './servers.js'
import { inSession } from './sessions.js'

const ORDERS = 100_000
const CALM_MS = 3000
const CLIENTS = 4
const headers = { authorization: `Bearer ${KEY}` }

/**
 * @typedef {'switchover' | 'kill'} Fault
 * @typedef {object} Setup
 * @property {string} url where the server finds the primary
 * @property {() => Promise<string>} primary the URL of the one that accepts writes
 * @property {(fault: Fault) => Promise<unknown>} fail resolves once another one does
 * @property {() => Promise<unknown>} remove
 */

/** @type {Record<string, () => Promise<Setup>>} */
const setups = {
  'two hosts': () => pair(async ({ hosts }) => ({ url: hosts, follow() {}, stop() {} })),
  HAProxy: () => pair(({ ports }) => startHaproxy(ports)),
  PgBouncer: () => pair(({ ports }) => startPgbouncer(ports[0], { poolSize: 10 })),
  Patroni: patroni,
}
/** @type {Record<Fault, string>} */
const texts = { switchover: 'the primary is stopped, another one promoted', kill: 'the primary is killed' }
const {
  argv: [, , ...chosen],
} = process
for (const [name, create] of Object.entries(setups)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  for (const fault of /** @type {const} */ (['switchover', 'kill'])) {
    const setup = await create()
    const { get, cancel, unavailable, cancelled } = await failover(setup, fault).finally(setup.remove)
    console.log(
      `| ${name}: ${texts[fault]} | ${get.toFixed(1)} s | ${cancel.toFixed(1)} s | ${unavailable} | none of ${cancelled} |`,
    )
  }
}
process.exit()

/**
 * A primary with a synchronous standby, and what is in front of them.
 * @param {(pair: { hosts: string, ports: [number, number] }) => Promise<{ url: string, follow(port: number): void, stop(): void }>} startFront
 * @returns {Promise<Setup>}
 */
async function pair(startFront) {
  const [primary, standby] = await startPair()
  const addresses = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(',')
  const front = await startFront({
    hosts: `postgres://postgres@${addresses}/postgres?sslmode=disable`,
    ports: [primary.port, standby.port],
  })
  let current = primary
  return {
    url: front.url,
    primary: async () => current.url(),
    async fail(fault) {
      await primary.stop(fault === 'kill' ? 'immediate' : 'fast')
      await inSession(standby.url(), (session) => session.query('SELECT pg_promote()'))
      current = standby
      front.follow(standby.port)
    },
    async remove() {
      front.stop()
      await Promise.all([primary.remove(), standby.remove()])
    },
  }
}

/** Asks each twice a second; the standby gets connections while the primary accepts none. @param {[number, number]} ports */
async function startHaproxy([first, second]) {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'store-orders-haproxy-'))
  writeFileSync(
    join(folder, 'haproxy.cfg'),
    `defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
listen postgresql
  bind 127.0.0.1:${port}
  default-server check inter 500ms fall 1 rise 1 on-marked-down shutdown-sessions
  server first 127.0.0.1:${first}
  server second 127.0.0.1:${second} backup
`,
  )
  const child = spawn('haproxy', ['-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' })
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`,
    follow() {},
    stop() {
      child.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Three hosts. Patroni promotes by itself once the lease of a killed leader has ended. @returns {Promise<Setup>} */
async function patroni() {
  const { programs, missing } = requirements()
  assert.equal(missing.length, 0, missing.join('\n'))
  const cluster = await startPatroni(programs)
  return {
    url: cluster.url,
    primary: async () => (await cluster.leader()).url,
    async fail(fault) {
      const leader = await cluster.leader()
      if (fault === 'switchover') return cluster.switchover(leader)
      await leader.kill()
      return cluster.anotherThan(leader)
    },
    remove: cluster.remove,
  }
}

/** @param {Setup} setup @param {Fault} fault */
async function failover({ url, primary, fail }, fault) {
  await prepare(await primary(), ORDERS)
  const server = await serverOn(url, '')
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
  await fail(fault)
  await sleep(2 * CALM_MS)
  isOver = true
  await Promise.all(load)
  const { rows } = await inSession(await primary(), (session) =>
    session.query("SELECT id::integer FROM store_orders.orders WHERE status = 'cancelled'"),
  )
  const kept = new Set(rows.map(({ id }) => id))
  for (const id of cancelled) assert.ok(kept.has(id), `the cancellation of ${id} is lost`)
  await server.stop()
  return { ...result, cancelled: cancelled.length }
}
