// How long a client waits for a list to begin after an order was cancelled, beside SELECT 1.
import assert from 'node:assert/strict'
import { envOf, onDatabase, query } from '../../database.js'
import { idAt } from '../../orders.js'
import { OURS, start } from '../../servers.js'
import { contestantsOf } from '../contestants.js'
import { clientOf, listsAfter } from './list-client.js'
import { storeAlone } from './store.js'

/** A prime: the cancelled orders lie in pages far from each other, and no order is named twice. */
const STRIDE = 104_729
const COUNTED = 20

/** @param {number} orders @returns {(client: import('./list-client.js').Client, turn: number) => Promise<unknown>} */
export const cancelOf = (orders) => (client, turn) => client.cancel(idAt((STRIDE * turn) % orders))

/** @type {import('../../run-row.js').Method} */
export async function afterCancel(row, { seconds, say }) {
  say('counting the orders that are read')
  await checkNoPageRead(row.orders)
  const { orders } = row
  const cancel = cancelOf(orders)
  const measures = [
    (database) => listsAfter(OURS, { database, seconds }, cancel),
    (database) => storeAlone('select', { database, seconds, orders }),
    (database) => storeAlone('after-cancel', { database, seconds, orders }),
    (database) => listsAfter('select-one', { database, seconds }, cancel),
  ]
  /** Each run cancels the same orders. */
  const withDatabase = measures.map((measure) => () => onDatabase(orders, measure))
  return { contestants: contestantsOf(row, withDatabase) }
}

/** A page or an order is read by one scan of the index of positions; PostgreSQL counts the entries of each. */
async function checkNoPageRead(orders) {
  const all = await ordersRead(orders, 0)
  const read = (await ordersRead(orders, COUNTED)) - all
  assert.ok(read <= COUNTED, `${read} orders read, a list after each of ${COUNTED} cancels`)
}

function ordersRead(orders, cancels) {
  return onDatabase(orders, async (database) => {
    const server = await start(OURS, undefined, envOf(database))
    const client = clientOf(server.url)
    const cancel = cancelOf(orders)
    try {
      await client.list()
      for (let turn = 0; turn < cancels; turn++) {
        await cancel(client, turn)
        await client.list()
      }
    } finally {
      client.close()
      await server.stop()
    }
    await sessionsEnded(database)
    const [found] = await query(
      database,
      "SELECT idx_tup_read::integer AS orders FROM pg_stat_user_indexes WHERE indexrelname = 'orders_position'",
    )
    return found.orders
  })
}

/** A session hands in its counts when it ends. */
async function sessionsEnded(database) {
  const others = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`
  while ((await query(database, others)).length > 0);
}
