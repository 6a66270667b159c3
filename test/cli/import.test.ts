import t, { type Test } from 'tap'
import { until } from 'test-kit/until'
import { loadOrders } from '../../store/memory/load.ts'
import { start } from '../fixtures/process.ts'
import { database, lockWaits, sessionOn } from '../postgres/database.ts'
import { json, shop } from '../postgres/orders.ts'
import { countIn, listOf } from '../store/list.ts'
import { runCommand } from './command.ts'

const run = (args: string[], DATABASE_URL: string) => runCommand(['import', ...args], { DATABASE_URL })

const line = (id: number) =>
  `{"id":${id},"petId":${id % 5},"quantity":${id % 9},"shipDate":"2026-01-02T03:04:05.678Z","complete":${id % 3 === 0}}\n`
const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => line(from + index)).join('')
const imported = (count: string) => ({ code: 0, stdout: `Imported ${count} orders.\n`, stderr: '' })

const fixture = async (t: Test, files: Record<string, string>) => ({ ...(await shop(t)), dir: t.testdir(files) })

t.test('an import adds to the orders, or replaces them', async (t) => {
  const { db, dir, store } = await fixture(t, { 'orders.ndjson': lines(1, 3000), 'more.ndjson': lines(5001, 5002) })
  t.strictSame(await run([`${dir}/orders.ndjson`], db.url), imported('3,000'))
  const counted = "SELECT reltuples FROM pg_class WHERE oid = 'store_orders.orders'::regclass"
  t.strictSame(await db.query(counted), [{ reltuples: 3000 }], 'it is analyzed')
  const memory = await listOf(await loadOrders(`${dir}/orders.ndjson`))
  t.equal(await listOf(store), memory)
  t.strictSame(await run([`${dir}/more.ndjson`], db.url), imported('2'))
  t.equal(countIn(await store.list()), 3002)
  t.strictSame(await run([`${dir}/orders.ndjson`, '--replace'], db.url), imported('3,000'))
  t.equal(await listOf(store), memory)
})

t.test('errors equal those of the memory loader, and nothing is imported', async (t) => {
  const files = {
    'errors.ndjson': `${lines(1, 2000)}{"id":"x"}\n{"id":3}\n${lines(2001, 2002)}{"id":3}\n{"quantity":1}\n`,
    'broken.ndjson.gz': 'no gzip',
  }
  const { db, dir, store } = await fixture(t, files)
  for (const name of Object.keys(files)) {
    const message = await loadOrders(`${dir}/${name}`).catch((error) => error.message)
    t.strictSame(await run([`${dir}/${name}`], db.url), { code: 1, stdout: '', stderr: `store-orders: ${message}\n` })
  }
  t.equal(await listOf(store), '[]')
})

t.test('an id already in the database is reported with its line; --replace replaces it', async (t) => {
  const { db, dir, store } = await fixture(t, { 'orders.ndjson': '{"id":1}\n{"id":2}\n{"id":3}' })
  await db.query('INSERT INTO store_orders.orders (id) VALUES (2), (7)')
  const taken = 'nothing was loaded; correct this error:\n  line 2: id 2 is already in the database'
  const refused = { code: 1, stdout: '', stderr: `store-orders: ${dir}/orders.ndjson: ${taken}\n` }
  t.strictSame(await run([`${dir}/orders.ndjson`], db.url), refused)
  t.equal(await listOf(store), json(2, 7))
  t.strictSame(await run([`${dir}/orders.ndjson`, '--replace'], db.url), imported('3'))
  t.equal(await listOf(store), json(1, 2, 3))
})

/** A file of orders, one of which another session holds, and another order in the database. */
async function heldFixture(t: Test) {
  const { db, dir, store } = await fixture(t, { 'orders.ndjson': lines(10, 2000) })
  const holder = await sessionOn(t, db.url)
  await holder.query('INSERT INTO store_orders.orders (id) VALUES (1)')
  await holder.query('BEGIN; INSERT INTO store_orders.orders (id) VALUES (1999)')
  return { db, dir, store, holder }
}

