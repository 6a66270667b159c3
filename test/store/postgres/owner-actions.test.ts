// Random pairs of what an owner may do, around changes: every list equals the table, or fails with the cause.
import type pg from 'pg'
import t, { type Test } from 'tap'
import { parseConnectionString } from '../../../store/postgres/connection-string.ts'
import { listReader } from '../../../store/postgres/list-reader.ts'
import { migrate } from '../../../store/postgres/migrate.ts'
import { fc, longTest, runsOf } from '../../fixtures/properties.ts'
import { type Database, database } from '../../postgres/database.ts'
import { as, roleIn } from '../../postgres/roles.ts'
import { sessionOn } from './locks.ts'
import { type OwnerAction, ownerActions } from './owner-actions.ts'

const ORDERS = 20

const id = fc.integer({ min: 1, max: ORDERS + 5 })
const change = fc.oneof(
  id.map((id) => `DELETE FROM store_orders.orders WHERE id = ${id}`),
  id.map((id) => `INSERT INTO store_orders.orders (id, pet_id) VALUES (${id}, 2) ON CONFLICT DO NOTHING`),
  id.map((id) => `UPDATE store_orders.orders SET status = 'cancelled' WHERE id = ${id}`),
  fc.tuple(id, id).map(([id, n]) => `UPDATE store_orders.orders SET quantity = ${n} WHERE id % 3 = ${id % 3}`),
  id.map((id) => `UPDATE store_orders.orders SET position = DEFAULT WHERE id = ${id}`),
)
const action = fc.constantFrom(...ownerActions)
const round = fc.record({
  first: action,
  second: action,
  changes: fc.array(change, { minLength: 1, maxLength: 3 }),
  isOneTransaction: fc.boolean(),
})

interface Round {
  first: OwnerAction
  second: OwnerAction
  changes: string[]
  isOneTransaction: boolean
}

t.test('lists around random pairs of actions equal the table, or say why not', longTest, async (t) => {
  const db = await database(t)
  const role = await roleIn(t, db, 'role')
  await create(db, role)
  const readers = [await readerOn(t, db.url), await readerOn(t, as(db.url, role))]
  const property = fc.asyncProperty(round, async (round) => {
    if (await play(db, readers, round)) return
    await create(db, role)
  })
  await fc.assert(property, { numRuns: runsOf(40), endOnFailure: true })
})

type Reader = () => Promise<string>

/** @returns false if a statement failed, after which the schema may be another */
async function play(db: Database, readers: readonly Reader[], { first, second, changes, isOneTransaction }: Round) {
  await db.query(`DELETE FROM store_orders.orders WHERE status <> 'pending';
    INSERT INTO store_orders.orders (id, pet_id) SELECT id, id % 4 FROM generate_series(1, ${ORDERS}) id ON CONFLICT DO NOTHING`)
  await compare(db, readers, true)
  const before = [first.apply, second.apply, ...changes]
  const after = [second.undo, first.undo].filter((sql) => sql !== undefined)
  if (isOneTransaction && !first.isAlone && !second.isAlone) {
    const isDone = await succeeds(db, `BEGIN; ${[...before, ...after].join('; ')}; COMMIT`)
    await db.query('ROLLBACK; RESET session_replication_role')
    await compare(db, readers, true)
    return isDone
  }
  const between = async () => {
    if (!first.hidesChanges && !second.hidesChanges) await compare(db, readers, false)
  }
  const done = []
  for (const sql of [first.apply, second.apply]) done.push(await succeeds(db, sql))
  await between()
  for (const sql of changes) done.push(await succeeds(db, sql))
  await between()
  for (const sql of after) done.push(await succeeds(db, sql))
  const isDone = !done.includes(false)
  await compare(db, readers, isDone)
  return isDone
}

async function compare(db: Database, readers: readonly Reader[], mustSucceed: boolean) {
  for (const reader of readers) {
    const list = await reader().catch((error: Error) => {
      if (mustSucceed || error.message === '') throw error
    })
    if (list === undefined) continue
    const [row] = await db.query<{ list: string }>(`SELECT coalesce(string_agg(json, ',' ORDER BY position), '') AS list
      FROM ONLY store_orders.orders WHERE status <> 'cancelled'`)
    if (row?.list !== list) throw new Error(`listed ${list}, but the table has ${row?.list}`)
  }
}

const succeeds = (db: Database, sql: string) =>
  db.query(sql).then(
    () => true,
    () => false,
  )

/** A reader without the settings of the store's sessions, as behind a pooler that drops them. */
async function readerOn(t: Test, url: string): Promise<Reader> {
  const client = await sessionOn(t, url)
  const read = listReader()
  async function query<Row extends pg.QueryResultRow>(query: { name?: string; text: string }, values: unknown[] = []) {
    return (await client.query<Row>({ ...query, values })).rows
  }
  return async () => {
    try {
      return (await read({ query }))
        .map((page) => page.json())
        .join('')
        .slice(1)
    } catch (error) {
      await client.query('ROLLBACK')
      throw error
    }
  }
}

async function create(db: Database, role: string) {
  await db.query(`DROP PUBLICATION IF EXISTS everything; DROP SCHEMA IF EXISTS store_orders, other CASCADE;
    DROP TABLE IF EXISTS parent, child, pets, definition, copy_of_orders, copy_of_order_log, copy_of_order_log_epoch CASCADE;
    DROP FUNCTION IF EXISTS other_service() CASCADE; RESET session_replication_role`)
  await migrate(parseConnectionString(db.url, {}), { grant: role })
}
