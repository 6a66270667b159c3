// Clients of several instances that are replaced, and a load balancer that sends requests to those that are ready.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** @typedef {import('./machine.js').Server} Server */

const CLIENTS = 4

/**
 * Lists, and cancels each of the orders once, until it is stopped.
 * @param {string} key
 * @param {number[]} orders whose cancellation must succeed
 */
export function traffic(key, orders) {
  /** @type {Set<Server>} */
  const ready = new Set()
  const remaining = [...orders]
  const counts = { lists: 0, cancelled: 0 }
  let isStopped = false

  /** @param {number} number of the client */
  async function client(number) {
    for (let turn = number; !isStopped; turn++) {
      const server = /** @type {Server} */ ([...ready][turn % ready.size])
      const order = turn % 3 === 0 ? remaining.pop() : undefined
      const [method, path, expected] = order === undefined ? ['GET', '', 200] : ['DELETE', `/${order}`, 204]
      const response = await server.request(String(method), String(path), key)
      await response.arrayBuffer()
      assert.equal(response.status, expected, `${method} ${path} at ${server.origin}`)
      order === undefined ? counts.lists++ : counts.cancelled++
    }
  }

  /** @type {Promise<void>[]} */
  const clients = []
  return {
    counts,
    /** @param {Server} server */
    add: (server) => ready.add(server),
    start() {
      for (let number = 0; number < CLIENTS; number++) clients.push(client(number))
      for (const each of clients) each.catch(() => {}) // `progress` and `stop` throw it
    },
    /** Resolves after so many more lists and cancellations. @param {number} [more] */
    async progress(more = 30) {
      const { lists, cancelled } = { ...counts }
      while (counts.lists < lists + more || counts.cancelled < cancelled + more / 3)
        await Promise.race([sleep(20), Promise.all(clients)])
    },
    /** Stops a server as its /readyz fails, which a load balancer sees before the server closes. @param {Server} server */
    async replace(server) {
      const stopped = server.stop()
      while ((await fetch(`${server.origin}/readyz`)).ok) await sleep(20)
      ready.delete(server)
      await stopped
    },
    async stop() {
      isStopped = true
      await Promise.all(clients)
    },
  }
}
