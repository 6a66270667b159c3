import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { until } from 'test-kit/until'
import { digestOf } from '../../config/keys/key.ts'
import { domainTables } from '../../domains/postgres/tables.ts'
import { migrate } from '../../store/postgres/migrate.ts'
import { domainsEnv } from '../domains/environment.js'
import { as, database, roleIn } from '../postgres/database.ts'
import { hostileServer, login } from '../postgres/hostile-server.ts'
import { connectionTo } from '../postgres/orders.ts'
import { ownerActions } from '../store/postgres/owner-actions.ts'
import { runCommand } from './command.ts'

const check = (env: Record<string, string>, ...args: string[]) => runCommand(['check', ...args], env)
const others = [domainTables]
const API_KEYS = 'tests:a-key-of-the-tests'
const fine = { code: 0, stdout: 'The server can start.\n', stderr: '' }
const fails = async (t: Test, env: Record<string, string>, stderr: RegExp | string) =>
  t.match(await check(env), { code: 1, stdout: '', stderr })

t.test('a configuration without problems passes, and nothing is written', async (t) => {
  const dir = t.testdir({ keys: `shop sha256:${digestOf('a')}`, 'orders.ndjson': '{"id":1}' })
  const env = { API_KEYS_FILE: `${dir}/keys`, ORDERS_FILE: `${dir}/orders.ndjson`, NODE_ENV: 'production' }
  t.strictSame(await check(env), fine)
  t.strictSame(await check({}), fine)
  t.strictSame(await check({ METRICS_HOST: '127.0.0.2', METRICS_PORT: '3000' }), fine, 'one port at two addresses')
  const domains = { ...domainsEnv, DATA_DIR: `${dir}/a/b`, DASHBOARD_KEYS: `a:${'b'.repeat(32)}` }
  t.strictSame(await check({ ...env, ...domains }), fine)
  t.strictSame((await readdir(dir)).sort(), ['keys', 'orders.ndjson'])
})

t.test('a misspelled variable, an orders file without orders and expired keys are warnings', async (t) => {
  const misspelled = 'warning: API_KEY has no effect; did you mean API_KEYS?\n'
  t.strictSame(await check({ API_KEY: 'x' }), { ...fine, stderr: misspelled })
  const file = `${t.testdir({ 'orders.json': '[]' })}/orders.json`
  t.strictSame(await check({ ORDERS_FILE: file }), { ...fine, stderr: `warning: 0 orders in ${file}\n` })
  const keys = `old sha256:${digestOf('a')} expires=2026-01-31`
  const expired = await check({ API_KEYS_FILE: `${t.testdir({ keys })}/keys` })
  t.match(expired, { ...fine, stderr: /^warning: .* 401: old\n$/ })
})

t.test('addresses of other machines are problems', async (t) => {
  const env = { HOST: '203.0.113.9', METRICS_HOST: '203.0.113.9', METRICS_PORT: '0' }
  const advice = '.*EADDRNOTAVAIL.* It must be an address of this machine\\.'
  for (const variable of ['HOST', 'METRICS_HOST'])
    await fails(t, env, new RegExp(`^store-orders: ${variable}: ${advice}$`, 'm'))
})

t.test('a note says which headers are believed from whom', async (t) => {
  const note =
    'X-Forwarded-For, X-Forwarded-Host, X-Forwarded-Proto, X-Forwarded-Prefix are believed from 10.0.0.1, fd00::/8: these proxies must set or remove each'
  const env = { TRUST_PROXY: '10.0.0.1,fd00::/8' }
  t.strictSame(await check(env), { ...fine, stderr: `note: ${note}\n` })
  t.match(JSON.parse((await check(env, '--json')).stdout), { ok: true, notes: [note] })
})

