// The measure of what a round trip to the database costs: SELECT 1, beside which lists are put.
import { execFile } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { SERVER_CORE } from '../../servers.js'

const child = fileURLToPath(new URL('../../children/select-1.js', import.meta.url))

/** The median in ms, of a process on the core of the servers. @param {string} url @param {number} seconds */
export async function selectOne(url, seconds) {
  const args = ['-c', SERVER_CORE, process.execPath, child, String(seconds)]
  const { stdout } = await promisify(execFile)('taskset', args, {
    env: { PATH: process.env.PATH, DATABASE_URL: url },
  })
  return Number(stdout)
}
