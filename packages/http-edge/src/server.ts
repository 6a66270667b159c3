// A server with limits and a graceful end.
import type { RequestListener, Server, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { type ConnectionLimits, createConnectionLimits } from './connection-limits.ts'
import { announceClose, serveInOrder } from './connections.ts'
import './tick-objects.ts'

/** The most bytes that the request line and the headers may have together. */
export const MAX_HEADER_BYTES = 16 * 1024
/** The most fields of a request. Node drops those beyond its own limit silently, so that is turned off below. */
export const MAX_HEADER_FIELDS = 1_000

/** Options of `createServer` of node:http and node:https, in milliseconds. Pass the server to `serveWith`. */
export const serverOptions = {
  requestTimeout: 30_000, // for the whole request
  headersTimeout: 10_000,
  connectionsCheckingInterval: 1_000, // how often these two are checked
  keepAliveTimeout: 72_000, // longer than the 60 s of most load balancers, which must close the connection first
  maxHeaderSize: MAX_HEADER_BYTES,
  requireHostHeader: false, // to be checked by the listener: Node's response would not be an Error
} satisfies ServerOptions

/** Closes connections without traffic in either direction: stalled readers, abandoned sockets. */
const IDLE_TIMEOUT_MS = 120_000

const sockets = new WeakMap<Server, Set<Socket>>()

/** Serves requests in order, within limits. The server's `clientError` listener must call `rejectConnection`. */
export function serveWith<S extends Server>(
  server: S,
  listener: RequestListener,
  limits: ConnectionLimits = createConnectionLimits(),
): S {
  const open = new Set<Socket>() // the server itself does not track sockets during a TLS handshake
  sockets.set(server, open)
  Object.defineProperty(server, 'maxConnections', {
    get: () => Math.max(1, limits.free() + open.size), // 0 would be no limit
  })
  server.on('drop', limits.refuse)
  server.on('connection', (socket: Socket) => {
    const release = limits.hold('connections', socket.remoteAddress)
    if (!release) {
      socket.destroy()
      return
    }
    open.add(socket)
    const close = limits.open()
    socket.once('close', () => {
      release()
      open.delete(socket)
      close()
    })
  })
  server.setTimeout(IDLE_TIMEOUT_MS)
  server.maxHeadersCount = 0 // no limit: Node would silently drop further headers
  // A client that sends FIN after its request still gets the response. Not in Node's types.
  Object.assign(server, { httpAllowHalfOpen: true })
  return serveInOrder(server, listener)
}

/** Call when a listening server closes. Ends idle connections at once, others after their response or after `graceMs`. */
export function endConnections(server: Server, graceMs: number): void {
  for (const socket of sockets.get(server) as Set<Socket>) announceClose(socket)
  // close() also waits for connections that become idle after it was called (fastify issue 7044).
  const reaper = setInterval(() => server.closeIdleConnections(), 50)
  const end = setTimeout(() => {
    for (const socket of sockets.get(server) as Set<Socket>) socket.destroy()
  }, graceMs)
  server.once('close', () => {
    clearInterval(reaper)
    clearTimeout(end)
  })
}
