// The orders by psql's COPY, which a list is compared with.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { SERVER_CORE } from '../../servers.js'
import { toolPath } from '../../tools.js'

const run = promisify(execFile)
const listedOrders = "FROM store_orders.orders WHERE status <> 'cancelled'"
export const byPosition = `COPY (SELECT json ${listedOrders} ORDER BY position) TO STDOUT`
/** As the server reads it. */
export const byPage = `COPY (SELECT string_agg(json, ',' ORDER BY position) ${listedOrders}
  GROUP BY position >> 10 ORDER BY position >> 10) TO STDOUT`

/** Seconds. @param {string} database @param {string} copy */
export async function copied(database, copy) {
  const args = ['-c', SERVER_CORE, toolPath('psql'), '-X', '-q', '-o', '/dev/null', '-c', copy, database]
  const begin = performance.now()
  await run('taskset', args.map(String), { env: { PGOPTIONS: '-c jit=off' } })
  return (performance.now() - begin) / 1000
}
