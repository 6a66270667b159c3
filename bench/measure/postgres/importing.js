// The import of a file, beside psql's \copy of the same rows into the same tables.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { cli, drop, newDatabase, query } from '../../database.js'
import { dataFolder, ordersFile } from '../../orders.js'
import { BOTH_CORES } from '../../servers.js'
import { toolPath } from '../../tools.js'
import { contestantsOf } from '../contestants.js'

const run = promisify(execFile)
const columns = 'id, pet_id, quantity, ship_date, complete, status'

/** @type {import('../../run-row.js').Method} */
export async function importing(row) {
  const file = await ordersFile(row.orders)
  const rows = await rowsFile(row.orders)
  const commands = [
    (url) => [process.execPath, cli, 'import', file, { DATABASE_URL: url }],
    (url) => psql(url, `\\copy store_orders.orders (${columns}) from '${rows}'`),
  ]
  return {
    contestants: contestantsOf(
      row,
      commands.map((command) => () => timed(command, row.orders)),
    ),
    stop: async () => rmSync(rows),
  }
}

/** Seconds of a command that fills an empty database. */
async function timed(command, orders) {
  const database = await newDatabase(0)
  try {
    const begin = performance.now()
    await execute(command(database))
    const seconds = (performance.now() - begin) / 1000
    const [found] = await query(database, 'SELECT count(*)::integer AS orders FROM store_orders.orders')
    assert.equal(found.orders, orders)
    return seconds
  } finally {
    await drop(database)
  }
}

/** The rows in psql's format. */
async function rowsFile(orders) {
  const path = join(dataFolder, 'orders.tsv')
  const database = await newDatabase(orders)
  await execute(psql(database, `\\copy (select ${columns} from store_orders.orders order by position) to '${path}'`))
  await drop(database)
  return path
}

const psql = (url, command) => [String(toolPath('psql')), '-X', '-q', '-c', command, url, {}]

function execute(command) {
  const env = command.at(-1)
  return run('taskset', ['-c', BOTH_CORES, ...command.slice(0, -1)], { env: { PATH: process.env.PATH, ...env } })
}
