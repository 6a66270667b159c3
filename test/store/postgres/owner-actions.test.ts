// What an owner may do, around changes: every list equals the table, or fails with the cause.
import t, { type Test } from 'tap'
import { fc, longTest, runsOf } from 'test-kit/properties'
import { responds } from 'test-kit/until'
import { listReader } from '../../../store/postgres/list-reader.ts'
import { migrate } from '../../../store/postgres/migrate.ts'
import { as, type Database, database, roleIn, sessionOf, sessionOn } from '../../postgres/database.ts'
import { connectionTo } from '../../postgres/orders.ts'
import { jsonOfPages } from '../list.ts'
import { type OwnerAction, ownerActions } from './owner-actions.ts'

const ORDERS = 20

const remove = (id: number) => `DELETE FROM store_orders.orders WHERE id = ${id}`
const insert = (id: number) => `INSERT INTO store_orders.orders (id, pet_id) VALUES (${id}, 2) ON CONFLICT DO NOTHING`
const cancel = (id: number) => `UPDATE store_orders.orders SET status = 'cancelled' WHERE id = ${id}`
const update = (rest: number, n: number) => `UPDATE store_orders.orders SET quantity = ${n} WHERE id % 3 = ${rest % 3}`
const move = (id: number) => `UPDATE store_orders.orders SET position = DEFAULT WHERE id = ${id}`

const id = fc.integer({ min: 1, max: ORDERS + 5 })
const change = fc.oneof(
  id.map(remove),
  id.map(insert),
  id.map(cancel),
  fc.tuple(id, id).map((two) => update(...two)),
  id.map(move),
)
const action = fc.constantFrom(...Object.values(ownerActions))
const changes = fc.array(change, { minLength: 1, maxLength: 3 })
const randomRound = fc.record({ first: action, second: action, changes, isOneTransaction: fc.boolean() })
type Round = typeof randomRound extends fc.Arbitrary<infer Value> ? Value : never

/** Pairs that have hidden a change, or could. */
const knownPairs: [string, string?][] = [
  ['log the log', 'publish every table'],
  ['write as a replica', 'truncate orders'],
  ['enable triggers in another mode', 'write as a replica'],
  ['analyze', 'a table that inherits from orders'],
]
const nothing: OwnerAction = { apply: 'SELECT' }

t.test('lists around each action equal the table, or say why not', async (t) => {
  const { play } = await played(t)
  const changes = [remove(1), insert(ORDERS + 1), cancel(3), update(1, 7), move(6)]
  for (const [one, other] of [...Object.keys(ownerActions).map((name) => [name] as [string]), ...knownPairs]) {
    const [first, second] = [ownerActions[one] as OwnerAction, other ? (ownerActions[other] as OwnerAction) : nothing]
    for (const isOneTransaction of [true, false])
      await t.resolves(play({ first, second, changes, isOneTransaction }), `${one}, ${other}`)
  }
})

t.test('and so do those around random pairs', longTest(), async (t) => {
  const { play } = await played(t)
  await fc.assert(fc.asyncProperty(randomRound, play), { numRuns: runsOf(15), endOnFailure: true })
})

/** A database, and rounds in it. After a statement that failed, the schema may be another, and is created again. */
async function played(t: Test) {
  const db = await database(t)
  const role = await roleIn(t, db, 'role')
  await create(db, role)
  const readers = [await readerOn(t, db.url), await readerOn(t, as(db.url, role))]
  return {
    async play(round: Round) {
      if (!(await playRound(db, readers, round))) await create(db, role)
    },
  }
}

type Reader = () => Promise<string>

/** @returns false if a statement failed */
async function playRound(db: Database, readers: readonly Reader[], round: Round) {
  const { first, second, changes, isOneTransaction } = round
  await db.query(`DELETE FROM store_orders.orders WHERE status <> 'pending';
    INSERT INTO store_orders.orders (id, pet_id) SELECT id, id % 4 FROM generate_series(1, ${ORDERS}) id ON CONFLICT DO NOTHING`)
  await compare(db, readers, true)
  const before = [first.apply, second.apply, ...changes]
  const after = [second.undo, first.undo].filter((sql) => sql !== undefined)
  if (isOneTransaction && !first.isAlone && !second.isAlone) {
    const isDone = await responds(db.query(`BEGIN; ${[...before, ...after].join('; ')}; COMMIT`))
    await db.query('ROLLBACK; RESET session_replication_role')
    await compare(db, readers, true)
    return isDone
  }
  const between = async () => {
    if (!first.hidesChanges && !second.hidesChanges) await compare(db, readers, false)
  }
  let isDone = true
  for (const [at, some] of [[first.apply, second.apply], changes, after].entries()) {
    for (const sql of some) isDone = (await responds(db.query(sql))) && isDone
    if (at < 2) await between()
  }
  await compare(db, readers, isDone)
  return isDone
}

async function compare(db: Database, readers: readonly Reader[], mustSucceed: boolean) {
  let rows: { list?: string }[] | undefined // once, unless no list can be read
  for (const reader of readers) {
    const list = await reader().catch((error: Error) => {
      if (mustSucceed || error.message === '') throw error
    })
    if (list === undefined) continue
    rows ??= await db.query(`SELECT '[' || coalesce(string_agg(json, ',' ORDER BY position), '') || ']' AS list
      FROM ONLY store_orders.orders WHERE status <> 'cancelled'`)
    if (rows[0]?.list !== list) throw new Error(`listed ${list}, but the table has ${rows[0]?.list}`)
  }
}

/** A reader without the settings of the store's sessions, as behind a pooler that drops them. */
async function readerOn(t: Test, url: string): Promise<Reader> {
  const client = await sessionOn(t, url)
  const read = listReader()
  return async () => {
    try {
      return jsonOfPages(await read(sessionOf(client)))
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
  await migrate(connectionTo(db.url), { grant: role })
}
