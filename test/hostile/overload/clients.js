// Clients that send the next request as soon as they have a response, and clients that owe or do not read.
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'

/** A response: its status, when it was requested, and after how many milliseconds it was complete. */
/** @typedef {{ status: number, at: number, ms: number }} Response */
/** @typedef {(path: string) => Promise<number>} Get requests a path and reads the response; returns its status */

export const listPath = '/v1/store/orders'
/** Node.js resets streams of a session that has more than 10 MB to send. */
const SESSIONS = 16
const LARGEST_WINDOW = 2 ** 31 - 1

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
 * Streams of a few sessions. The windows are as large as possible, so that the server never waits for the client.
 * @param {number} port @param {string} key @param {string} host @returns {Promise<{ get: Get, close(): void }>}
 */
export async function http2Client(port, key, host) {
  const sessions = Array.from({ length: SESSIONS }, () =>
    connectHttp2(`https://127.0.0.1:${port}`, {
      servername: host,
      rejectUnauthorized: false,
      settings: { initialWindowSize: LARGEST_WINDOW },
    }),
  )
  for (const session of sessions) {
    await once(session, 'connect')
    session.setLocalWindowSize(LARGEST_WINDOW)
  }
  let next = 0
  return {
    async get(path) {
      const session = /** @type {import('node:http2').ClientHttp2Session} */ (sessions[next++ % SESSIONS])
      const stream = session.request({ ':path': path, ':authority': host, authorization: `Bearer ${key}` })
      const ended = once(stream.resume(), 'end')
      const [headers] = await once(stream, 'response')
      await ended
      return headers[':status']
    },
    close() {
      for (const session of sessions) session.destroy()
    },
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

/** Requests whose body does not arrive, from another address and without a key. @param {number} port */
export const halfRequests = (port) =>
  manySockets(port, 1200, `POST ${listPath} HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nx`)

/** Lists that are not read. @param {number} port @param {string} key */
export const unreadLists = (port, key) =>
  manySockets(port, 200, `GET ${listPath} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`)

/** @param {number} port @param {number} count @param {string} text @returns {Promise<() => void>} closes them */
async function manySockets(port, count, text) {
  const sockets = Array.from({ length: count }, () => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' }).on('error', () => {})
    socket.pause().write(text)
    return socket
  })
  await Promise.all(sockets.map((socket) => socket.readyState === 'open' || once(socket, 'connect')))
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}
