// The first list of a fresh server, which reads every order: its time beside psql's, and the memory that it leaves taken.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { drop, envOf, newDatabase } from '../../database.js'
import { ask } from '../../http.js'
import { atRest, memoryOf } from '../../proc.js'
import { OURS, SERVER_CORE, start } from '../../servers.js'
import { toolPath } from '../../tools.js'
import { contestantsOf } from '../contestants.js'

const run = promisify(execFile)
const listedOrders = "FROM store_orders.orders WHERE status <> 'cancelled'"
const byOrder = `COPY (SELECT json ${listedOrders} ORDER BY position) TO STDOUT`
/** As the server reads it. */
const byPage = `COPY (SELECT string_agg(json, ',' ORDER BY position) ${listedOrders}
  GROUP BY position >> 10 ORDER BY position >> 10) TO STDOUT`

/** @type {import('../../run-row.js').Method} */
export async function firstList(row) {
  const database = await newDatabase(row.orders)
  const measures = [
    () => listed(database, ({ seconds }) => seconds),
    ...[byOrder, byPage].map((copy) => () => copied(database, copy)),
  ]
  return { contestants: contestantsOf(row, measures), stop: () => drop(database) }
}

/** @type {import('../../run-row.js').Method} */
export async function listedMemory(row) {
  const database = await newDatabase(row.orders)
  const measure = () => listed(database, ({ resident }) => resident)
  return { contestants: contestantsOf(row, [measure]), stop: () => drop(database) }
}

/** @param {string} database @param {(figures: { seconds: number, resident: number }) => number} choose */
async function listed(database, choose) {
  const server = await start(OURS, undefined, envOf(database))
  try {
    await atRest(server.pid)
    const { seconds, status } = await ask(server.url)
    if (status !== 200) throw new Error(`the list was answered with ${status}`)
    await atRest(server.pid)
    return choose({ seconds, resident: memoryOf(server.pid).resident })
  } finally {
    await server.stop()
  }
}

async function copied(database, copy) {
  const args = ['-c', SERVER_CORE, toolPath('psql'), '-X', '-q', '-o', '/dev/null', '-c', copy, database]
  const begin = performance.now()
  await run('taskset', args.map(String), { env: { PGOPTIONS: '-c jit=off' } })
  return (performance.now() - begin) / 1000
}
