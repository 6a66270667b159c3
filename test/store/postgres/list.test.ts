import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { fc } from 'test-kit/properties'
import { responds, until } from 'test-kit/until'
import type { OrderStore } from '../../../store/order-store.ts'
import { BLOCK_BITS, BLOCK_SIZE, type OrderPage } from '../../../store/page.ts'
import { oneByOne } from '../../../store/postgres/cancellations.ts'
import { listReader } from '../../../store/postgres/list-reader.ts'
import { postgresOrderStore } from '../../../store/postgres/postgres-store.ts'
import { changesSince, pet, prune, readBlocks } from '../../../store/postgres/queries.ts'
import type { Session, Sessions } from '../../../store/postgres/sessions.ts'
import { sessionOn } from '../../postgres/database.ts'
import { insert, json, migratedDatabase, sessionsAt, shop, storeAt } from '../../postgres/orders.ts'
import { countIn, jsonOfPages, listOf } from '../list.ts'

const hashesIn = (pages: readonly OrderPage[]) => pages.map((page) => page.hash())
const hashesOf = async (store: OrderStore) => hashesIn(await store.list())

t.test('the migrations divide the positions into blocks as the stores do', async (t) => {
  const folder = new URL('../../../store/postgres/migrations/', import.meta.url)
  const sql = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'))
  const shifts = Array.from(sql.join('').matchAll(/\bposition >> (\d+)/gi), ([, bits]) => Number(bits))
  t.strictSame([...new Set(shifts)], [BLOCK_BITS])
})

t.test('a store is ready once it can serve a list, not as soon as it is connected', async (t) => {
  const { db, store } = await shop(t, 1, { timeout: 500 })
  const holder = await sessionOn(t, db.url)
  await holder.query('BEGIN; LOCK TABLE store_orders.orders')
  await t.rejects(store.ping(), { name: 'StoreUnavailableError' })
  await holder.query('COMMIT')
  await until(() => responds(store.ping()))
  t.equal(await listOf(store), json(1))
})

t.test('an order that was replaced by one with the same JSON leaves the list when it is cancelled', async (t) => {
  const { db, store } = await shop(t, 3)
  t.equal(await listOf(store), json(1, 2, 3))
  const before = await hashesOf(store)
  await db.query('DELETE FROM store_orders.orders WHERE id = 3; INSERT INTO store_orders.orders (id) VALUES (3)')
  t.equal(await listOf(store), json(1, 2, 3))
  t.strictSame(await hashesOf(store), before)
  t.equal(await store.cancel(3n), 'cancelled')
  t.equal(await listOf(store), json(1, 2))
})

t.test('a transaction that commits late is not missed', async (t) => {
  const { db, store } = await shop(t)
  const late = await sessionOn(t, db.url)
  await late.query('BEGIN')
  await late.query(insert, [1, 1])
  await db.query(insert, [2, 2])
  t.equal(await listOf(store), json(2))
  await db.query(insert, [3, 3])
  t.equal(await listOf(store), json(2, 3))
  await late.query('COMMIT')
  t.equal(await listOf(store), json(1, 2, 3))
})

t.test('many changed pages are read in one snapshot, and the others are kept', async (t) => {
  const { db, store } = await shop(t)
  await db.query(insert, [0, 40 * BLOCK_SIZE - 1])
  const before = await store.list()
  const cancel = "UPDATE store_orders.orders SET status = 'cancelled' WHERE id % $1 = 0 AND id < $2"
  await db.query(cancel, [BLOCK_SIZE, 30 * BLOCK_SIZE])
  const after = await store.list()
  t.equal(countIn(after), 40 * BLOCK_SIZE - 30)
  const kept = after.filter((page) => before.includes(page))
  t.ok(kept.length >= before.length - 2 * 30, 'each cancellation changes a page, or joins two')
  await db.query('UPDATE store_orders.orders SET complete = complete')
  const same = await store.list()
  const isOther = (page: OrderPage, at: number) => page !== after[at]
  t.notOk(same.some(isOther), 'writing the same values changes nothing')
  await db.query('UPDATE store_orders.orders SET position = DEFAULT WHERE id = 5')
  t.match(await listOf(store), /^\[\{"id":1\},\{"id":2\},\{"id":3\},\{"id":4\},\{"id":6\}.*\{"id":5\}\]$/)
  await db.query('DELETE FROM store_orders.orders WHERE id < $1', [3 * BLOCK_SIZE])
  t.strictSame(await hashesOf(store), await hashesOf(storeAt(t, db.url)), 'a new instance has the same')
})

