// Times the store without HTTP, in a process on the servers' core, and a round trip to the database.
import { execFile } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { SERVER_CORE } from '../../servers.js'

const child = fileURLToPath(new URL('../../children/store.js', import.meta.url))

/**
 * The median in ms.
 * @param {'select' | 'unchanged' | 'after-cancel'} way
 * @param {{ database: string, seconds: number, orders: number }} options
 */
export async function storeAlone(way, { database, seconds, orders }) {
  const args = ['-c', SERVER_CORE, process.execPath, child, way, String(seconds), String(orders)]
  const { stdout } = await promisify(execFile)('taskset', args, {
    env: { PATH: process.env.PATH, DATABASE_URL: database },
  })
  return Number(stdout)
}
