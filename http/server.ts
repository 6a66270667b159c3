// Limits and shutdown, shared by all servers of the process but that of the metrics.
import type { RequestListener, Server, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { announceClose, serveInOrder } from './connections.ts'
import { hold } from './shares.ts'

export const MAX_HEADER_BYTES = 16 * 1024
/** In a request. Node silently drops fields beyond its own limit, which is therefore turned off below. */
export const MAX_HEADER_FIELDS = 1_000

/** For `createServer` of node:http and node:https. Pass the server to `serveWith`. Times are in milliseconds. */
export const serverOptions = {
  requestTimeout: 30_000, // for the whole request
  headersTimeout: 10_000,
  connectionsCheckingInterval: 1_000, // how often these two are checked
  keepAliveTimeout: 72_000, // longer than the 60 s of most load balancers, which must close the connection first
  maxHeaderSize: MAX_HEADER_BYTES,
  requireHostHeader: false, // checked in plugins/protocol/: Node's response would not be an Error
} satisfies ServerOptions

/** Closes connections without traffic in either direction: stalled readers, abandoned sockets. */
const IDLE_TIMEOUT_MS = 120_000

const sockets = new WeakMap<Server, Set<Socket>>()

const connections = {
  open: 0,
  max: Number.POSITIVE_INFINITY,
  isFull: false,
  onFull: undefined as (() => void) | undefined,
}

/**
 * Limits the connections of all these servers together; further ones are closed at once. Without free
 * descriptors, the process could not read files or reach a database.
 * @param onFull called for the first one that is closed, and not again until half of the connections are free
 */
export function limitConnections(max: number, onFull: () => void): void {
  Object.assign(connections, { max, onFull })
}

function closeBeyondLimit(server: Server, open: ReadonlySet<Socket>) {
  Object.defineProperty(server, 'maxConnections', {
    get: () => Math.max(1, connections.max - connections.open + open.size), // 0 would be no limit
  })
  server.on('drop', () => {
    if (!connections.isFull) connections.onFull?.()
    connections.isFull = true
  })
}

export function serveWith<S extends Server>(server: S, listener: RequestListener): S {
  const open = new Set<Socket>() // the server itself does not track sockets during a TLS handshake
  sockets.set(server, open)
  closeBeyondLimit(server, open)
  server.on('connection', (socket: Socket) => {
    const release = hold('connections', socket.remoteAddress)
    if (!release) {
      socket.destroy()
      return
    }
    open.add(socket)
    connections.open++
    socket.once('close', () => {
      release()
      open.delete(socket)
      connections.open--
      if (connections.open <= connections.max / 2) connections.isFull = false
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