t.test('only the orders that changed are read again', async (t) => {
  const { db, store } = await shop(t, 3)
  const other = storeAt(t, db.url)
  await db.query('INSERT INTO store_orders.orders (id, quantity) VALUES (12, 1), (4, 4)')
  await store.list()
  // Readers of these orders will see it: it is taken out of the log, whose epoch is then put back.
  await db.query(`BEGIN; UPDATE store_orders.orders SET quantity = 9 WHERE id <> 3;
    CREATE TEMPORARY TABLE epoch AS SELECT token FROM store_orders.order_log_epoch; DELETE FROM store_orders.order_log;
    INSERT INTO store_orders.order_log_epoch (token) TABLE epoch; COMMIT`)
  await other.cancel(1n)
  t.equal(await listOf(store), '[{"id":2},{"id":3},{"id":12,"quantity":1},{"id":4,"quantity":4}]', 'the first')
  await other.cancel(4n)
  t.equal(await listOf(store), '[{"id":2},{"id":3},{"id":12,"quantity":1}]', 'the last')
  const listed = await store.list()
  await db.query("UPDATE store_orders.orders SET status = 'shipped' WHERE id = 3")
  t.equal(await store.list(), listed, 'an invisible change')
  await db.query('UPDATE store_orders.orders SET complete = true WHERE id = 12')
  t.equal(await listOf(store), '[{"id":2},{"id":3},{"id":12,"quantity":9,"complete":true}]', 'a visible one')
  await db.query("UPDATE store_orders.orders SET status = 'cancelled' WHERE id <> 3")
  t.equal(await listOf(store), '[{"id":3}]', 'several')
  t.strictSame(await hashesOf(store), await hashesOf(storeAt(t, db.url)), 'a new instance has the same')
  await db.query('TRUNCATE store_orders.orders')
  t.equal(await listOf(store), '[]')
  await db.query(insert, [7, 7])
  t.equal(await listOf(store), json(7))
})

t.test('random changes give the list that a new instance reads', async (t) => {
  const { db, store } = await shop(t, 3 * BLOCK_SIZE)
  const sessions = sessionsAt(t, db.url)
  await db.query("SELECT setval('store_orders.orders_position_seq', 1000000)")
  await store.list()
  const change = fc.record({
    first: fc.integer({ min: 1, max: 4 * BLOCK_SIZE }),
    step: fc.integer({ min: 1, max: 700 }),
    count: fc.integer({ min: 1, max: 200 }),
    sql: fc.constantFrom(
      'DELETE FROM store_orders.orders WHERE id = ANY ($1)',
      "UPDATE store_orders.orders SET status = 'cancelled' WHERE id = ANY ($1)",
      'UPDATE store_orders.orders SET quantity = id % 1234 WHERE id = ANY ($1)',
      'UPDATE store_orders.orders SET position = DEFAULT WHERE id = ANY ($1)',
      'INSERT INTO store_orders.orders (id) SELECT unnest($1::bigint[]) ON CONFLICT DO NOTHING',
      `INSERT INTO store_orders.orders (id, position) OVERRIDING SYSTEM VALUE
        SELECT id, id FROM unnest($1::bigint[]) id ON CONFLICT DO NOTHING`,
    ),
  })
  const same = fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
    for (const { first, step, count, sql } of changes)
      await db.query(sql, [Array.from({ length: count }, (_, index) => first + index * step)])
    const [pages, fresh] = [await store.list(), await sessions.run(listReader())]
    assert.equal(jsonOfPages(pages), jsonOfPages(fresh))
    assert.deepEqual(hashesIn(pages), hashesIn(fresh))
  })
  await t.resolves(fc.assert(same, { numRuns: 20 }))
})

t.test('of an order that changed more than once, the last change counts', async (t) => {
  const { db, store } = await shop(t, 4)
  await store.list()
  const set = (id: number, quantity: number) =>
    `UPDATE store_orders.orders SET quantity = ${quantity} WHERE id = ${id};`
  const other = await sessionOn(t, db.url)
  await db.query('BEGIN; SELECT pg_current_xact_id()')
  await other.query(set(1, 10)) // a later transaction, whose change comes first
  await db.query(`${set(1, 11)} ${set(2, 20)} ${set(2, 21)} SAVEPOINT one; ${set(3, 30)} COMMIT`)
  await db.query(`BEGIN; ${set(4, 40)} DELETE FROM store_orders.orders WHERE id = 4; COMMIT`)
  t.equal(await listOf(store), '[{"id":1,"quantity":11},{"id":2,"quantity":21},{"id":3,"quantity":30}]')
})

