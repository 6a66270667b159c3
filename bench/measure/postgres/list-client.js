// A client of the list, over one connection.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { envOf } from '../../database.js'
import { KEY, start } from '../../servers.js'
import { median } from '../../statistics.js'

const WARM_UP = 10
const headers = { authorization: `Bearer ${KEY}` }

/** @typedef {ReturnType<typeof clientOf>} Client */

/**
 * The median in ms until a list begins, each after a change. Its body is read, too.
 * @param {string} peer
 * @param {{ database: string, seconds: number, warmUp?: number }} options `seconds` may be 0, for one list
 * @param {(client: Client, turn: number) => Promise<unknown>} change
 */
export async function listsAfter(peer, { database, seconds, warmUp = WARM_UP }, change) {
  const server = await start(peer, undefined, envOf(database))
  const client = clientOf(server.url)
  let turn = 0
  const listAfterChange = async () => {
    await change(client, turn++)
    return client.list()
  }
  try {
    await client.list()
    for (let warm = 0; warm < warmUp; warm++) await listAfterChange()
    const times = []
    const end = performance.now() + 1000 * seconds
    do times.push(await listAfterChange())
    while (performance.now() < end)
    return median(times)
  } finally {
    client.close()
    await server.stop()
  }
}

/** @param {string} url of the list */
export function clientOf(url) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })

  /** Milliseconds until the response begins. */
  async function send(target, method, status) {
    const begin = performance.now()
    const [response] = await once(request(target, { method, headers, agent }).end(), 'response')
    const lasted = performance.now() - begin
    for await (const _ of response);
    assert.equal(response.statusCode, status, `${method}`)
    return lasted
  }
  return {
    list: () => send(url, 'GET', 200),
    /** @param {number} id */
    cancel: (id) => send(`${url}/${id}`, 'DELETE', 204),
    close: () => agent.destroy(),
  }
}
