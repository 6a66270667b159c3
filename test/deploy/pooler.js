// Behind a real PgBouncer in transaction mode: commands leave the sessions of others as they were, and two servers keep
// working while another client discards what they have prepared. PGBOUNCER=/path, where it is not in PATH.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import pg from 'pg'
import { KEY, serverOn } from '../chaos/servers.js'
import { eventually } from '../chaos/sessions.js'
import { createCluster, volatile } from '../postgres/cluster.js'
import { startPgbouncer } from '../postgres/pgbouncer.js'

const cluster = await createCluster({ settings: [...volatile, 'lock_timeout=1min'] })
await cluster.start()
const folder = mkdtempSync(join(tmpdir(), 'store-orders-pooler-'))
const { url, version, keepsStatements, stop } = await startPgbouncer(cluster.port)
console.log(version)
/** @type {Awaited<ReturnType<typeof serverOn>>[]} */
const servers = []
try {
  await eventually('PgBouncer responds', () => inPool((session) => session.query('SELECT 1')))
  await commandsLeaveSessionsAlone()
  if (keepsStatements) await serversKeepWorking()
  else console.log('Servers need PgBouncer 1.21 in transaction mode: they were not tried.')
} finally {
  await Promise.all(servers.map((server) => server.stop()))
  stop()
  await cluster.remove()
  rmSync(folder, { recursive: true, force: true })
}

/** @template T @param {(session: pg.Client) => Promise<T>} work */
async function inPool(work) {
  const session = new pg.Client({ connectionString: url, query_timeout: 10_000 })
  try {
    await session.connect()
    return await work(session)
  } finally {
    await session.end().catch(() => {})
  }
}

/** What the next client of the session finds. */
async function sessionState() {
  const text = `SELECT name, setting FROM pg_settings WHERE context IN ('user', 'superuser') AND name <> 'application_name' AND name NOT LIKE '%.%'
    UNION ALL SELECT 'prepared', count(*)::text FROM pg_prepared_statements
    UNION ALL SELECT 'session', pg_backend_pid()::text ORDER BY 1`
  return inPool(async (session) => (await session.query(text)).rows)
}

async function commandsLeaveSessionsAlone() {
  await inPool((session) => session.query('CREATE TABLE customers (id integer)'))
  const orders = join(folder, 'orders.ndjson')
  writeFileSync(orders, '{"id":1}\n{"id":2}\n{"id":3}\n')
  const env = { PATH: process.env.PATH, DATABASE_URL: url, API_KEYS: `pooler:${'k'.repeat(32)}` }
  const before = await sessionState()
  for (const args of [
    ['migrate'],
    ['migrate', '--check'],
    ['migrate', '--grant', 'postgres'],
    ['import', orders],
    ['import', '--replace', orders],
    ['export', join(folder, 'exported.ndjson')],
    ['check'],
  ]) {
    const { stderr } = await promisify(execFile)(process.execPath, ['dist/cli/index.js', ...args], { env })
    assert.deepEqual(await sessionState(), before, args.join(' '))
    if (args[0] === 'check') await cureOf(stderr)
    await inPool((session) => session.query('SELECT count(*) FROM customers'))
    console.log(`store-orders ${args.slice(0, 2).join(' ')} leaves the session as it was`)
  }
}

/** Does what the line of `check` says. @param {string} stderr */
async function cureOf(stderr) {
  assert.match(stderr, /transaction pooling.*Notifications of domains are not delivered/)
  const sql = /ALTER ROLE .*;/.exec(stderr)?.[0] ?? ''
  assert.match(sql, /SET jit = off; .* SET lock_timeout = 0;/, 'the limits of the role, too')
  await inPool((session) => session.query(`BEGIN; ${sql} ROLLBACK`))
}

async function serversKeepWorking() {
  servers.push(await serverOn(url), await serverOn(url))
  const headers = { authorization: `Bearer ${KEY}` }
  const seen = new Set()
  for (let id = 1; id <= 30; id++) {
    await inPool((session) => session.query(`INSERT INTO store_orders.orders (id) VALUES (${1000 + id})`))
    await inPool((session) => session.query('DEALLOCATE ALL')) // prepared statements of the servers, as a failover does
    for (const { origin } of servers) {
      const list = await fetch(`${origin}/store/orders`, { headers })
      seen.add(list.status)
      assert.match(await list.text(), new RegExp(`"id":${1000 + id}\\b`))
    }
    const { origin } = /** @type {(typeof servers)[number]} */ (servers[id % 2])
    const cancelled = await fetch(`${origin}/store/orders/${1000 + id}`, { method: 'DELETE', headers })
    seen.add(cancelled.status)
  }
  assert.deepEqual([...seen].sort(), [200, 204])
  console.log('Two servers list and cancel, whatever another client deallocates.')
}
