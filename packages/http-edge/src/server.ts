// A server with limits and a graceful end.
import type { RequestListener, Server, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { calm } from './calm.ts'
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
/** When the server closes, a client that has just connected may take this long to send its request. */
const SILENT_MS = 1_000

/** When each was accepted; of TLS also the raw ones, which the server itself does not track during a handshake. */
const sockets = new WeakMap<Server, Map<Socket, number>>()

/** Serves requests in order, within limits. The server's `clientError` listener must call `rejectConnection`. */
export function serveWith<S extends Server>(
  server: S,
  listener: RequestListener,
  limits: ConnectionLimits = createConnectionLimits(),
): S {
  const open = new Map<Socket, number>()
  sockets.set(server, open)
  function track(socket: Socket) {
    open.set(socket, performance.now())
    socket.once('close', () => open.delete(socket))
  }
  let accepted = 0
  Object.defineProperty(server, 'maxConnections', {
    get: () => Math.max(1, limits.free() + accepted), // 0 would be no limit
  })
  server.on('drop', limits.refuse)
  server.on('connection', (socket: Socket) => {
    const release = limits.hold('connections', socket.remoteAddress)
    if (!release) {
      socket.destroy()
      return
    }
    track(socket)
    accepted++
    const close = limits.open()
    socket.once('close', () => {
      release()
      accepted--
      close()
    })
  })
  server.on('secureConnection', track)
  server.setTimeout(IDLE_TIMEOUT_MS)
  server.maxHeadersCount = 0 // no limit: Node would silently drop further headers
  // A client that sends FIN after its request still gets the response. Not in Node's types.
  Object.assign(server, { httpAllowHalfOpen: true })
  return serveInOrder(server, listener)
}

/**
 * Closes a listening server. What has arrived is served, even what the kernel alone has accepted. Idle connections end at
 * once, others after their response or after `graceMs`.
 * @returns once the port is closed; the server emits `close` when the connections have ended, too
 */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  const open = sockets.get(server) as Map<Socket, number>
  const end = setTimeout(() => {
    for (const socket of open.keys()) socket.destroy()
  }, graceMs)
  for (const socket of open.keys()) announceClose(socket)
  await calm(server)
  server.close()
  // close() also waits for connections that become idle after it was called (fastify issue 7044).
  const reaper = setInterval(() => {
    server.closeIdleConnections()
    const now = performance.now()
    for (const [socket, since] of open) if (socket.bytesRead === 0 && now - since > SILENT_MS) socket.destroy()
  }, 50)
  server.once('close', () => {
    clearInterval(reaper)
    clearTimeout(end)
  })
}
