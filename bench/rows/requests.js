// Requests per second and CPU time per request, each time of a fresh server.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { load, send } from '../load.js'
import { idAt, ordersFile } from '../orders.js'
import { FASTIFY, NGINX, OURS, withServer } from '../servers.js'

/** Lists from here on are large enough for one connection to keep a server busy. */
const LARGE = 100_000
/** Headers whose values differ by response or server. */
const varying = { 'x-request-id': '', etag: '', date: '' }

/** @param {number} orders @param {string[]} servers @param {{ cancelEvery?: number }} [options] */
export function lists(orders, servers, { cancelEvery = 0 } = {}) {
  const connections = orders < LARGE ? 16 : 1
  return measuredBy(servers, orders, { connections, cancelEvery })
}

/** @param {number} orders more than any server cancels @param {string[]} servers */
export const cancels = (orders, servers) => measuredBy(servers, orders, { cancelEvery: 1 })

/** @param {string[]} servers @param {number} orders @param {import('../load.js').Load} options */
function measuredBy(servers, orders, options) {
  /** @type {import('node:http').IncomingHttpHeaders[]} */
  let ours
  const measure = (name) =>
    withServer(name, { orders }, async (server) => {
      const responses = [await listHeaders(name, server.url, orders)]
      if (options.cancelEvery) responses.push(await cancelHeaders(name, server.url, orders))
      const headers = responses.map((each) => ({ ...each, ...varying }))
      if (name === OURS) ours = headers
      if (name === FASTIFY) assert.deepEqual(headers, ours, `${name}: the headers`)
      return load(server, options)
    })
  return Object.fromEntries(servers.map((name) => [name, () => measure(name)]))
}

/** @throws unless the server sends the very orders, and only with the key */
async function listHeaders(name, url, orders) {
  const { status } = await send(url, { headers: { authorization: 'Bearer wrong' } })
  assert.equal(status, name === NGINX ? 200 : 401, `${name}: the status for a wrong key`)
  const { headers, body } = await send(url)
  const lines = readFileSync(await ordersFile(orders), 'utf8').trimEnd()
  assert.ok(body.equals(Buffer.from(`[${lines.replaceAll('\n', ',')}]`)), `${name} sends another list`)
  return headers
}

/** Cancels the last order, which the load does not reach. */
async function cancelHeaders(name, url, orders) {
  const { status, headers } = await send(`${url}/${idAt(orders - 1)}`, { method: 'DELETE' })
  assert.equal(status, 204, `${name}: the status of a cancellation`)
  return headers
}