t.test('changes that cost more than the list are not read one by one', async (t) => {
  const { db, reader } = await shop(t, 2 * BLOCK_SIZE)
  await reader.list()
  reader.sent()
  await db.query('UPDATE store_orders.orders SET complete = true WHERE id <= $1', [BLOCK_SIZE / 8])
  await reader.list()
  t.notOk(reader.sent().includes('existing-pages'))
  await db.query('UPDATE store_orders.orders SET complete = false WHERE id <= $1', [BLOCK_SIZE / 8 + 1])
  await reader.list()
  t.ok(reader.sent().includes('existing-pages'))
  const late = await sessionOn(t, db.url)
  for (const more of [0, 1]) {
    await late.query('BEGIN')
    await late.query('UPDATE store_orders.orders SET quantity = 1 WHERE id <= $1', [BLOCK_SIZE / 8 + more])
    await db.query('UPDATE store_orders.orders SET quantity = 1 WHERE id = 2000') // a later transaction
    await reader.list()
    reader.sent()
    await late.query('COMMIT')
    await reader.list()
    t.equal(reader.sent().includes('existing-pages'), more > 0, 'of a transaction that commits late, too')
  }
})

t.test('of a short list, as many changes are read one by one as of a block', async (t) => {
  const { db, reader } = await shop(t, 100)
  await reader.list()
  for (const more of [0, 1]) {
    reader.sent()
    await db.query('UPDATE store_orders.orders SET quantity = 1 WHERE id <= $1', [BLOCK_SIZE / 16 + more])
    await reader.list()
    t.equal(reader.sent().includes('existing-pages'), more > 0)
  }
})

t.test('readers older than the log read everything again, newer ones do not', async (t) => {
  const { db, store } = await shop(t, 2 * BLOCK_SIZE)
  const idle = storeAt(t, db.url)
  const prune = () => db.query("SELECT store_orders.prune_order_log('0 seconds')")
  const log = async () => (await db.query('SELECT FROM store_orders.order_log')).length
  await idle.list()
  const [first, second] = await store.list()
  await store.cancel(1n)
  for (const _time of [1, 2]) await db.query("SELECT store_orders.prune_order_log('1 hour')") // the last was less long ago
  await prune()
  t.ok((await log()) > 0, 'changes since the last prune are kept')
  t.equal((await store.list())[1], second)
  await until(async () => {
    await prune() // changes that transactions of other tests may still see are kept, too
    return (await log()) === 0
  })
  const read = await idle.list()
  t.equal(countIn(read), 2 * BLOCK_SIZE - 1)
  t.not(read[0], first)
})

t.test('columns accept only what the list can show', async (t) => {
  const { db, store } = await shop(t)
  await db.query(`INSERT INTO store_orders.orders (id, ship_date) VALUES (1, '2026-01-02T03:04:05.6789+02:00'),
    (2, '0001-01-01 00:00:00+00 BC'), (3, '0001-01-01 00:00:00+00'), (4, '9999-12-31 23:59:59.999+00')`)
  t.equal(
    await listOf(store),
    '[{"id":1,"shipDate":"2026-01-02T01:04:05.679Z"},{"id":2,"shipDate":"0000-01-01T00:00:00.000Z"},' +
      '{"id":3,"shipDate":"0001-01-01T00:00:00.000Z"},{"id":4,"shipDate":"9999-12-31T23:59:59.999Z"}]',
  )
  const at = (date: string) => db.query('INSERT INTO store_orders.orders (id, ship_date) VALUES (5, $1)', [date])
  for (const date of ['infinity', '-infinity', '10000-01-01 00:00:00+00', '0002-12-31 00:00:00+00 BC'])
    await t.rejects(at(date), { code: '23514' }, date)
  await at('0001-12-31 23:59:59.999+00 BC')
  const place = 'INSERT INTO store_orders.orders (id, position) OVERRIDING SYSTEM VALUE VALUES ($1, $1)'
  await db.query(place, ['2199023255551'])
  t.match(await listOf(store), /\{"id":2199023255551\}\]$/)
  for (const position of ['2199023255552', '-1']) await t.rejects(db.query(place, [position]), { code: '23514' })
  const given = "SELECT start_value, min_value, max_value FROM pg_sequences WHERE sequencename = 'orders_position_seq'"
  t.strictSame(await db.query(given), [{ start_value: '0', min_value: '0', max_value: '2199023255551' }])
})

