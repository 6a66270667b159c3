import dns from 'node:dns'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import pg from 'pg'
import t, { type Test } from 'tap'
import { freePort } from 'test-kit/ports'
import { BLOCK_SIZE } from '../../../store/page.ts'
import { asAdmin } from '../../../store/postgres/admin.ts'
import { oneByOne } from '../../../store/postgres/cancellations.ts'
import { openConnections, release } from '../../../store/postgres/connections.ts'
import { withDeadline } from '../../../store/postgres/deadline.ts'
import { migrate } from '../../../store/postgres/migrate.ts'
import { beginLong, commit } from '../../../store/postgres/queries.ts'
import { sessionSettings } from '../../../store/postgres/session-start.ts'
import { openSessions, type Session, type Sessions } from '../../../store/postgres/sessions.ts'
import { volatile } from '../../postgres/cluster.js'
import { as, database, lockWaits, scramRole, sessionOf, sessionOn } from '../../postgres/database.ts'
import * as orders from '../../postgres/orders.ts'
import { proxyTo, through } from '../../postgres/proxy.ts'
import { countIn, listOf } from '../list.ts'

const { clusterOf, connectionTo, insert, json, migratedCluster, openAt, sessionsAt } = orders
const { shop, shopBehindProxy, storeAt, TIMEOUT_MS } = orders