t.test('every problem is printed on a line of its own, or as JSON', async (t) => {
  const dir = t.testdir({ keys: 'shop abc\nother abc', 'orders.ndjson': '{"id":1}\n{"id":"x"}\n' })
  const env = {
    ...domainsEnv,
    NODE_ENV: 'production',
    API_KEYS_FILE: `${dir}/keys`,
    ORDERS_FILE: `${dir}/orders.ndjson`,
    DATA_DIR: `${dir}/keys/below-a-file`,
    PORT: '8080',
    METRICS_PORT: '8080',
    HTTP_PORT: '8080',
  }
  const { code, stdout, stderr } = await check(env)
  t.strictSame([code, stdout], [1, ''])
  const expected = [
    /^PORT and METRICS_PORT are both 8080$/,
    /^PORT and HTTP_PORT are both 8080$/,
    /^METRICS_PORT and HTTP_PORT are both 8080$/,
    /keys, line 1: must be /,
    /keys, line 2: must be /,
    /^NODE_ENV is production and there is no key: set DASHBOARD_KEYS$/,
    /orders\.ndjson/,
    /line 2/,
  ]
  const problems = stderr.replaceAll('store-orders: ', '').trimEnd().split('\n')
  t.match(problems, expected)
  const json = await check(env, '--json')
  t.equal(json.code, 1)
  t.strictSame(JSON.parse(json.stdout).problems, problems)
  await fails(t, { PORT: 'x', API_KEYS: '!' }, /^store-orders: PORT .*\nstore-orders: API_KEYS /)
  await fails(t, { NODE_ENV: 'production' }, /there is no key: set API_KEYS or API_KEYS_FILE/)
  for (const HOST of ['::', '0.0.0.0'])
    await fails(t, { HOST, METRICS_PORT: '3000' }, /^store-orders: PORT and METRICS_PORT are both 3000$/m)
  const DASHBOARD_KEYS = ['b', 'c'].map((letter) => `a:${letter.repeat(32)}`).join()
  const twice = { API_KEYS, ...domainsEnv, DATA_DIR: t.testdir(), DASHBOARD_KEYS }
  await fails(t, twice, 'store-orders: DASHBOARD_KEYS: a: the name a is used twice\n')
  const result = { ok: true, problems: [], warnings: [], notes: [] }
  t.strictSame(JSON.parse((await check({ API_KEYS }, '--json')).stdout), result)
})

t.test('damaged files of custom domains are reported', async (t) => {
  const dir = t.testdir({ file: '' })
  const env = { ...domainsEnv, API_KEYS, DATA_DIR: dir }
  const unwritable = /^store-orders: DATA_DIR cannot be written: .*below \(ENOTDIR\)$/m
  await fails(t, { ...env, DATA_DIR: `${dir}/file/below` }, unwritable)
  await writeFile(`${dir}/batch.json`, '{')
  await fails(t, env, /batch\.json cannot be used: /)
  await rm(`${dir}/batch.json`)
  await mkdir(`${dir}/records/domain/00`, { recursive: true })
  await writeFile(`${dir}/records/domain/00/docs.shop.test.json`, '{"name":')
  await fails(t, env, /: the domain docs\.shop\.test is damaged: /)
  await mkdir(`${dir}/domains.json`)
  await fails(t, env, /EISDIR/)
})

t.test('the database is checked: its schema, privileges and the keys of the domains', async (t) => {
  const db = await database(t)
  const { url, query } = db
  const env = { API_KEYS, DATABASE_URL: url }
  const missing = { code: 1, stdout: '', stderr: 'store-orders: there is no schema yet. Run: store-orders migrate\n' }
  t.strictSame(await check(env), missing)
  t.strictSame(await check(env, '--offline'), fine)
  await migrate(connectionTo(url), { others })
  t.strictSame(await check(env), fine)

  const role = await roleIn(t, db, 'checked')
  await query(`GRANT USAGE ON SCHEMA store_orders TO ${role}; GRANT SELECT ON store_orders.migrations TO ${role}`)
  const asRole = { ...env, DATABASE_URL: as(url, role) }
  await fails(t, asRole, /the role lacks .*SELECT on store_orders\.orders.*migrate --grant ROLE/)
  await migrate(connectionTo(url), { others, grant: role })
  t.strictSame(await check(asRole), fine)

  const shared = { ...env, ...domainsEnv, DOMAINS_ENCRYPTION_KEYS: randomBytes(32).toString('hex') }
  t.strictSame(await check(shared), fine)
  const ofOrders = await roleIn(t, db, 'orders_alone')
  await migrate(connectionTo(url), { grant: ofOrders })
  await fails(t, { ...shared, DATABASE_URL: as(url, ofOrders) }, /lacks .*store_orders\.domain_/)
  await query("INSERT INTO store_orders.domain_secrets (kind, name, value) VALUES ('account', 'a', '\\x0102030405')")
  await fails(t, shared, /account a is encrypted with a key that is not in DOMAINS_ENCRYPTION_KEYS/)
  t.strictSame(await check(shared, '--offline'), fine)
})

