// Clients that send the next request as soon as they have a response.
import { Agent, get } from 'node:http'

/** A response: its status, when it was requested, and after how many milliseconds it was complete. */
/** @typedef {{ status: number, at: number, ms: number }} Response */
/** @typedef {(path: string) => Promise<number>} Get requests a path and reads the response; returns its status */

export const listPath = '/v1/store/orders'

/** @param {number} port @param {string} key @returns {{ get: Get, close(): void }} */
export function http1Client(port, key) {
  const agent = new Agent({ keepAlive: true })
  const headers = { authorization: `Bearer ${key}` }
  return {
    get: (path) =>
      new Promise((resolve, reject) => {
        get({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
          response.resume().on('end', () => resolve(Number(response.statusCode)))
        }).on('error', reject)
      }),
    close: () => agent.destroy(),
  }
}

/**
 * @param {Get} get @param {string} path
 * @param {{ clients: number, isOver: (responses: readonly Response[]) => boolean }} options
 * @returns {Promise<Response[]>}
 */
export async function load(get, path, { clients, isOver }) {
  /** @type {Response[]} */
  const responses = []
  async function client() {
    while (!isOver(responses)) {
      const at = performance.now()
      const status = await get(path)
      responses.push({ status, at, ms: performance.now() - at })
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return responses
}

/** @param {readonly Response[]} responses @param {number} wanted */
export const countOf = (responses, wanted) => responses.filter(({ status }) => status === wanted).length

/** @param {number} ms */
export function afterMs(ms) {
  const end = performance.now() + ms
  return () => performance.now() >= end
}
