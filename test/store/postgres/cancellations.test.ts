import { randomInt, randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import t from 'tap'
import { until } from 'test-kit/until'
import { inGroups, oneByOne } from '../../../store/postgres/cancellations.ts'
import type { Sessions } from '../../../store/postgres/sessions.ts'
import { StoreUnavailableError } from '../../../store/unavailable.ts'
import { type Database, sessionOn } from '../../postgres/database.ts'
import { json, shop, shopBehindProxy } from '../../postgres/orders.ts'
import { listOf } from '../list.ts'

const lock = 'BEGIN; SELECT FROM store_orders.orders WHERE id = 1 FOR UPDATE'
const cancelAll = 'SELECT store_orders.cancel_orders($1, $2) AS outcomes'
const upTo = (count: number) => Array.from({ length: count }, (_, index) => BigInt(index + 1))
const [a, b] = [randomUUID(), randomUUID()]

for (const [way, createCanceller] of Object.entries({ 'one by one': oneByOne, 'in groups': inGroups })) {
  t.test(`orders are cancelled ${way}`, async (t) => {
    await t.test('an order locked by another transaction delays nothing else', async (t) => {
      const { db, store } = await shop(t, 3, { createCanceller })
      await db.query(lock)
      let settled = 0
      const held = Array.from({ length: 12 }, () => store.cancel(1n).finally(() => settled++))
      t.equal(await store.cancel(2n), 'cancelled')
      t.equal(await listOf(store), json(1, 3))
      await store.ping()
      t.equal(settled, 0)
      await db.query('COMMIT')
      t.strictSame((await Promise.all(held)).sort(), [...Array(11).fill('already_cancelled'), 'cancelled'])
    })

    await t.test('a status of a newer version leaves the request to the servers that know it', async (t) => {
      const { db, store } = await shop(t, 2, { createCanceller })
      await db.query(`ALTER TABLE store_orders.orders DROP CONSTRAINT orders_status_check;
        UPDATE store_orders.orders SET status = 'later' WHERE id = 1`)
      t.match(await store.cancel(1n).catch((error) => error), { message: 'only a newer server knows already_later' })
      t.equal(await store.cancel(2n), 'cancelled')
    })

    await t.test('an order that a trigger rejects fails alone', async (t) => {
      const { db, store } = await shop(t, 50, { createCanceller })
      await db.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          RAISE EXCEPTION 'order 7 is special' USING ERRCODE = 'check_violation'; END $$;
        CREATE TRIGGER refuses BEFORE UPDATE ON store_orders.orders FOR EACH ROW WHEN (OLD.id = 7)
          EXECUTE FUNCTION refuse()`)
      const outcomes = await Promise.all(upTo(50).map((id) => store.cancel(id).catch((error) => error.cause.message)))
      t.strictSame(outcomes, Array(50).fill('cancelled').with(6, 'order 7 is special'))
      t.equal(store.connections?.().waiting, 0)
    })

    await t.test('after a lost result, each request gets its own on a retry', async (t) => {
      const { proxy, store } = await shopBehindProxy(t, 50, { createCanceller })
      await store.hasPet(1n)
      proxy.cutAnswer((result) => result.includes('cancelled'))
      const outcomes = await Promise.all([...upTo(50), ...upTo(50)].map((id) => store.cancel(id)))
      t.equal(outcomes.filter((outcome) => outcome === 'cancelled').length, 50)
      t.equal(outcomes.filter((outcome) => outcome === 'already_cancelled').length, 50)
    })
  })
}

t.test('cancellations beyond the queue are rejected at once', async (t) => {
  const { proxy, store } = await shopBehindProxy(t, 0, { timeout: 1000 })
  proxy.hold()
  const cancelling = Array.from({ length: 1400 }, () => store.cancel(1n))
  t.equal(store.connections?.().waiting, 1024)
  const outcomes = await Promise.allSettled(cancelling)
  await until(async () => store.connections?.().waiting === 0)
  const reasons = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)
  t.ok(reasons.every((reason) => reason instanceof StoreUnavailableError))
  t.ok(reasons.filter(({ message }) => message === 'every connection to PostgreSQL is busy').length >= 374)
})

t.test('a cancellation whose time is over before its group is sent changes nothing', async (t) => {
  const sent: unknown[] = []
  const stalled = new EventEmitter()
  async function query<Row>(_query: unknown, [ids]: unknown[] = []) {
    sent.push(ids)
    if (sent.length <= 2) await once(stalled, 'end')
    return [{ outcomes: ['cancelled'] }] as Row[]
  }
  const deadlines: unknown[] = []
  const attempt: Sessions['attempt'] = (work, deadline) => {
    deadlines.push(deadline)
    return work({ query }, 'unused')
  }
  const canceller = inGroups({ attempt } as Sessions)
  const cancelUntil = (orderId: bigint, deadline: number) => canceller.cancel({ orderId, request: a, deadline })
  const [now, later] = [performance.now(), performance.now() + 1e6]
  const first = [cancelUntil(1n, later), cancelUntil(2n, later), cancelUntil(6n, later), cancelUntil(7n, later + 1)]
  void cancelUntil(3n, now)
  stalled.emit('end')
  await Promise.all(first)
  void cancelUntil(4n, now)
  t.equal(await cancelUntil(5n, later), 'cancelled')
  t.strictSame(sent, [[1n], [2n], [6n, 7n], [5n]])
  const alone = oneByOne({ run: (work, options) => attempt(work, Number(options?.deadline)) } as Sessions)
  await alone.cancel({ orderId: 8n, request: a, deadline: later + 2 })
  t.strictSame(deadlines, [later, later, later + 1, later, later + 2], 'a group has the time of its last member')
})

t.test('a group has at most 256 cancellations', async (t) => {
  const sizes: number[] = []
  async function query<Row>(_query: unknown, [ids = []]: unknown[] = []) {
    sizes.push((ids as bigint[]).length)
    return [{ outcomes: ids }] as Row[]
  }
  const canceller = inGroups({ attempt: (work) => work({ query }, 'unused') } as Partial<Sessions> as Sessions)
  await Promise.all(upTo(300).map((orderId) => canceller.cancel({ orderId, request: a, deadline: Infinity })))
  t.strictSame(sizes, [1, 1, 256, 42])
})

t.test('an order that a row of another table begins to refer to is cancelled meanwhile', async (t) => {
  const { db, store } = await shop(t, 1)
  await db.query('CREATE TABLE parcels (order_id bigint REFERENCES store_orders.orders)')
  await db.query('BEGIN; INSERT INTO parcels VALUES (1)')
  t.equal(await store.cancel(1n), 'cancelled')
})

async function outcomesOf(db: Pick<Database, 'query'>, ids: number[], requests: string[]) {
  return (await db.query<{ outcomes: (string | null)[] }>(cancelAll, [ids, requests]))[0]?.outcomes
}

t.test('a group returns an outcome for each request, in order', async (t) => {
  const { db } = await shop(t, 4)
  await db.query("UPDATE store_orders.orders SET status = 'shipped' WHERE id = 3")
  const requests = Array.from({ length: 5 }, () => randomUUID())
  const twice = await outcomesOf(db, [1, 3, 9, 1, 2], requests)
  t.strictSame(twice?.toSpliced(3, 1).toSpliced(0, 1), ['already_shipped', 'not_found', 'cancelled'])
  t.strictSame([twice?.[0], twice?.[3]].sort(), ['already_cancelled', 'cancelled'], 'the same order twice')
  t.strictSame(await outcomesOf(db, [], []), [])
})

t.test('the retry of a successful cancellation writes, so it waits for a standby; another one does not', async (t) => {
  const { db } = await shop(t, 1)
  const writer = async () => (await db.query('SELECT xmin::text FROM store_orders.order_cancellations'))[0]?.xmin
  t.strictSame(await outcomesOf(db, [1], [a]), ['cancelled'])
  const first = await writer()
  t.strictSame(await outcomesOf(db, [1], [b]), ['already_cancelled'])
  t.equal(await writer(), first)
  t.strictSame(await outcomesOf(db, [1], [a]), ['cancelled'])
  t.not(await writer(), first)
  await db.query('DELETE FROM store_orders.order_cancellations')
  t.strictSame(await outcomesOf(db, [1], [a]), ['cancelled'], 'also once its request is forgotten')
})

t.test('a retry never cancels an order that was placed again', async (t) => {
  const { db } = await shop(t, 2)
  t.strictSame(await outcomesOf(db, [1], [a]), ['cancelled'])
  for (const removal of ['DELETE FROM store_orders.orders WHERE id = 1', 'TRUNCATE store_orders.orders']) {
    await db.query(removal)
    t.strictSame(await outcomesOf(db, [1], [a]), ['cancelled'], 'of an order that is gone')
    await db.query('INSERT INTO store_orders.orders (id) VALUES (1)')
    t.strictSame(await outcomesOf(db, [1], [a]), ['cancelled'])
    t.strictSame(await db.query('SELECT status FROM store_orders.orders WHERE id = 1'), [{ status: 'pending' }])
  }
  t.strictSame(await outcomesOf(db, [1], [b]), ['cancelled'], 'by another request')
})

t.test('overlapping groups give each order to one request, and never deadlock', async (t) => {
  const { db } = await shop(t, 300)
  let won = 0
  const random = () => randomInt(1, 301)
  const batches = async () => {
    const client = await sessionOn(t, db.url)
    const query: Database['query'] = async (sql, values) => (await client.query(sql, values)).rows
    for (let batch = 0; batch < 30; batch++) {
      const [ids, requests] = [random, randomUUID].map((make) => Array.from({ length: 40 }, () => make()))
      const outcomes = await outcomesOf({ query }, ids as number[], requests as string[])
      won += outcomes?.filter((outcome) => outcome === 'cancelled').length ?? 0
    }
  }
  await Promise.all(Array.from({ length: 8 }, batches))
  const [{ count } = {}] = await db.query("SELECT count(*)::int FROM store_orders.orders WHERE status = 'cancelled'")
  t.equal(won, count)
  t.equal(count, 300)
})
