// The servers of this process: one set of limits, and one way to end.
import type { RequestListener, Server, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { serveInOrder } from './connections.ts'

export const HEADER_LIMIT_BYTES = 16 * 1024

/** For `createServer` of node:http and node:https, whose server goes to `serveWith`. Times are milliseconds. */
export const serverOptions = {
  requestTimeout: 30_000, // for the whole request
  headersTimeout: 10_000,
  connectionsCheckingInterval: 1_000, // how often these two are checked
  keepAliveTimeout: 72_000, // longer than the 60 s of most load balancers, which must be the ones to hang up
  maxHeaderSize: HEADER_LIMIT_BYTES,
  requireHostHeader: false, // Node's answer would not be an Error
} satisfies ServerOptions

/** Without a byte in either direction: a reader that stalled, or a forgotten socket. */
const IDLE_TIMEOUT_MS = 120_000

const sockets = new WeakMap<Server, Set<Socket>>()

export function serveWith<S extends Server>(server: S, listener: RequestListener): S {
  const open = new Set<Socket>() // the server itself does not know sockets in the midst of a TLS handshake
  sockets.set(server, open)
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.setTimeout(IDLE_TIMEOUT_MS)
  server.maxHeadersCount = 0 // Node would drop what is beyond its count
  // A client that sends FIN behind its request still gets the answer. Not in Node's types.
  Object.assign(server, { httpAllowHalfOpen: true })
  return serveInOrder(server, listener)
}

/** To be called when a listening server closes: ends idle connections at once, and all others after `graceMs`. */
export function endConnections(server: Server, graceMs: number): void {
  // close() waits for connections that fall idle after it was called, too (fastify issue 7044).
  const reaper = setInterval(() => server.closeIdleConnections(), 50)
  const end = setTimeout(() => {
    for (const socket of sockets.get(server) as Set<Socket>) socket.destroy()
  }, graceMs)
  server.once('close', () => {
    clearInterval(reaper)
    clearTimeout(end)
  })
}
