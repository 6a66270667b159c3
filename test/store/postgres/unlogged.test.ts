// Changes that the triggers do not see, or would not: a list has them. owner-actions.test.ts has what an owner does.
import { once } from 'node:events'
import process from 'node:process'
import type pg from 'pg'
import t from 'tap'
import { responds, until } from 'test-kit/until'
import { migrate } from '../../../store/postgres/migrate.ts'
import { UNCOVERED } from '../../../store/postgres/queries.ts'
import { volatile } from '../../postgres/cluster.js'
import { sessionOn } from '../../postgres/database.ts'
import * as orders from '../../postgres/orders.ts'
import { listOf } from '../list.ts'
import { ownerActions } from './owner-actions.ts'

const { clusterOf, connectionTo, json, migratedCluster, readerAt, shop } = orders

t.test('a subscriber lists what logical replication applies', async (t) => {
  const { cluster } = await clusterOf(t, [...volatile, 'wal_level=logical'])
  const setup = await sessionOn(t, cluster.url())
  const databases = []
  for (const name of ['publisher', 'subscriber']) {
    await setup.query(`CREATE DATABASE ${name}`)
    await migrate(connectionTo(cluster.url(name)))
    databases.push(await sessionOn(t, cluster.url(name)))
  }
  const [publisher, subscriber] = databases as [pg.Client, pg.Client]
  await publisher.query('INSERT INTO store_orders.orders (id) VALUES (1), (2), (3)')
  await publisher.query('CREATE PUBLICATION shop FOR TABLE store_orders.orders')
  await publisher.query("SELECT pg_create_logical_replication_slot('shop', 'pgoutput')")
  const reader = readerAt(t, cluster.url('subscriber'))
  const lists = (expected: string) => until(async () => (await reader.json()) === expected)
  t.equal(await reader.json(), '[]')
  await subscriber.query(`CREATE SUBSCRIPTION shop
    CONNECTION 'host=127.0.0.1 port=${cluster.port} user=postgres dbname=publisher' PUBLICATION shop
    WITH (create_slot = false)`)
  await lists(json(1, 2, 3))
  await publisher.query(`UPDATE store_orders.orders SET quantity = 7 WHERE id = 2;
    INSERT INTO store_orders.orders (id) VALUES (4); DELETE FROM store_orders.orders WHERE id = 1`)
  await lists('[{"id":2,"quantity":7},{"id":3},{"id":4}]')
  await publisher.query('TRUNCATE store_orders.orders; INSERT INTO store_orders.orders (id) VALUES (5)')
  await lists(json(5))
  await subscriber.query('DROP SUBSCRIPTION shop')
})

t.test('while triggers are disabled, each list reads everything, which is logged once each time', async (t) => {
  const { db } = await shop(t, 2)
  const lines: string[] = []
  const reader = readerAt(t, db.url, (level, message) => lines.push(`${level} ${message}`))
  const logged = async (count: number) => {
    for (let n = 0; n < count; n++) t.equal(await reader.json(), json(1, 2))
    return lines.splice(0)
  }
  t.strictSame(await logged(2), [])
  for (const _time of [1, 2]) {
    await db.query('ALTER TABLE store_orders.orders DISABLE TRIGGER ALL')
    t.strictSame(await logged(4), [`warn ${UNCOVERED}`])
    await db.query(`ALTER TABLE store_orders.orders ENABLE TRIGGER ALL, ENABLE REPLICA TRIGGER orders_replicated,
      ENABLE ALWAYS TRIGGER orders_truncated`)
    t.strictSame(await logged(2), [])
    reader.sent()
    await reader.list()
    t.notOk(reader.sent().includes('existing-pages'), 'the log is used again')
  }
})

t.test('a partitioned table in the place of orders is unavailable, not empty', async (t) => {
  const { db, store } = await shop(t)
  t.equal(await listOf(store), '[]')
  await db.query(String(ownerActions['put a partitioned table in the place of orders']?.apply))
  const cause = { message: 'the table store_orders.orders must not be partitioned' }
  await t.rejects(store.list(), { name: 'StoreUnavailableError', cause })
  await t.rejects(store.cancel(1n), { name: 'StoreUnavailableError', cause })
})

t.test('an epoch that was logged during a crash is no longer trusted', async (t) => {
  const { cluster, run } = await migratedCluster(t, [...volatile, 'synchronous_commit=on'])
  await run('INSERT INTO store_orders.orders (id) VALUES (1), (2), (3); CHECKPOINT')
  const reader = readerAt(t, cluster.url())
  t.equal(await reader.json(), json(1, 2, 3))
  await run('ALTER TABLE store_orders.order_log_epoch SET LOGGED')
  t.equal(await reader.json(), json(1, 2, 3))
  await run('DELETE FROM store_orders.orders WHERE id = 1')
  const victim = await sessionOn(t, cluster.url())
  const died = once(victim, 'error')
  process.kill((await victim.query('SELECT pg_backend_pid() AS pid')).rows[0].pid, 'SIGKILL')
  await died
  await until(() => responds(run('SELECT')))
  t.equal(await reader.json(), json(2, 3))
  await run('ALTER TABLE store_orders.order_log_epoch SET UNLOGGED')
  t.equal(await reader.json(), json(2, 3))
})