t.test('a pooler without a free connection does not hold up the check', async (t) => {
  const { url } = await hostileServer(t, [login.none])
  const late = /^store-orders: 127\.0\.0\.1:\d+ accepts logins, but no statement has run within 1 s: a pooler without/
  await fails(t, { API_KEYS, DATABASE_URL: url, DATABASE_TIMEOUT: '1s' }, late)
})

t.test('the database is examined as a server would use it, with a cure for each finding', async (t) => {
  const db = await database(t)
  const env = { API_KEYS, DATABASE_URL: db.url }
  await migrate(connectionTo(db.url))
  await db.query('INSERT INTO store_orders.orders (id) VALUES (1)')
  t.strictSame(await check(env), fine)
  const sessions = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
  await until(async () => (await db.query(sessions)).length === 0) // it has closed its own

  const role = await roleIn(t, db, 'examined')
  await migrate(connectionTo(db.url), { grant: role })
  await db.query('ALTER TABLE store_orders.orders ENABLE ROW LEVEL SECURITY')
  const hidden = /row level security would hide orders\. ALTER TABLE store_orders\.orders DISABLE ROW LEVEL SECURITY/
  await fails(t, { ...env, DATABASE_URL: as(db.url, role) }, hidden)
  await db.query('ALTER TABLE store_orders.orders DISABLE ROW LEVEL SECURITY')

  const warns = async (stderr: RegExp) => t.match(await check(env), { code: 0, stderr })
  await db.query('ALTER TABLE store_orders.orders DISABLE TRIGGER orders_inserted')
  await warns(/^warning: PostgreSQL does not log every change of the orders/)
  await db.query('ALTER TABLE store_orders.orders ENABLE TRIGGER orders_inserted')

  const insert = 'INSERT INTO store_orders.orders (id, position) OVERRIDING SYSTEM VALUE'
  await db.query(`${insert} VALUES (2, 2::bigint ^ 40)`)
  t.strictSame(await check(env), fine, 'half of the positions are used')
  await db.query(`${insert} VALUES (3, 2::bigint ^ 40 + 1)`)
  await warns(/^warning: more than half of the positions are used: export and import/)

  await db.query(`DELETE FROM store_orders.orders; ${insert} SELECT id, id * 1000 FROM generate_series(1, 100) id`)
  await warns(
    /^warning: positions have wide gaps, .*: the first 65 orders take 64 blocks in place of 1, and reading all/,
  )

  const fillLog = (count: number, hours: number) =>
    db.query(`INSERT INTO store_orders.order_log (xid, position) SELECT '1', 0 FROM generate_series(1, ${count});
      UPDATE store_orders.order_log_epoch SET pruned_at = now() - interval '${hours} hours'`)
  await db.query(`DELETE FROM store_orders.orders; DELETE FROM store_orders.order_log;
    SELECT store_orders.renew_order_log()`)
  await fillLog(99_999, 25)
  t.strictSame(await check(env), fine, 'a short log')
  await fillLog(1, 23)
  t.strictSame(await check(env), fine, 'a log that was pruned lately')
  await fillLog(0, 25)
  await warns(/^warning: the log of changes is long, and has not been pruned for a day/)

  await db.query('DELETE FROM store_orders.order_log; ALTER TABLE store_orders.orders RENAME COLUMN json TO other')
  await fails(t, env, /a list cannot be read: column "json" does not exist/)

  await db.query('ALTER TABLE store_orders.orders RENAME COLUMN other TO json')
  await db.query(String(ownerActions['put a partitioned table in the place of orders']?.apply))
  await fails(t, env, /: the table store_orders\.orders must not be partitioned\n/)
})
