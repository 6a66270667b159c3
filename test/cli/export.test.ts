import { readdir } from 'node:fs/promises'
import t from 'tap'
import { loadOrders } from '../../store/memory/load.ts'
import type { OrderStore } from '../../store/order-store.ts'
import { parseConnectionString } from '../../store/postgres/connection-string.ts'
import { migrate } from '../../store/postgres/migrate.ts'
import { database } from '../postgres/database.ts'
import { migratedDatabase, storeAt } from '../postgres/orders.ts'
import { listOf } from '../store/list.ts'
import { runCommand } from './command.ts'

const run = (args: string[], DATABASE_URL: string) => runCommand(args, { DATABASE_URL })
const hashesOf = async (store: OrderStore) => (await store.list()).map((page) => page.hash())

const special = [
  '{"id":-5,"shipDate":"0000-02-29T23:59:59.999Z"}',
  '{"id":9223372036854775807,"status":"cancelled"}',
  '{"id":0,"status":"shipped","petId":-1,"complete":false}',
]
const lines = Array.from({ length: 20_000 }, (_, id) => `{"id":${id + 1},"quantity":${id % 9}}`)

t.test('an export has every order with its status, and is read back to the same list', async (t) => {
  const [db, other] = [await migratedDatabase(t), await database(t)]
  const dir = t.testdir({ 'orders.ndjson': [...special, ...lines].join('\n') })
  t.match(await run(['import', `${dir}/orders.ndjson`], db.url), { code: 0 })
  const store = storeAt(t, db.url)
  for (const id of [1n, 2n, 15_000n]) await store.cancel(id)
  await db.query("UPDATE store_orders.orders SET status = 'shipped' WHERE id = 7")
  for (const name of ['out.ndjson', 'out.ndjson.gz']) {
    const exported = { code: 0, stdout: 'Exported 20,003 orders.\n', stderr: '' }
    t.strictSame(await run(['export', `${dir}/${name}`], db.url), exported)
    const memory = await loadOrders(`${dir}/${name}`)
    t.equal(await listOf(memory), await listOf(store))
    t.strictSame(await hashesOf(memory), await hashesOf(store))
    t.equal(await memory.cancel(7n), 'already_shipped')
    t.equal(await memory.cancel(15_000n), 'already_cancelled')
  }
  await migrate(parseConnectionString(other.url, {}))
  t.match(await run(['import', `${dir}/out.ndjson.gz`], other.url), { code: 0 })
  const copy = storeAt(t, other.url)
  t.strictSame(await hashesOf(copy), await hashesOf(store))
  t.strictSame(await copy.countByStatus(), await store.countByStatus())
})

t.test('an export that fails leaves the file as it was', async (t) => {
  const db = await migratedDatabase(t)
  const dir = t.testdir({ 'old.ndjson': 'old' })
  t.match(await run(['export', `${dir}/orders.csv`], db.url), {
    code: 1,
    stderr: /orders\.csv must end in \.ndjson or \.ndjson\.gz\n$/,
  })
  t.match(await run(['export', `${dir}/none/orders.ndjson`], db.url), {
    code: 1,
    stderr: /orders\.ndjson cannot be written \(ENOENT\)\n$/,
  })
  await db.query('INSERT INTO store_orders.orders (id) VALUES (1)')
  await db.query('ALTER TABLE store_orders.orders RENAME COLUMN json TO other')
  t.match(await run(['export', `${dir}/old.ndjson`], db.url), { code: 1, stderr: /column "json" does not exist/ })
  t.strictSame(await readdir(dir), ['old.ndjson'])
})
