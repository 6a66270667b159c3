// Chaos: three servers on one database under load, while servers and PostgreSQL fail. npm run test:chaos [-- SEED SECONDS]
import { execFile } from 'node:child_process'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { createCluster } from '../fixtures/postgres/cluster.js'
import { judge } from './judge.js'
import { client, ledger } from './load.js'
import { randomOf } from './random.js'
import { serverOn } from './servers.js'

const seed = Number(process.argv[2] ?? Date.now() % 1_000_000)
const seconds = Number(process.argv[3] ?? 25)
const random = randomOf(seed)
const [CLIENTS, FIRST_ORDERS] = [12, 3000]
console.log(`seed ${seed}, ${seconds} seconds`)

const replicated = ['synchronous_commit=on', 'synchronous_standby_names=standby', 'wal_level=replica']
const primary = await createCluster({ settings: ['fsync=on', ...replicated, 'max_connections=100'] })
await primary.start()
const setup = new pg.Client(primary.url())
await setup.connect()
const standby = await primary.standby((sql) => setup.query(sql))
await standby.start()
await promisify(execFile)(process.execPath, ['dist/cli.js', 'migrate'], { env: { DATABASE_URL: primary.url() } })
await setup.query('INSERT INTO store_orders.orders (id) SELECT generate_series(1, $1::int)', [FIRST_ORDERS])
await setup.end()

const url = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres?sslmode=disable`
const servers = await Promise.all([1, 2, 3].map(() => serverOn(url)))
const book = ledger()
let isOver = false
let newest = FIRST_ORDERS
const options = { origins: servers.map(({ origin }) => origin), newest: () => newest, book, isOver: () => isOver }
const load = [...Array.from({ length: CLIENTS }, (_, index) => client({ ...options, seed: seed + index })), writer()]

/** Another service: it inserts and ships with plain SQL, and takes what failed for not done, or done. */
async function writer() {
  const from = randomOf(seed + 1000)
  while (!isOver) {
    await atPrimary(async (session) => {
      await session.query('INSERT INTO store_orders.orders (id) VALUES ($1) ON CONFLICT (id) DO NOTHING', [newest + 1])
      newest++
      const id = 1 + from.below(newest)
      await session.query("UPDATE store_orders.orders SET status = 'shipped' WHERE id = $1 AND status = 'pending'", [
        id,
      ])
    }).catch(() => {})
    await sleep(5)
  }
}

let current = primary
/** @param {(session: pg.Client) => Promise<unknown>} work */
async function atPrimary(work) {
  const session = new pg.Client({ connectionString: current.url(), connectionTimeoutMillis: 1000, query_timeout: 2000 })
  session.on('error', () => {})
  try {
    await session.connect()
    return await work(session)
  } finally {
    session.end().catch(() => {})
  }
}

/** @type {[name: string, fault: () => Promise<unknown>][]} */
const faults = [
  [
    'a server is killed and started again',
    async () => {
      const server = /** @type {(typeof servers)[number]} */ (servers[random.below(servers.length)])
      await server.stop('SIGKILL')
      await server.start()
    },
  ],
  [
    'a backend is stopped for a while',
    async () => {
      const found = /** @type {pg.QueryResult} */ (
        await atPrimary((session) =>
          session.query("SELECT pid FROM pg_stat_activity WHERE application_name = 'store-orders'"),
        )
      )
      const pid = found.rows[random.below(Math.max(1, found.rows.length))]?.pid
      if (!pid) return
      process.kill(pid, 'SIGSTOP')
      await sleep(4000)
      process.kill(pid, 'SIGCONT')
    },
  ],
  [
    'PostgreSQL is restarted in immediate mode',
    async () => {
      await current.stop('immediate')
      await current.start()
    },
  ],
  [
    'a backend is killed, which makes PostgreSQL recover',
    async () => {
      const found = /** @type {pg.QueryResult} */ (
        await atPrimary((session) =>
          session.query("SELECT pid FROM pg_stat_activity WHERE application_name = 'store-orders'"),
        )
      )
      const pid = found.rows[0]?.pid
      if (pid) process.kill(pid, 'SIGKILL')
    },
  ],
]

let failure
try {
  const end = Date.now() + seconds * 1000
  for (let turn = 0; turn < faults.length || Date.now() < end - 6000; turn++) {
    await sleep(500 + random.below(1000))
    const [name, fault] = /** @type {(typeof faults)[number]} */ (
      faults[turn < faults.length ? turn : random.below(faults.length)]
    )
    console.log(name)
    await fault().catch((error) => console.log(`  (${error.message})`))
  }
  await sleep(1500) // the standby catches up, so that it is synchronous when the primary dies
  console.log('the standby is promoted')
  await primary.stop('immediate')
  current = standby
  await standbyPromoted()
  await sleep(3000)
} catch (error) {
  failure = error
}

async function standbyPromoted() {
  await atPrimary(async (session) => {
    await session.query("ALTER SYSTEM SET synchronous_standby_names = ''")
    await session.query('SELECT pg_promote(true, 30), pg_reload_conf()')
  })
}

isOver = true
await Promise.all(load)
const rows = /** @type {pg.QueryResult} */ (
  await atPrimary((session) => session.query('SELECT id, status FROM store_orders.orders'))
).rows
await Promise.all(servers.map((server) => server.stop()))
await Promise.all([primary.remove(), standby.remove()])
const wrong = failure ? [String(failure)] : judge(book, rows)
const won = [...book.orders.values()].filter((record) => record.won > 0).length
const { lists, cancels, faults: faulty, longest } = book.counts
console.log(
  `${lists} lists, ${cancels} cancels, ${won} orders cancelled, ${faulty} answered with 503 or cut off, longest ${(longest / 1000).toFixed(1)} s`,
)
for (const line of wrong.slice(0, 20)) console.log(`WRONG: ${line}`)
if (won === 0 || lists === 0) wrong.push('nothing was tried')
console.log(
  wrong.length === 0 ? 'All answers agree with the database.' : `${wrong.length} contradictions, seed ${seed}`,
)
process.exit(wrong.length === 0 ? 0 : 1)