t.test('readers see the old orders until a replacement commits', async (t) => {
  const { db, dir, store, holder } = await heldFixture(t)
  const replacing = run([`${dir}/orders.ndjson`, '--replace'], db.url)
  await lockWaits(t, db.url, 1)
  t.equal(await listOf(store), json(1))
  await holder.query('ROLLBACK')
  t.strictSame(await replacing, imported('1,991'))
  t.equal(countIn(await store.list()), 1991)
})

t.test('a killed import leaves nothing', async (t) => {
  const { db, dir, store, holder } = await heldFixture(t)
  const importing = start(t, 'cli/index', ['import', `${dir}/orders.ndjson`, '--replace'], { DATABASE_URL: db.url })
  await lockWaits(t, db.url, 1)
  importing.child.kill('SIGKILL')
  t.equal(await importing.ended, 'SIGKILL')
  await holder.query('ROLLBACK')
  const copying = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'COPY%'"
  await until(async () => (await holder.query(copying)).rowCount === 0)
  t.equal(await listOf(store), json(1))
})

t.test('an import whose session PostgreSQL ends says why', async (t) => {
  const { db, dir } = await fixture(t, { 'orders.ndjson': lines(1, 200_000) })
  const copies = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'COPY %' AND state = 'active'`
  const reasons: string[] = []
  // A write that the end overtakes fails before the reason can be read, which is rare.
  while (reasons.length < 6 && !reasons.includes('terminating connection due to administrator command\n')) {
    const importing = run([`${dir}/orders.ndjson`], db.url)
    await until(async () => (await db.query(copies)).length > 0)
    const { code, stderr } = await importing
    t.equal(code, 1)
    reasons.push(String(stderr.split('orders.ndjson: nothing was imported: ')[1]))
  }
  t.equal(reasons.at(-1), 'terminating connection due to administrator command\n')
})

t.test('database errors, such as a full disk, are reported', async (t) => {
  const { db, dir, store } = await fixture(t, { 'orders.ndjson': lines(1, 50) })
  await db.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION USING ERRCODE = current_setting('test.code'), MESSAGE = 'could not extend file'; END $$;
    CREATE TRIGGER refuses BEFORE INSERT ON store_orders.orders FOR EACH ROW EXECUTE FUNCTION refuse()`)
  const refusedWith = async (code: string) => {
    await db.query(`ALTER DATABASE ${db.name} SET test.code = '${code}'`)
    return (await run([`${dir}/orders.ndjson`], db.url)).stderr
  }
  const start = `store-orders: ${dir}/orders.ndjson: nothing was imported: `
  t.equal(await refusedWith('53100'), `${start}the database has no space left (could not extend file)\n`)
  t.equal(await refusedWith('23514'), `${start}could not extend file\n`)
  t.equal(await refusedWith('23505'), `${start}could not extend file\n`)
  t.equal(await listOf(store), '[]')
})

t.test('orders that a trigger drops are an error, and nothing is imported', async (t) => {
  const { db, dir, store } = await fixture(t, { 'orders.ndjson': lines(1, 4) })
  await db.query(`CREATE FUNCTION drop_even() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RETURN CASE WHEN NEW.id % 2 = 1 THEN NEW END; END $$;
    CREATE TRIGGER drop_even BEFORE INSERT ON store_orders.orders FOR EACH ROW EXECUTE FUNCTION drop_even()`)
  const { code, stderr } = await run([`${dir}/orders.ndjson`], db.url)
  const why = 'the database drops 2 of 4 orders: see the triggers and rules of store_orders.orders'
  t.strictSame([code, stderr], [1, `store-orders: ${dir}/orders.ndjson: nothing was imported: ${why}\n`])
  t.equal(await listOf(store), '[]')
})

t.test('a database without the schema is rejected', async (t) => {
  const { url } = await database(t)
  t.match(await run(['a.ndjson'], url), { stderr: 'store-orders: there is no schema yet. Run: store-orders migrate\n' })
})
