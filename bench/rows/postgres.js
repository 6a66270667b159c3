// The store in PostgreSQL, which shares both cores with the server and the load. CPU time is that of the server, or of the
// client that takes its place, and of PostgreSQL.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { databaseCpu, onDatabase, query, withSession } from '../database.js'
import { load, send } from '../load.js'
import { dataFolder, idAt } from '../orders.js'
import { atRest, cpuOf } from '../proc.js'
import { median } from '../report.js'
import { BOTH_CORES, OURS, SERVER_CORE, withServer } from '../servers.js'

const run = promisify(execFile)
const ORDERS = 300_000
const FEW = 1000
const CLIENTS = 32
const WARM_UP_S = 2
const MEASURED_S = 2
/** A prime, so that consecutive cancellations affect distant pages. */
const STRIDE = 104_729
const ships = `UPDATE store_orders.orders SET complete = NOT complete, ship_date = now()
  WHERE position IN (SELECT (random() * ${ORDERS - 1})::bigint FROM generate_series(1, 100))`
const copy = "COPY (SELECT json FROM store_orders.orders WHERE status <> 'cancelled' ORDER BY position) TO STDOUT"
const cancelled = "SELECT count(*)::integer AS orders FROM store_orders.orders WHERE status = 'cancelled'"

/** The formula of idAt: each client takes every 32nd position, each once. */
const pgbenchScript = `\\set n :n + 1
\\set id ${idAt(3)} + (((:first + :n * ${CLIENTS} + :client_id) # 3) * ${idAt(2) - idAt(3)})
SELECT store_orders.cancel_orders(ARRAY[:id]::bigint[], ARRAY[gen_random_uuid()]);
`

export const cancels = () => ({
  [OURS]: () =>
    onDatabase(ORDERS, async (database, env) => {
      const sample = await startedAndLoaded(env, { connections: CLIENTS, cancelEvery: 1 })
      const [counted] = await query(database, cancelled)
      assert.ok(counted.orders > sample.value, 'responses without a cancellation')
      return sample
    }),
  pgbench: () =>
    onDatabase(ORDERS, async (database) => {
      const warmUp = await pgbench(database, WARM_UP_S, 0)
      const before = await spentByClients()
      const { count, perSecond } = await pgbench(database, MEASURED_S, 2 * warmUp.count + CLIENTS)
      return { value: perSecond, cpu: ((await spentByClients()) - before) / count }
    }),
})

/** How long a client that has the list waits to learn that it is unchanged. */
export const unchanged = () => ({
  [OURS]: () =>
    onDatabase(ORDERS, (_database, env) =>
      withServer(OURS, { env, cores: BOTH_CORES }, async (server) => {
        const { headers } = await send(server.url)
        const known = { 'If-None-Match': String(headers.etag) }
        const { p50, cpu } = await loaded(server, { headers: known, connections: 1 })
        return { value: p50, cpu }
      }),
    ),
  'SELECT 1': () =>
    onDatabase(FEW, (database) =>
      withSession(database, async (session) => {
        const selectOne = () => session.query({ name: 'one', text: 'SELECT 1' })
        await timed(WARM_UP_S, selectOne)
        const before = cpuOf(process.pid) + (await databaseCpu())
        const times = await timed(MEASURED_S, selectOne)
        const spent = cpuOf(process.pid) + (await databaseCpu()) - before
        return { value: median(times), cpu: spent / times.length }
      }),
    ),
})

