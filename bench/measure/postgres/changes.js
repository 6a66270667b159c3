// What changes by a service of its own cost: the next list, and the trigger that logs them.
import pg from 'pg'
import { onDatabase, query } from '../../database.js'
import { OURS } from '../../servers.js'
import { median } from '../../statistics.js'
import { contestantsOf } from '../contestants.js'
import { cancelOf } from './after-cancel.js'
import { byPosition, copied } from './copy.js'
import { listsAfter } from './list-client.js'

const WARM_UP = 20
const INSERTED = 300_000
const shipped = 'complete = NOT complete, ship_date = now()'
/** Of random positions. */
const ships = (count, orders) => `UPDATE store_orders.orders SET ${shipped}
  WHERE position IN (SELECT (random() * ${orders - 1})::bigint FROM generate_series(1, ${count}))`
const inserts = `INSERT INTO store_orders.orders (id, pet_id, quantity, ship_date, complete, status)
  SELECT n, n, 1, now(), false, 'pending' FROM generate_series(1, ${INSERTED}) n`

/** A list after 100 orders were shipped in a transaction. @type {import('../../run-row.js').Method} */
export async function afterShips(row, { seconds }) {
  const { orders } = row
  const measures = [
    (database) =>
      withSession(database, (run) => listsAfter(OURS, { database, seconds }, () => run(ships(100, orders)))),
    (database) => listsAfter(OURS, { database, seconds }, cancelOf(orders)),
  ]
  const withDatabase = measures.map((measure) => () => onDatabase(orders, measure))
  return { contestants: contestantsOf(row, withDatabase) }
}

/** A list after every order changed, in seconds. @type {import('../../run-row.js').Method} */
export async function afterAll(row) {
  const changeAll = `UPDATE store_orders.orders SET ${shipped}`
  const measures = [
    (database) =>
      withSession(database, async (run) => {
        const ms = await listsAfter(OURS, { database, seconds: 0, warmUp: 0 }, () => run(changeAll))
        return ms / 1000
      }),
    async (database) => {
      await query(database, changeAll)
      return copied(database, byPosition)
    },
  ]
  const withDatabase = measures.map((measure) => () => onDatabase(row.orders, measure))
  return { contestants: contestantsOf(row, withDatabase) }
}

/** A statement with the log, and without it, in ms. @type {import('../../run-row.js').Method} */
export async function logging(row, { seconds }) {
  const { orders, part } = row
  const statement = part === 'insert' ? inserts : ships(part === 'hundred' ? 100 : 1, orders)
  const measures = [true, false].map(
    (isLogged) => () =>
      onDatabase(part === 'insert' ? 0 : orders, (database) =>
        withSession(database, async (run) => {
          if (!isLogged) await run('ALTER TABLE store_orders.orders DISABLE TRIGGER USER')
          const once = async () => {
            const begin = performance.now()
            await run(statement)
            return performance.now() - begin
          }
          if (part === 'insert') return once()
          for (let warm = 0; warm < WARM_UP; warm++) await once()
          const times = []
          const end = performance.now() + 1000 * seconds
          while (performance.now() < end) times.push(await once())
          return median(times)
        }),
      ),
  )
  return { contestants: contestantsOf(row, measures) }
}

/** @param {string} database @param {(run: (sql: string) => Promise<unknown>) => Promise<number>} use */
async function withSession(database, use) {
  const session = new pg.Client(database)
  await session.connect()
  try {
    return await use((sql) => session.query(sql))
  } finally {
    await session.end()
  }
}
