// Behind a real PgBouncer in transaction mode. PGBOUNCER=/path, where it is not in PATH.
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import pg from 'pg'
import t from 'tap'
import { startDaemon } from 'test-kit/daemon'
import { freePort } from 'test-kit/ports'
import { responds } from 'test-kit/until'
import { runCommand } from '../cli/command.ts'
import { API_KEYS, headers, startServer } from '../fixtures/process.ts'
import { volatile } from '../postgres/cluster.js'
import { clusterOf } from '../postgres/orders.ts'

const { env } = process
const { PGBOUNCER = 'pgbouncer' } = env
const version = /PgBouncer (\d+)\.(\d+)/.exec(spawnSync(PGBOUNCER, ['--version'], { encoding: 'utf8' }).stdout)
if (!version) throw new Error(`${PGBOUNCER} is missing: apt-get install pgbouncer, or set PGBOUNCER`)
t.comment(version[0])
/** Before 1.21, it loses prepared statements in transaction mode. */
const keepsStatements = Number(version[1]) > 1 || Number(version[2]) >= 21
const { cluster } = await clusterOf(t, [...volatile, 'lock_timeout=1min'])
const port = await freePort()
const url = `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`
const cwd = t.testdir({
  'pgbouncer.ini': `[databases]
* = host=127.0.0.1 port=${cluster.port} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 100
default_pool_size = 1
ignore_startup_parameters = options
${keepsStatements ? 'max_prepared_statements = 100' : ''}
`,
})
const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
await startDaemon(t, [PGBOUNCER, ...user, 'pgbouncer.ini'], { cwd, isReady: () => responds(inPool('SELECT 1')) })

async function inPool(sql: string): Promise<object[]> {
  const session = new pg.Client({ connectionString: url, query_timeout: 10_000 })
  try {
    await session.connect()
    return (await session.query(sql)).rows
  } finally {
    await session.end().catch(() => {})
  }
}

/** What the next client of the session finds. */
const sessionState = `
  SELECT name, setting FROM pg_settings WHERE context IN ('user', 'superuser') AND name <> 'application_name' AND name NOT LIKE '%.%'
  UNION ALL SELECT 'prepared', count(*)::text FROM pg_prepared_statements
  UNION ALL SELECT 'session', pg_backend_pid()::text ORDER BY 1`

t.test('commands leave the sessions of others as they were', async (t) => {
  await inPool('CREATE TABLE customers (id integer)')
  const folder = t.testdir({ 'orders.ndjson': '{"id":1}\n{"id":2}\n{"id":3}\n' })
  const before = await inPool(sessionState)
  let warnings = ''
  for (const command of [
    'migrate',
    'migrate --check',
    'migrate --grant postgres',
    `import ${folder}/orders.ndjson`,
    `import --replace ${folder}/orders.ndjson`,
    `export ${folder}/exported.ndjson`,
    'check',
  ]) {
    const env = { DATABASE_URL: url, API_KEYS: `pooler:${'k'.repeat(32)}` }
    const { code, stderr } = await runCommand(command.split(' '), env)
    t.equal(code, 0, stderr)
    t.strictSame(await inPool(sessionState), before, command)
    await inPool('SELECT count(*) FROM customers')
    warnings = stderr
  }
  t.match(warnings, /transaction pooling.*Notifications of domains are not delivered/)
  const [cure] = /ALTER ROLE .*;/.exec(warnings) ?? []
  t.match(cure, /SET jit = off; .* SET lock_timeout = 0;/, 'the limits of the role, too')
  await inPool(`BEGIN; ${cure} ROLLBACK`)
})

const skip = !keepsStatements && 'servers need PgBouncer 1.21 in transaction mode'
t.test('two servers list and cancel, whatever another client deallocates', { skip }, async (t) => {
  const servers = [1, 2].map(() => startServer(t, { API_KEYS, DATABASE_URL: url }))
  const origins = await Promise.all(servers.map(({ origin }) => origin))
  for (let id = 1001; id <= 1030; id++) {
    await inPool(`INSERT INTO store_orders.orders (id) VALUES (${id})`)
    await inPool('DEALLOCATE ALL') // prepared statements of the servers, as a failover does
    const lists = origins.map((origin) => `${origin}/v1/store/orders`)
    for (const list of lists) {
      const response = await fetch(list, { headers })
      t.equal(response.status, 200)
      t.match(await response.text(), new RegExp(`"id":${id}\\b`))
    }
    t.equal((await fetch(`${lists[id % 2]}/${id}`, { method: 'DELETE', headers })).status, 204)
  }
})
