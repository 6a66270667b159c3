// Measures the constants of the model, and the points that check it: node bench/scaling/measure.js, after a build. CPU time,
// which other work on the machine changes less than the duration.
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseCpu, endDatabases, onDatabase, withSession } from '../database.js'
import { send } from '../load.js'
import { idAt } from '../orders.js'
import { atRest, cpuOf, memoryOf } from '../proc.js'
import { BOTH_CORES, LOAD_CORE, moveTo, OURS, withServer } from '../servers.js'
import { cpuOfMix } from './model.js'

const ORDERS = 100_000
const FEW = 1_000
const MANY = 300_000
/** After these, a server's code is compiled. */
const WARM_UP = { gets: 2_500, turns: 400 }
/** The requests of one turn of the mix. */
const MIX = { gets: 5, turns: 300 }
const unchanged = { headers: { 'if-none-match': '*' } }
const updateOf = (/** @type {number} */ count) =>
  `UPDATE store_orders.orders SET quantity = quantity + 1 WHERE position IN (SELECT (random() * ${ORDERS - 1})::bigint FROM generate_series(1, ${count}))`

/** @typedef {import('../servers.js').Server} Server */

/** CPU in µs of an instance in a second without requests: its timers. */
let idle = 0

/** Other work on the machine makes CPU time longer, never shorter: the least of these counts. */
const ROUNDS = 3

/**
 * CPU in µs of the servers and of PostgreSQL, each time that something is done.
 * @param {readonly Server[]} servers @param {number} count @param {(turn: number) => Promise<unknown>} act
 */
async function costOf(servers, count, act) {
  const spent = async () => [servers.reduce((sum, { pid }) => sum + cpuOf(pid), 0), await databaseCpu()]
  const rounds = count < ROUNDS ? 1 : ROUNDS
  const each = Math.floor(count / rounds)
  const least = { server: Number.POSITIVE_INFINITY, database: Number.POSITIVE_INFINITY }
  for (let round = 0; round < rounds; round++) {
    for (const { pid } of servers) await atRest(pid)
    const [server = 0, database = 0] = await spent()
    const began = performance.now()
    for (let turn = 0; turn < each; turn++) await act(round * each + turn)
    for (const { pid } of servers) await atRest(pid)
    const [serverAfter = 0, databaseAfter = 0] = await spent()
    const waited = (idle * servers.length * (performance.now() - began)) / 1000
    least.server = Math.min(least.server, (serverAfter - server - waited) / each)
    least.database = Math.min(least.database, (databaseAfter - database) / each)
  }
  return least
}

/** @param {Record<string, string>} env @param {number} count @param {(servers: Server[]) => Promise<unknown>} use */
async function withServers(env, count, use, /** @type {Server[]} */ running = []) {
  if (running.length === count) return use(running)
  return withServer(OURS, { env, cores: BOTH_CORES }, (server) => withServers(env, count, use, [...running, server]))
}

/** @param {Cost} cost @param {Cost} other */
const less = (cost, other) => ({
  server: Math.max(0, cost.server - other.server),
  database: Math.max(0, cost.database - other.database),
})
/** @typedef {{ server: number, database: number }} Cost */

/** @param {string} database @param {Record<string, string>} env */
async function constantsOn(database, env) {
  return withSession(database, (session) =>
    withServer(OURS, { env, cores: BOTH_CORES }, async (server) => {
      const { url } = server
      let bytes = 0
      const cold = await costOf([server], 1, async () => {
        bytes = (await send(url)).body.length
      })
      const cancel = (/** @type {number} */ turn) => send(`${url}/${idAt(ORDERS - 1 - turn)}`, { method: 'DELETE' })
      for (let turn = 0; turn < WARM_UP.gets; turn++) await send(url, unchanged)
      for (let turn = 0; turn < 2 * WARM_UP.turns; turn++) await cancel(turn)
      idle = (await costOf([server], 10, () => sleep(1000))).server
      const same = await costOf([server], 1_500, () => send(url, unchanged))
      const cancelled = await costOf([server], 500, (turn) => cancel(2 * WARM_UP.turns + turn))
      const list = await costOf([server], 30, () => send(url))
      const gzip = { headers: { 'accept-encoding': 'gzip' } }
      let zipped = await send(url, gzip)
      for (let tries = 0; !zipped.headers['content-encoding'] && tries < 300; tries++) zipped = await send(url, gzip)
      const seen = async (/** @type {number} */ count) => {
        const update = await costOf([server], 200, () => session.query(updateOf(count)))
        await send(url, unchanged)
        const both = await costOf([server], 200, async () => {
          await session.query(updateOf(count))
          await send(url, unchanged)
        })
        return less(both, update)
      }
      const [single, many] = [await seen(1), await seen(101)]
      const change = less(many, single)
      return {
        bytesPerOrder: bytes / ORDERS,
        gzipRatio: zipped.body.length / bytes,
        idlePerSecond: idle,
        unchanged: same,
        cancel: cancelled,
        changed: single,
        perChange: { server: change.server / 100, database: change.database / 100 },
        perListMegabyte: (list.server - same.server) / (bytes / 1e6),
        coldPerOrder: { server: cold.server / ORDERS, database: cold.database / ORDERS },
      }
    }),
  )
}

/** MB, after the first list. */
const memoryWith = (/** @type {number} */ orders) =>
  onDatabase(orders, (_database, env) =>
    withServer(OURS, { env, cores: BOTH_CORES }, async ({ pid, url }) => {
      for (let turn = 0; turn < WARM_UP.gets; turn++) await send(url, unchanged)
      await atRest(pid)
      return memoryOf(pid)
    }),
  )

/** @param {Record<string, string>} env @param {number} instances @param {import('./model.js').Constants} constants */
async function pointOf(env, instances, constants) {
  let measured = { server: 0, database: 0 }
  await withServers(env, instances, async (servers) => {
    let [gets, cancels] = [0, 0]
    const urlOf = (/** @type {number} */ at) => /** @type {Server} */ (servers[at % instances]).url
    const turn = async () => {
      await send(`${urlOf(cancels)}/${idAt(cancels++)}`, { method: 'DELETE' })
      for (let get = 0; get < MIX.gets; get++) await send(urlOf(gets++), unchanged)
    }
    for (const { url } of servers) for (let get = 0; get < WARM_UP.gets; get++) await send(url, unchanged)
    for (let warmUp = 0; warmUp < WARM_UP.turns * instances; warmUp++) await turn()
    measured = await costOf(servers, MIX.turns, turn)
  })
  return { instances, measured, predicted: cpuOfMix(constants, { ...MIX, instances }) }
}

moveTo(LOAD_CORE)
try {
  const costs = await onDatabase(ORDERS, constantsOn)
  const [few, many] = [await memoryWith(FEW), await memoryWith(MANY)]
  const constants = { ...costs, memoryBase: few, memoryPerOrder: ((many - few) * 1e6) / (MANY - FEW) }
  const points = []
  for (const instances of [1, 2, 4])
    points.push(await onDatabase(ORDERS, (_database, env) => pointOf(env, instances, constants)))
  const measured = { date: new Date().toISOString().slice(0, 10), machine: `${cpus().length} cores`, constants, points }
  writeFileSync(new URL('constants.json', import.meta.url), `${JSON.stringify(measured, undefined, 2)}\n`)
  console.log(JSON.stringify(measured, undefined, 2))
} finally {
  await endDatabases()
}
process.exit()
