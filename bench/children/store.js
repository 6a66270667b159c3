// Prints the median milliseconds of a store operation, without HTTP. Arguments: select, unchanged or after-cancel;
// seconds; orders.
import assert from 'node:assert/strict'
import process from 'node:process'
import { idAt } from '../orders.js'
import { median } from '../statistics.js'

const WARM_UP = 200
/** A prime, so that consecutive cancellations affect distant pages. */
const STRIDE = 104_729
const TIMEOUT_MS = 60_000

/** Not a static import: the build creates it. */
const built = (file) => import(new URL(`../../dist/store/postgres/${file}.js`, import.meta.url).href)
const { openSessions } = await built('sessions')
const { parseConnectionString } = await built('connection-string')
const { postgresOrderStore } = await built('postgres-store')
const [way = '', seconds, orders] = process.argv.slice(2)
const connection = parseConnectionString(process.env.DATABASE_URL, process.env)
const sessions = openSessions({ connection, poolSize: 10, timeout: TIMEOUT_MS })
const store = postgresOrderStore(sessions, { timeout: TIMEOUT_MS })

let turn = 0
const nothing = async () => {}
/** The timed operations, with their preparation. */
const ways = {
  select: [() => sessions.run((session) => session.query({ name: 'one', text: 'SELECT 1' })), nothing],
  unchanged: [store.list, nothing],
  'after-cancel': [
    store.list,
    async () => assert.equal(await store.cancel(BigInt(idAt((STRIDE * turn++) % Number(orders)))), 'cancelled'),
  ],
}
const [work, before] = ways[way]
await work()
for (let done = 0; done < WARM_UP; done++) await before().then(work)
const times = []
const end = performance.now() + 1000 * Number(seconds)
while (performance.now() < end) {
  await before()
  const begin = performance.now()
  await work()
  times.push(performance.now() - begin)
}
await store.close()
console.log(median(times))
