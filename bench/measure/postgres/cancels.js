// Cancellations per second over HTTP, and the CPU time of the server and PostgreSQL for each, beside one statement each
// and pgbench, which cancels one order per statement. Server, load and PostgreSQL share two cores.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { databaseCpu, drop, envOf, newDatabase, query } from '../../database.js'
import { load } from '../../load.js'
import { dataFolder, idAt } from '../../orders.js'
import { atRest, cpuOf } from '../../proc.js'
import { BOTH_CORES, start } from '../../servers.js'
import { toolPath } from '../../tools.js'
import { contestantsOf } from '../contestants.js'

const PGBENCH = 'pgbench'
const CLIENTS = 32
const WARM_UP_S = 2
/** More than any machine cancels per second. */
const MOST_A_SECOND = 40_000

/** As idAt in orders.js has it: each client of pgbench takes every so many-th position, each once. */
const script = `\\set n :n + 1
\\set id ${idAt(3)} + (((:first + :n * ${CLIENTS} + :client_id) # 3) * ${idAt(2) - idAt(3)})
SELECT store_orders.cancel_orders(ARRAY[:id]::bigint[], ARRAY[gen_random_uuid()]);
`

/** @type {import('../../run-row.js').Method} */
export async function databaseCancels(row, { seconds }) {
  const least = MOST_A_SECOND * (Math.max(seconds, WARM_UP_S) + 1)
  if (row.orders < least) throw new Error(`${row.name} needs ${least.toLocaleString('en')} orders, or fewer seconds`)
  let database = await newDatabase(row.orders)
  let position = 0

  /** Each time with a fresh server, so that only the one that is measured holds connections. */
  async function measure(entry) {
    if (position + 2 * least > row.orders) {
      await drop(database)
      database = await newDatabase(row.orders)
      position = 0
    }
    if (entry.peer === PGBENCH) {
      await counted(byPgbench, { seconds: WARM_UP_S })
      return (await counted(byPgbench, { seconds })).perSecond
    }
    const server = await start(entry.peer, undefined, { ...envOf(database), ...entry.env }, BOTH_CORES)
    const { connections = CLIENTS } = entry
    const spent = async () => cpuOf(server.pid) + (await databaseCpu())
    try {
      await counted(overHttp, { server, connections, seconds: WARM_UP_S })
      const before = await spent()
      const { perSecond, count } = await counted(overHttp, { server, connections, seconds })
      return { value: perSecond, cpu: ((await spent()) - before) / count }
    } finally {
      await server.stop()
    }
  }

  /** Holds what is said to be cancelled against the database. */
  async function counted(cancel, options) {
    const before = await cancelled(database)
    const { perSecond, count, last } = await cancel({ ...options, database, position })
    const done = (await cancelled(database)) - before
    assert.ok(done >= count && done <= count + CLIENTS, `${count} answers, ${done} orders cancelled`)
    position = last
    return { perSecond, count }
  }

  const measures = row.entries.map((entry) => () => measure(entry))
  return { contestants: contestantsOf(row, measures), stop: () => drop(database) }
}

async function overHttp({ server, connections, position, seconds }) {
  const options = { seconds, connections, cancelEvery: 1, position, cores: BOTH_CORES }
  const { requests, perSecond } = await load(server.url, options)
  await atRest(server.pid)
  return { perSecond, count: requests, last: position + requests + 2 * connections }
}

async function byPgbench({ database, position, seconds }) {
  const file = join(dataFolder, 'cancel.pgbench')
  writeFileSync(file, script)
  const { stdout } = await promisify(execFile)(
    'taskset',
    [
      ...['-c', BOTH_CORES, String(toolPath(PGBENCH)), '-n', '-M', 'prepared', '-f', file],
      ...['-c', CLIENTS, '-j', 1, '-T', seconds, '-D', `first=${position}`, '-D', 'n=-1', database],
    ].map(String),
  )
  const read = (pattern) => Number(pattern.exec(stdout)?.[1])
  const count = read(/processed: (\d+)/)
  // Some clients are ahead of others.
  return { perSecond: read(/^tps = ([\d.]+)/m), count, last: position + 2 * count + CLIENTS }
}

async function cancelled(database) {
  const count = "SELECT count(*)::integer AS orders FROM store_orders.orders WHERE status = 'cancelled'"
  return (await query(database, count))[0].orders
}