/** The first list of a fresh server, which reads every order, in seconds. */
export const firstList = () => ({
  [OURS]: () =>
    onDatabase(ORDERS, (_database, env) =>
      withServer(OURS, { env }, async ({ pid, url }) => {
        await atRest(pid)
        const before = cpuOf(pid) + (await databaseCpu())
        const { ms, status } = await send(url)
        assert.equal(status, 200)
        return { value: ms / 1000, cpu: cpuOf(pid) + (await databaseCpu()) - before }
      }),
    ),
  'COPY by psql': () =>
    onDatabase(ORDERS, async (database) => {
      const args = ['-X', '-q', '-o', '/dev/null', '-c', copy, database]
      const [before, begin] = [await spentByClients(), performance.now()]
      await run('taskset', ['-c', SERVER_CORE, 'psql', ...args], { env: { ...process.env, PGOPTIONS: '-c jit=off' } })
      const value = (performance.now() - begin) / 1000
      return { value, cpu: (await spentByClients()) - before }
    }),
})

/** How long a client waits until a list begins, after other services changed orders, or after a cancellation. */
export const changes = () => ({
  '100 orders shipped in a transaction': () =>
    onDatabase(ORDERS, (database, env) =>
      withSession(database, (session) => listsAfter(env, () => session.query(ships))),
    ),
  'one order cancelled': () =>
    onDatabase(ORDERS, (_database, env) => {
      let turn = 0
      return listsAfter(env, async (url) => {
        const { status } = await send(`${url}/${idAt((STRIDE * turn++) % ORDERS)}`, { method: 'DELETE' })
        assert.equal(status, 204)
      })
    }),
})

/** One connection, so that no request shares a statement with others. */
export const oneByOne = () => ({
  'a GET of 1,000 unchanged orders': () =>
    onDatabase(FEW, (_database, env) => startedAndLoaded(env, { connections: 1 })),
  'a DELETE': () => onDatabase(ORDERS, (_database, env) => startedAndLoaded(env, { connections: 1, cancelEvery: 1 })),
})

/** @param {Record<string, string>} env @param {import('../load.js').Load} options */
const startedAndLoaded = (env, options) =>
  withServer(OURS, { env, cores: BOTH_CORES }, (server) => loaded(server, options))

/** @param {import('../servers.js').Server} server @param {import('../load.js').Load} options */
function loaded(server, options) {
  const spent = async () => cpuOf(server.pid) + (await databaseCpu())
  return load(server, { ...options, cores: BOTH_CORES, spent })
}

/** @param {Record<string, string>} env @param {(url: string) => Promise<unknown>} change */
function listsAfter(env, change) {
  return withServer(OURS, { env }, async ({ url }) => {
    const once = async () => {
      await change(url)
      return (await send(url)).firstByte
    }
    await send(url)
    await timed(WARM_UP_S, once)
    return { value: median(await timed(2 * MEASURED_S, once)) }
  })
}

/**
 * Repeats for some seconds.
 * @param {number} seconds
 * @param {() => Promise<unknown>} act may return a time of its own
 * @returns {Promise<number[]>} ms
 */
async function timed(seconds, act) {
  const times = []
  const end = performance.now() + 1000 * seconds
  while (performance.now() < end) {
    const begin = performance.now()
    const duration = await act()
    times.push(typeof duration === 'number' ? duration : performance.now() - begin)
  }
  return times
}

/** @param {string} database @param {number} seconds @param {number} first position to cancel */
async function pgbench(database, seconds, first) {
  const file = join(dataFolder(), 'cancel.pgbench')
  writeFileSync(file, pgbenchScript)
  const { stdout } = await run('taskset', [
    ...['-c', BOTH_CORES, 'pgbench', '-n', '-M', 'prepared', '-f', file, '-c', String(CLIENTS), '-j', '1'],
    ...['-T', String(seconds), '-D', `first=${first}`, '-D', 'n=-1', database],
  ])
  const [, count] = /processed: (\d+)/.exec(stdout) ?? []
  const [, perSecond] = /^tps = ([\d.]+)/m.exec(stdout) ?? []
  return { count: Number(count), perSecond: Number(perSecond) }
}

/** By PostgreSQL and the programs that have ended. */
const spentByClients = async () => cpuOf(process.pid, { isWithEnded: true }) + (await databaseCpu())
