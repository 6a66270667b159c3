// Cancels a second over HTTP, beside pgbench calling the same function. Server, load and PostgreSQL share two cores.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { drop, envOf, newDatabase, query } from '../../database.js'
import { load } from '../../load.js'
import { dataFolder, idAt } from '../../orders.js'
import { atRest } from '../../proc.js'
import { BOTH_CORES, OURS, start } from '../../servers.js'
import { toolPath } from '../../tools.js'
import { contestantsOf } from '../contestants.js'

const CONNECTIONS = 32
const WARM_UP_S = 2
/** More than any machine cancels in a second. */
const MOST_A_SECOND = 40_000

/** As idAt in orders.js has it: each client of pgbench takes every so many-th position, each once. */
const script = `\\set n :n + 1
\\set id ${idAt(3)} + (((:first + :n * ${CONNECTIONS} + :client_id) # 3) * ${idAt(2) - idAt(3)})
SELECT store_orders.cancel_order(:id, gen_random_uuid());
`

/** @type {import('../../run-row.js').Method} */
export async function databaseCancels(row, { seconds }) {
  const least = MOST_A_SECOND * (Math.max(seconds, WARM_UP_S) + 1)
  if (row.orders < least) throw new Error(`${row.name} needs ${least.toLocaleString('en')} orders, or fewer seconds`)
  let database = await newDatabase(row.orders)
  let server = await start(OURS, undefined, envOf(database), BOTH_CORES)
  let position = 0
  const ways = [overHttp, byPgbench]
  const stop = async () => {
    await server.stop()
    await drop(database)
  }

  async function measure(cancel, lasting) {
    if (position + least > row.orders) {
      await stop()
      database = await newDatabase(row.orders)
      server = await start(OURS, undefined, envOf(database), BOTH_CORES)
      position = 0
      await measure(overHttp, WARM_UP_S)
    }
    const before = await cancelled(database)
    const { perSecond, count, last } = await cancel({ url: server.url, database, position, seconds: lasting })
    await atRest(server.pid)
    const done = (await cancelled(database)) - before
    assert.ok(done >= count && done <= count + CONNECTIONS, `${count} answers, ${done} orders cancelled`)
    position = last
    return perSecond
  }

  try {
    for (const cancel of ways) await measure(cancel, WARM_UP_S)
  } catch (error) {
    await stop()
    throw error
  }
  const measures = ways.map((cancel) => () => measure(cancel, seconds))
  return { contestants: contestantsOf(row, measures), stop }
}

async function overHttp({ url, position, seconds }) {
  const options = { seconds, connections: CONNECTIONS, cancelEvery: 1, position, cores: BOTH_CORES }
  const { requests, perSecond } = await load(url, options)
  return { perSecond, count: requests, last: position + requests + 2 * CONNECTIONS }
}

async function byPgbench({ database, position, seconds }) {
  const file = join(dataFolder, 'cancel.pgbench')
  writeFileSync(file, script)
  const { stdout } = await promisify(execFile)(
    'taskset',
    [
      ...['-c', BOTH_CORES, String(toolPath('pgbench')), '-n', '-M', 'prepared', '-f', file],
      ...['-c', CONNECTIONS, '-j', 1, '-T', seconds, '-D', `first=${position}`, '-D', 'n=-1', database],
    ].map(String),
  )
  const read = (pattern) => Number(pattern.exec(stdout)?.[1])
  const count = read(/processed: (\d+)/)
  // Some clients are ahead of others.
  return { perSecond: read(/^tps = ([\d.]+)/m), count, last: position + 2 * count + CONNECTIONS }
}

async function cancelled(database) {
  const count = "SELECT count(*)::integer AS orders FROM store_orders.orders WHERE status = 'cancelled'"
  return (await query(database, count))[0].orders
}
