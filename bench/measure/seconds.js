// Times the loading of a file, and the start.
import { execFile } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ask } from '../http.js'
import { ordersFile } from '../orders.js'
import { SERVER_CORE, start } from '../servers.js'
import { median } from '../statistics.js'

const run = promisify(execFile)
const STARTS = 3
const sample = fileURLToPath(new URL('../../store/memory/sample.ndjson', import.meta.url))

/** Each loads the file in a process of its own. @type {import('../run-row.js').Method} */
export async function loading(row) {
  const file = await ordersFile(row.orders)
  return {
    contestants: row.entries.map(({ name, peer }) => ({
      name,
      measure: async () => {
        const child = fileURLToPath(new URL(`../children/${peer}.js`, import.meta.url))
        const { stdout } = await run('taskset', ['-c', SERVER_CORE, process.execPath, child, file])
        return Number(stdout)
      },
    })),
  }
}

/** From the start of the process to the response to a list request. @type {import('../run-row.js').Method} */
export async function starting(row) {
  return {
    contestants: row.entries.map(({ name, peer }) => ({
      name,
      measure: async () => {
        const times = []
        for (let turn = 0; turn < STARTS; turn++) times.push(await firstAnswer(peer))
        return median(times)
      },
    })),
  }
}

async function firstAnswer(peer) {
  const begin = performance.now()
  const server = await start(peer, sample)
  try {
    const { status } = await ask(server.url)
    if (status !== 200) throw new Error(`${peer} answered ${status}`)
    return performance.now() - begin
  } finally {
    await server.stop()
  }
}