// The rows are made up: a real server cannot be made to lose its log just between two statements.
t.test('a log pruned or lost between two statements is detected', async (t) => {
  const row = { block: 0, json: '{"id":1}', slots: Buffer.from([0, 0]) }
  const results: Record<string, object[][]> = {
    'existing-pages': [
      [{ snapshot: '1:1:', epoch: 'a', block: 0 }],
      [{ snapshot: '2:2:', epoch: 'a', block: 0 }],
      [{ snapshot: '3:3:', epoch: 'a', block: null }],
    ],
    'read-pages': [[row], [row]],
    'changes-since': [[{ epoch: null, is_long: false, orders: null }], [{ epoch: 'b', is_long: false, orders: '0' }]],
  }
  const queries: string[] = []
  const session = {
    async query<Row>({ name = 'other' }: { name?: string }) {
      queries.push(name)
      return (results[name]?.shift() ?? []) as Row[]
    },
  }
  const read = listReader()
  const first = await read(session)
  t.equal((await read(session))[0], first[0], 'everything is read again and equal')
  t.strictSame(await read(session), [])
  t.equal(queries.filter((name) => name === 'existing-pages').length, 3)
})

t.test('the log is of no use to a reader that has missed what was pruned', async (t) => {
  const db = await migratedDatabase(t)
  await db.query('SELECT store_orders.renew_order_log()')
  await db.query("UPDATE store_orders.order_log_epoch SET pruned = '12:18:15', written = pg_current_xact_id()")
  for (const [snapshot, hasMissed] of [
    ['18:18:', false],
    ['17:17:', true],
    ['15:20:15', false], // which was running when the log was pruned, too
    ['14:20:14', true],
    ['15:17:15', true],
  ] as const) {
    const [first] = await db.query<{ epoch: string | null }>(changesSince.text, [snapshot, 1])
    t.equal(first?.epoch === null, hasMissed, snapshot)
  }
})

t.test('a prune keeps what has changed in the last ten minutes', async (t) => {
  const db = await migratedDatabase(t)
  await db.query('SELECT store_orders.renew_order_log()')
  const isPruned = async (minutes: number) => {
    await db.query(`UPDATE store_orders.order_log_epoch
      SET pruned_at = now() - interval '${minutes} minutes', written = pg_current_xact_id()`)
    await db.query(prune.text)
    return db.query(
      "SELECT now() - pruned_at BETWEEN interval '0' AND interval '1 minute' AS pruned FROM store_orders.order_log_epoch",
    )
  }
  await db.query('INSERT INTO store_orders.order_cancellations (request) VALUES (gen_random_uuid())')
  t.strictSame([await isPruned(9), await isPruned(11)], [[{ pruned: false }], [{ pruned: true }]])
  t.equal((await db.query('SELECT FROM store_orders.order_cancellations')).length, 1, 'a retry finds its request')
  t.strictSame(await isPruned(-5), [{ pruned: true }], 'the clock was set back')
})

t.test('the statements of requests find their rows by an index', async (t) => {
  const db = await migratedDatabase(t)
  await db.query('SET enable_seqscan = off')
  for (const [{ text }, index, ...values] of [
    [pet, 'orders_pet_id', 1],
    [changesSince, 'order_log_xid', '1:1:', 1],
    [readBlocks, 'orders_position', [0]],
  ] as const)
    t.match(JSON.stringify(await db.query(`EXPLAIN ${text}`, [...values])), index)
})

