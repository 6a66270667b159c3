// What a consumer that polls the list costs after each cancellation: the typed client, for changes or the whole list.
import process from 'node:process'
import { idAt, ordersFile } from '../orders.js'
import { atRest, cpuOf } from '../proc.js'
import { KEY, OURS, start } from '../servers.js'

const WARM_UP = 10
const POLLS = 60
const WHOLE = 'whole list'
/** Imported when it is needed: it does not exist before the build. */
const CLIENT = new URL('../../client/dist/client/index.js', import.meta.url).href

/** What polls cost, by contestant and round: each row shows a part of it. @type {Map<string, Spent[]>} */
const known = new Map()

/** @typedef {{ bytes: number, server: number, client: number }} Spent kB of responses, and ms of CPU, a poll */

/** @type {import('../run-row.js').Method} */
export async function poll(row) {
  const file = await ordersFile(row.orders)
  return {
    contestants: row.entries.map(({ name }) => {
      const rounds = known.get(name) ?? []
      known.set(name, rounds)
      let round = 0
      const measure = async () => {
        rounds[round] ??= await polled(file, name === WHOLE)
        return /** @type {Spent} */ (rounds[round++])[row.part ?? 'bytes']
      }
      return { name, measure }
    }),
  }
}

/** @returns {Promise<Spent>} */
async function polled(file, isWhole) {
  const server = await start(OURS, file)
  let bytes = 0
  /** @param {Request} request */
  const counting = async (request) => {
    if (isWhole) request.headers.delete('a-im')
    const response = await fetch(request)
    bytes += Number(response.headers.get('content-length'))
    return response
  }
  const { createClient } = await import(CLIENT)
  const baseUrl = server.url.replace(/\/store\/orders$/, '')
  const client = createClient({ baseUrl, apiKey: KEY, fetch: counting })
  const polls = async (first, count) => {
    for (let position = first; position < first + count; position++) {
      await client.cancelOrder(BigInt(idAt(position * 1024)))
      await client.listOrders()
    }
  }
  try {
    await client.listOrders()
    await polls(0, WARM_UP)
    await atRest(server.pid)
    bytes = 0
    const before = { server: cpuOf(server.pid), client: process.cpuUsage() }
    await polls(WARM_UP, POLLS)
    const { user, system } = process.cpuUsage(before.client)
    await atRest(server.pid)
    const spent = { bytes, server: (cpuOf(server.pid) - before.server) / 1000, client: (user + system) / 1000 }
    return { bytes: spent.bytes / 1000 / POLLS, server: spent.server / POLLS, client: spent.client / POLLS }
  } finally {
    await server.stop()
  }
}
