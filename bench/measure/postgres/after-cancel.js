// How long a client waits for a list to begin after an order was cancelled, beside SELECT 1.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { drop, envOf, newDatabase, query } from '../../database.js'
import { idAt } from '../../orders.js'
import { KEY, OURS, start } from '../../servers.js'
import { median } from '../../statistics.js'
import { contestantsOf } from '../contestants.js'
import { storeAlone } from './store.js'

/** A prime: the cancelled orders lie in pages far from each other, and no order is named twice. */
const STRIDE = 104_729
const COUNTED = 20
const WARM_UP = 10

const headers = { authorization: `Bearer ${KEY}` }

/** @type {import('../../run-row.js').Method} */
export async function afterCancel(row, { seconds, say }) {
  say('counting the orders that are read')
  await checkNoPageRead(row.orders)
  const { orders } = row
  /** Each run cancels the same orders. @param {(database: string) => Promise<number>} measure */
  const withDatabase = async (measure) => {
    const database = await newDatabase(orders)
    return measure(database).finally(() => drop(database))
  }
  const measures = [
    () => withDatabase((database) => overHttp(OURS, { database, seconds, orders })),
    () => withDatabase((database) => storeAlone('select', { database, seconds, orders })),
    () => withDatabase((database) => storeAlone('after-cancel', { database, seconds, orders })),
    () => withDatabase((database) => overHttp('select-one', { database, seconds, orders })),
  ]
  return { contestants: contestantsOf(row, measures), stop: async () => {} }
}

/** The median in ms. */
async function overHttp(peer, { database, seconds, orders }) {
  const server = await start(peer, undefined, envOf(database))
  const client = clientOf(server.url, orders)
  try {
    await client.list()
    for (let turn = 0; turn < WARM_UP; turn++) await client.listAfterCancel()
    const times = []
    const end = performance.now() + 1000 * seconds
    while (performance.now() < end) times.push(await client.listAfterCancel())
    return median(times)
  } finally {
    client.close()
    await server.stop()
  }
}

/** A page or an order is read by one scan of the index of positions; PostgreSQL counts the entries of each. */
async function checkNoPageRead(orders) {
  const all = await ordersRead(orders, 0)
  const read = (await ordersRead(orders, COUNTED)) - all
  assert.ok(read <= COUNTED, `${read} orders read, a list after each of ${COUNTED} cancels`)
}

async function ordersRead(orders, cancels) {
  const database = await newDatabase(orders)
  try {
    const server = await start(OURS, undefined, envOf(database))
    const client = clientOf(server.url, orders)
    try {
      await client.list()
      for (let turn = 0; turn < cancels; turn++) await client.listAfterCancel()
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
  } finally {
    await drop(database)
  }
}

/** A session hands in its counts when it ends. */
async function sessionsEnded(database) {
  const others = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`
  while ((await query(database, others)).length > 0);
}

function clientOf(url, orders) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let turn = 0

  /** Milliseconds until the response begins; its body is read, too. */
  async function send(target, method, status) {
    const begin = performance.now()
    const [response] = await once(request(target, { method, headers, agent }).end(), 'response')
    const lasted = performance.now() - begin
    for await (const _ of response);
    assert.equal(response.statusCode, status, `${method}`)
    return lasted
  }
  const list = () => send(url, 'GET', 200)
  return {
    list,
    async listAfterCancel() {
      await send(`${url}/${idAt((STRIDE * turn++) % orders)}`, 'DELETE', 204)
      return list()
    },
    close: () => agent.destroy(),
  }
}