t.test('the limits of the store override those of the role', async (t) => {
  const { db, store } = await shop(t, 40 * BLOCK_SIZE)
  for (const limit of ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'])
    await db.query(`ALTER DATABASE ${db.name} SET ${limit} = '1ms'`)
  await db.query(`ALTER DATABASE ${db.name} SET default_transaction_isolation = 'repeatable read'`)
  t.equal(countIn(await store.list()), 40 * BLOCK_SIZE)
  t.equal(await store.cancel(1n), 'cancelled')
})

t.test('no time limit of a role ends a transaction of a server or a command', async (t) => {
  const db = await database(t)
  const limit = "name IN ('transaction_timeout', 'idle_session_timeout')" // the former since PostgreSQL 17
  await db.query(`DO $$ DECLARE limits text; BEGIN
    FOR limits IN SELECT name FROM pg_settings WHERE ${limit} LOOP
      EXECUTE format('ALTER DATABASE ${db.name} SET %I = ''1min''', limits);
    END LOOP; END $$`)
  const limits = { text: `SELECT name, reset_val FROM pg_settings WHERE ${limit} AND setting <> '0'` }
  t.strictSame(await sessionsAt(t, db.url).run(({ query }) => query(limits)), [])
  t.strictSame(await asAdmin(connectionTo(db.url), ({ query }) => query(limits)), [])
})

for (const pooler of ['08P01', '0A000', 'drops'] as const) {
  t.test(`a pooler that passes no settings (${pooler}) does not change those of sessions`, async (t) => {
    const db = await database(t)
    const { port } = await proxyTo(t, db.port, { pooler })
    const url = through(db, port)
    await db.query(`ALTER DATABASE ${db.name} SET default_transaction_isolation = 'repeatable read'`)
    await migrate(connectionTo(url))
    await db.query(insert, [1, 3])
    const store = storeAt(t, url)
    t.equal(await store.cancel(2n), 'cancelled')
    t.equal(await listOf(store), json(1, 3))

    const text = `SELECT array_agg(setting ORDER BY name) AS settings FROM pg_settings WHERE name IN ('work_mem', 'jit',
      'lock_timeout', 'row_security', 'default_transaction_isolation', 'search_path', 'statement_timeout')`
    const sessions = sessionsAt(t, `${url}&options=-c%20work_mem%3D4242kB`)
    const settings = ['read committed', 'off', `${TIMEOUT_MS / 5}`, 'off', 'pg_catalog', `${TIMEOUT_MS}`, '4242']
    t.strictSame(await sessions.run(({ query }) => query({ text })), [{ settings }])
  })
}

t.test('a setting that PostgreSQL does not know, or whose value is wrong, is named', async (t) => {
  const { db } = await shop(t)
  const { port } = await proxyTo(t, db.port, { pooler: 'drops' })
  const cases = [
    ['statment_timeout%3D5', 'unrecognized configuration parameter "statment_timeout"'],
    ['work_mem%3Dmuch', 'invalid value for parameter "work_mem": "much"'],
  ] as const
  for (const [option, message] of cases) {
    for (const at of [db.port, port]) {
      const url = `${through(db, at)}&options=-c%20${option}`
      const cause = { message: `127.0.0.1:${at}: ${message}. Correct the options in DATABASE_URL or PGOPTIONS` }
      await t.rejects(migrate(connectionTo(url)), cause)
      const running = sessionsAt(t, url).run(({ query }) => query({ text: 'SELECT' }))
      await t.rejects(running, { cause })
    }
  }
})

t.test('options of other forms reach the server, or a proxy that knows them', async (t) => {
  const { db } = await shop(t)
  const message = /: invalid command-line argument for server process: endpoint=blue\. Correct the options /
  await t.rejects(migrate(connectionTo(`${db.url}&options=endpoint%3Dblue`)), { message })
})

t.test('a connection that is cut while it is prepared is replaced', async (t) => {
  const { proxy, store } = await shopBehindProxy(t)
  proxy.cutAnswer((answer) => answer.includes('completed'))
  t.equal(await listOf(store), '[]')
  t.equal(proxy.connections(), 2)
})

t.test('a password may have as many iterations as PostgreSQL allows in practice', async (t) => {
  const { db } = await shop(t)
  await scramRole(db)
  // Without effect before PostgreSQL 16. Other tests log in with the same password.
  await db.query(
    "SELECT set_config('scram_iterations', '150000', false) FROM pg_settings WHERE name = 'scram_iterations'",
  )
  await db.query("ALTER ROLE scram PASSWORD 'right'")
  const sessions = sessionsAt(t, as(db.url, 'scram:right'))
  t.strictSame(await sessions.run(({ query }) => query({ text: 'SELECT 1 AS one' })), [{ one: 1 }])
})

t.test('cancellations run in READ COMMITTED, whatever the level of the session is', async (t) => {
  const { db } = await shop(t, 1)
  const client = await sessionOn(t, db.url)
  await client.query("SET default_transaction_isolation = 'repeatable read'")
  const canceller = oneByOne({ run: (task) => task(sessionOf(client), 'unused') } as Partial<Sessions> as Sessions)
  const cancel = (request: string) => canceller.cancel({ orderId: 1n, request, deadline: Number.POSITIVE_INFINITY })
  await db.query('BEGIN; ALTER TABLE store_orders.orders ADD COLUMN note uuid DEFAULT gen_random_uuid()')
  const waiting = cancel('00000000-0000-4000-8000-000000000001')
  await lockWaits(t, db.url, 1)
  await db.query('COMMIT')
  t.equal(await waiting, 'cancelled')
  t.equal(await cancel('00000000-0000-4000-8000-000000000002'), 'already_cancelled')
})

t.test('the next host is tried at once, and all of them until the deadline', async (t) => {
  const { db } = await shop(t)
  const store = storeAt(t, db.url.replace(/@([^/]*)/, '@127.0.0.1:1,$1'))
  t.equal(await store.cancel(1n), 'not_found')
  const unreachable = storeAt(t, db.url.replace(/@([^/]*)/, '@127.0.0.1:1,127.0.0.1:1'), { timeout: 100 })
  await t.rejects(unreachable.ping(), { name: 'StoreUnavailableError' })
})

t.test('a session whose state is lost is replaced, and so are the others', async (t) => {
  const { db } = await shop(t)
  const sessions = sessionsAt(t, db.url, { poolSize: 4 })
  const named = { name: 'named', text: 'SELECT 1 AS one' }
  const lose = async ({ query }: Session) => {
    await query(named)
    await query({ text: 'SELECT pg_sleep(0.05)' }) // the sessions are in use at once
    await query({ text: 'DEALLOCATE ALL' }) // as a pooler that gives the statements to another server
  }
  await Promise.all(Array.from({ length: 4 }, () => sessions.run(lose)))
  for (let request = 0; request < 6; request++)
    t.strictSame(await sessions.run(({ query }) => query(named)), [{ one: 1 }])
  t.equal(sessions.connections().idle, 1)
  const raising = sessions.run(({ query }) => query({ text: "DO $$ BEGIN RAISE SQLSTATE '0A000'; END $$" }))
  await t.rejects(raising, { cause: { code: '0A000' } }, 'once on a new session, no more')
})

t.test('a rejected statement keeps its connection, an open transaction does not', async (t) => {
  const { db, proxy, store } = await shopBehindProxy(t, 50)
  await db.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
    CREATE TRIGGER refuses BEFORE UPDATE ON store_orders.orders FOR EACH ROW EXECUTE FUNCTION refuse()`)
  for (let id = 1n; id <= 50n; id++) await t.rejects(store.cancel(id), { name: 'StoreUnavailableError' })
  t.ok(proxy.connections() <= 5)

  const sessions = sessionsAt(t, db.url, { poolSize: 1 })
  const failing = sessions.run(async ({ query }) => {
    await query({ text: 'BEGIN' })
    await query({ text: 'SELECT 1 / 0' })
  })
  await t.rejects(failing, { cause: { code: '22012' } })
  t.strictSame(await sessions.run(({ query }) => query({ text: 'SELECT 1 AS one' })), [{ one: 1 }])
})

t.test('servers may change their roles for a while', async (t) => {
  const { db } = await shop(t, 1)
  await db.query(`ALTER DATABASE ${db.name} SET default_transaction_read_only = on`)
  const store = await openAt(db.url, 500)
  t.teardown(() => store.close())
  await t.rejects(store.hasPet(1n), {
    message: 'PostgreSQL cannot be used',
    cause: { message: `127.0.0.1:${db.port} accepts no writes: default_transaction_read_only is on` },
  })
  const cancelling = storeAt(t, db.url).cancel(1n)
  await db.query(`SET transaction_read_only = off; ALTER DATABASE ${db.name} SET default_transaction_read_only = off`)
  t.equal(await cancelling, 'cancelled')
})

t.test('a name with several addresses is tried on each', async (t) => {
  const { cluster } = await migratedCluster(t, volatile)
  const { cluster: other } = await clusterOf(t, [...volatile, 'default_transaction_read_only=on'])
  const port = await freePort()
  for (const [address, { port: to }] of Object.entries({ '127.0.0.2': other, '127.0.0.1': cluster })) {
    const server = createServer((client) => {
      const upstream = connect(to, '127.0.0.1')
      client.pipe(upstream).pipe(client)
      for (const socket of [client, upstream])
        socket.on('error', () => {}).on('close', () => [client, upstream].map((each) => each.destroy()))
    })
    await once(server.listen(port, address), 'listening')
    t.teardown(() => server.close())
  }
  const { lookup } = dns
  t.teardown(() => Object.assign(dns, { lookup }))
  const addresses = ['127.0.0.2', '127.0.0.1'].map((address) => ({ address, family: 4 }))
  const fake = (_name: string, _options: object, done: (error: null, found: object) => void) => done(null, addresses)
  Object.assign(dns, { lookup: fake })
  const url = `postgres://postgres@cluster.test:${port}/postgres?sslmode=disable`
  t.equal(await storeAt(t, url).cancel(1n), 'not_found')
  t.strictSame(await migrate(connectionTo(url)), [])
})

t.test('an idle connection to another address of a name is replaced', async (t) => {
  const { url } = await database(t)
  const { connect, rotate, close } = openConnections({
    connection: connectionTo(url),
    poolSize: 1,
    timeout: TIMEOUT_MS,
  })
  t.teardown(close)
  const first = await connect()
  release(first)
  t.equal(await connect(), first)
  release(first)
  rotate()
  const next = await connect()
  t.not(next, first)
  release(next)
})

t.test('each time limit of the newest PostgreSQL is decided on', async (t) => {
  const { query } = await database(t)
  const limits = "SELECT name FROM pg_settings WHERE name LIKE '%timeout' AND context IN ('user', 'superuser')"
  const rows = await query<{ name: string }>(limits)
  const untouched = new Set([
    'deadlock_timeout', // when PostgreSQL looks for a deadlock
    'tcp_user_timeout', // of the network
    'wal_sender_timeout', // of replication
  ])
  const settings = sessionSettings(1, '')
  for (const { name } of rows) t.ok(name in settings || untouched.has(name), name)
})

t.test('a long task may outlast its deadline, any other may not', async (t) => {
  const sessions = sessionsAt(t, (await database(t)).url)
  const run = (isLong: boolean) => {
    const deadline = performance.now() + 50
    const late = async ({ query }: Session) => {
      await withDeadline(deadline, new Promise(() => {})).catch(() => {})
      return query({ text: "SELECT 'late' AS came FROM pg_sleep(0.05)" })
    }
    return sessions.run(late, { isLong, deadline })
  }
  t.strictSame(await run(true), [{ came: 'late' }])
  await t.rejects(run(false), { name: 'StoreUnavailableError' })
})

t.test('a task in the background has a limit of its own, and reports nothing', async (t) => {
  const db = await database(t)
  const lines: string[] = []
  const sessions = sessionsAt(t, db.url, { timeout: 1000 }, (_level, message) => lines.push(message))
  const count = async ({ query }: Session) => {
    await query(beginLong(TIMEOUT_MS))
    const rows = await query({ text: "SELECT 'late' AS came FROM pg_sleep(1.1)" })
    await query(commit)
    return rows
  }
  t.strictSame(await sessions.background(count, TIMEOUT_MS), [{ came: 'late' }])
  const tooLong = ({ query }: Session) => query({ text: 'SELECT pg_sleep(5)' })
  for (const _connection of [1, 2]) await t.rejects(sessions.background(tooLong, 10))
  t.strictSame(await sessions.run(({ query }) => query({ text: 'SELECT 1 AS one' })), [{ one: 1 }])
  t.strictSame(lines, [])
})

t.test('functions of schemas earlier in the search path are not called', async (t) => {
  const { db, store } = await shop(t, 3)
  await db.query(`CREATE SCHEMA evil;
    CREATE AGGREGATE evil.count(*) (sfunc = int8dec, stype = bigint, initcond = 0);
    CREATE AGGREGATE evil.count(bigint) (sfunc = int8pl, stype = bigint, initcond = 0);
    ALTER DATABASE ${db.name} SET search_path = evil, pg_catalog`)
  t.equal(countIn(await store.list()), 3)
  await Promise.all([store.cancel(1n), store.cancel(2n)])
  t.equal(countIn(await store.list()), 1)
  t.match(await store.countByStatus(), { cancelled: 2 })
})

t.test('statements are not prepared where sessions share the names, as in PGlite', async (t) => {
  const sessions = sessionsAt(t, (await database(t)).url, { poolSize: 1 })
  const rows = await sessions.run(async ({ query }) => {
    await query({ text: 'PREPARE taken AS SELECT 1' }) // by another session
    return query({ name: 'taken', text: 'SELECT 2 AS number' })
  })
  t.strictSame(rows, [{ number: 2 }])
})

t.test('sessions that are closed, or about to be, try nothing again', async (t) => {
  const connection = connectionTo(`postgres://user@127.0.0.1:${await freePort()}/db`)
  for (const end of ['stopRetries', 'close'] as const) {
    const sessions = openSessions({ connection, poolSize: 1, timeout: 3_600_000 })
    const running = sessions.run(async () => {})
    const others = Array.from({ length: 64 }, () => sessions.run(async () => {}))
    const another = sessions.run(async () => {})
    await t.rejects(another, { message: 'every connection to PostgreSQL is busy' }, 'in the queue')
    t.equal(sessions.connections().waiting, 64)
    const ended = [running, ...others].map((each) => t.rejects(each, { name: 'StoreUnavailableError' }))
    await Promise.all([...ended, sessions[end]()])
    if (end === 'stopRetries') await sessions.close()
  }
})

t.test('a pool tries each host within the time of a request, and closes what is idle for half a minute', async (t) => {
  const made: pg.PoolConfig[] = []
  class NotedPool extends pg.Pool {
    constructor(options: pg.PoolConfig) {
      super(options)
      made.push(options)
    }
  }
  t.intercept(pg, 'Pool', { value: NotedPool })
  const connection = connectionTo('postgres://shop@a,b/orders?sslmode=disable')
  await openConnections({ connection, poolSize: 3, timeout: 1_000 }).close()
  t.match(made, [{ max: 3, connectionTimeoutMillis: 334, idleTimeoutMillis: 30_000 }])
})

/** The time limits of statements that begin so, as they are sent. */
function limitsOf(t: Test, begin: string) {
  const limits: unknown[] = []
  const { query } = pg.Client.prototype
  function noted(this: pg.Client, ...given: [{ text?: string; query_timeout?: number }]) {
    if (given[0].text?.startsWith(begin)) limits.push(given[0].query_timeout)
    return query.apply(this, given as never)
  }
  t.intercept(pg.Client.prototype, 'query', { value: noted as typeof query })
  return limits
}

t.test('a statement may take half the time of a request, leaving the rest for another attempt', async (t) => {
  const { url } = await database(t)
  const { run, attempt, background } = sessionsAt(t, url, { timeout: 20_001 })
  const limits = limitsOf(t, 'SELECT FROM')
  const task = ({ query }: Session) => query({ text: 'SELECT FROM pg_class LIMIT 0' })
  const deadline = performance.now() + 1e6
  await run(task, { isLong: true, deadline })
  await run(task, { deadline })
  await background(task, 30_000.5)
  t.strictSame(limits, [10_001, 10_001, 30_001])
  await attempt(task, performance.now() + 5_000)
  t.ok(Number(limits.at(-1)) <= 5_000, 'or what is left of it')
})

t.test('a command waits ten seconds for a connection, and for a pooler to have one', async (t) => {
  const connection = connectionTo((await database(t)).url)
  const limits = limitsOf(t, 'BEGIN')
  await asAdmin(connection, async ({ client }) => t.match(client, { _connectionTimeoutMillis: 10_000 }))
  await asAdmin(connection, async () => {}, { timeout: 3_000 })
  t.strictSame(limits, [10_000, 3_000])
})

t.test('a connection that gives up before the server does is closed', async (t) => {
  const db = await database(t)
  await scramRole(db)
  const ended = t.capture(pg.Client.prototype, 'end', pg.Client.prototype.end)
  const running = sessionsAt(t, as(db.url, 'scram')).run(async () => {})
  await t.rejects(running, { cause: { message: /asks for a password/ } })
  t.equal(ended().length, 1)
})