t.test('a log too long for one statement is pruned in parts, each found by an index and vacuumed', async (t) => {
  const db = await migratedDatabase(t)
  const vacuumed = "SELECT reloptions AS options FROM pg_class WHERE oid = 'store_orders.order_log'::regclass"
  const options = ['autovacuum_vacuum_scale_factor=0', 'autovacuum_vacuum_threshold=10000']
  t.strictSame(await db.query(vacuumed), [{ options }])
  const indexed = "SELECT tablename FROM pg_indexes WHERE indexdef LIKE '% USING btree (xid)' ORDER BY 1"
  t.strictSame(await db.query(indexed), [{ tablename: 'order_cancellations' }, { tablename: 'order_log' }])
  await db.query('SELECT store_orders.renew_order_log()')
  await db.query(`UPDATE store_orders.order_log_epoch
    SET next_prune = '4:4:', pruned_at = '-infinity', written = pg_current_xact_id()`)
  for (const rows of [
    "order_cancellations SELECT gen_random_uuid(), '3' FROM generate_series(1, 12000)",
    "order_log SELECT '3', id FROM generate_series(1, 120000) id",
  ]) {
    await db.query(`INSERT INTO store_orders.${rows}`)
    t.strictSame(await db.query("SELECT store_orders.prune_order_log('10 minutes') AS more"), [{ more: true }])
  }
  storeAt(t, db.url, { pruneEvery: 10 })
  const held = setInterval(() => {}, 1000) // the store's own timer does not keep the process running
  await until(async () => (await db.query('SELECT FROM store_orders.order_log LIMIT 1')).length === 0)
  clearInterval(held)
})

/** A store that prunes each millisecond, in sessions that respond so. */
function pruning(t: Test, query: () => Promise<object[]>) {
  const run: Sessions['run'] = (task) => task({ query } as Session, 'unused')
  const sessions = { run, close: async () => {} } as Partial<Sessions> as Sessions
  const store = postgresOrderStore(sessions, { timeout: 1000, pruneEvery: 1, createCanceller: oneByOne })
  t.teardown(() => store.close())
  return store
}

t.test('without requests, the database is left alone once the log has been pruned', async (t) => {
  let prunes = 0
  const store = pruning(t, async () => {
    prunes++
    return [{ more: false, outcomes: ['cancelled'] }]
  })
  const ticks = async () => {
    for (let tick = 0; tick < 20; tick++) await sleep(1)
  }
  await until(() => prunes === 1)
  await ticks()
  t.equal(prunes, 1)
  await store.cancel(1n)
  await until(() => prunes === 3)
  await ticks()
  t.equal(prunes, 3, 'the cancellation, and the prune after it')
  await store.list()
  const listed = prunes
  await until(() => prunes === listed + 1)
  prunes = 3
  const { now } = performance
  const later = (hours: number) =>
    t.intercept(performance, 'now', { value: () => now.call(performance) + hours * 3_600_000 })
  later(23)
  await ticks()
  t.equal(prunes, 3)
  later(24)
  await until(() => prunes === 4)
})

t.test('after a statement that changes very many orders, everything is read, and the log has one row', async (t) => {
  const { db, reader } = await shop(t, 3)
  await reader.list()
  await db.query(insert, [4, 12_000])
  const unlisted = 'SELECT position FROM store_orders.order_log WHERE position < 0 OR json IS NULL'
  t.strictSame(await db.query(unlisted), [{ position: '-1' }])
  reader.sent()
  t.equal(countIn(await reader.list()), 12_000)
  t.ok(reader.sent().includes('existing-pages'))
  await db.query('UPDATE store_orders.orders SET quantity = 1 WHERE id = 12000')
  t.match(await reader.json(), /\{"id":11999\},\{"id":12000,"quantity":1\}\]$/)
  t.notOk(reader.sent().includes('existing-pages'), 'the log is used again')
})

t.test('a statement may log 10,000 changes, or one in sixteen of the orders if these are more', async (t) => {
  const { db } = await shop(t, 10_101)
  await db.query('ALTER TABLE store_orders.orders SET (autovacuum_enabled = false)')
  const isLogged = async (count: number) => {
    await db.query('DELETE FROM store_orders.order_log')
    await db.query('UPDATE store_orders.orders SET quantity = 1 WHERE id <= $1', [count])
    return (await db.query('SELECT FROM store_orders.order_log')).length === count
  }
  t.strictSame([await isLogged(10_000), await isLogged(10_001)], [true, false])
  await db.query("UPDATE pg_class SET reltuples = 16 * 10100 WHERE oid = 'store_orders.orders'::regclass")
  t.strictSame([await isLogged(10_100), await isLogged(10_101)], [true, false])
})

t.test('the log is pruned regularly, also after a failure', async (t) => {
  let runs = 0
  pruning(t, async () => {
    runs++
    throw new Error('planted')
  })
  await until(() => runs > 1)
})
