// A server with limits and a graceful end.
import type { RequestListener, Server, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { calm } from './calm.ts'
import { type ConnectionLimits, createConnectionLimits } from './connection-limits.ts'
import { announceClose, isServerBusy, type ResponseCounts, serveInOrder } from './connections.ts'

/** The most bytes that the request line and the headers may have together. */
export const MAX_HEADER_BYTES = 16 * 1024
/** The most fields of a request. Node drops those beyond its own limit silently, so that is turned off below. */
export const MAX_HEADER_FIELDS = 1_000

/** Options of `createServer` of node:http and node:https, in milliseconds. Pass the server to `attach`. */
export const serverOptions = {
  requestTimeout: 30_000, // for the whole request
  headersTimeout: 10_000,
  connectionsCheckingInterval: 1_000, // how often these two are checked
  keepAliveTimeout: 72_000, // longer than the 60 s of most load balancers, which must close the connection first
  maxHeaderSize: MAX_HEADER_BYTES,
  keepAlive: true, // by TCP, which notices that a client has vanished
} satisfies ServerOptions

export interface AttachOptions {
  /** Shared by all servers that it is given to. Default: no limits. */
  connectionLimits?: ConnectionLimits | undefined
  /**
   * Closes connections without traffic in either direction, in milliseconds: stalled readers, abandoned sockets. A request
   * whose response the server itself has not written yet may take any time. Default: 120,000.
   */
  idleTimeout?: number | undefined
  /** Counts the responses, of all servers that it is given to. */
  responses?: ResponseCounts
}

export const IDLE_TIMEOUT_MS = 120_000
/** When the server closes, a client that has just connected may take this long to send its request. */
const SILENT_MS = 1_000

const UNATTACHED =
  'closeServer knows no such server: call attach first, or Fastify with the options of httpEdge, of the same copy of http-edge.'

/** When each was accepted; of TLS also the raw ones, which the server itself does not track during a handshake. */
const sockets = new WeakMap<Server, Map<Socket, number>>()

/** Makes `listener` serve requests in order, within limits. The `clientError` listener must call `rejectConnection`. */
export function attach<S extends Server>(server: S, listener: RequestListener, options: AttachOptions = {}): S {
  const { connectionLimits: limits = createConnectionLimits(), idleTimeout = IDLE_TIMEOUT_MS } = options
  const { responses = { served: 0, aborted: 0 } } = options
  const open = new Map<Socket, number>()
  sockets.set(server, open)
  function track(socket: Socket) {
    void socket.remoteAddress // Node caches it, so that it outlives the connection
    open.set(socket, performance.now())
    socket.once('close', () => open.delete(socket))
  }
  server.on('connection', (socket: Socket) => {
    const isFull = limits.free() <= 0
    if (isFull) limits.refuse()
    const release = isFull ? undefined : limits.hold('connections', socket.remoteAddress)
    if (!release) {
      socket.destroy()
      return
    }
    track(socket)
    const close = limits.open()
    socket.once('close', () => {
      release()
      close()
    })
  })
  server.on('secureConnection', track)
  server.setTimeout(idleTimeout, (socket: Socket) => {
    if (isServerBusy(socket)) socket.setTimeout(idleTimeout)
    else socket.destroy()
  })
  server.maxHeadersCount = 0 // no limit: Node would silently drop further headers
  // A client that sends FIN after its request still gets the response. Not in Node's types.
  Object.assign(server, { httpAllowHalfOpen: true })
  return serveInOrder(server, listener, responses)
}

/**
 * Closes a listening server. What has arrived is served, even what the kernel alone has accepted. Idle connections end at
 * once, others after their response or after `graceMs`.
 * @throws if the server is not one of `attach`
 * @returns once the port is closed; the server emits `close` when the connections have ended, too
 */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  const open = sockets.get(server)
  if (!open) throw new Error(UNATTACHED)
  const end = setTimeout(() => {
    for (const socket of open.keys()) socket.destroy()
  }, graceMs)
  for (const socket of open.keys()) announceClose(socket)
  await calm(server, graceMs)
  server.close()
  // close() also waits for connections that become idle after it was called (fastify issue 7044).
  const reaper = setInterval(() => {
    server.closeIdleConnections()
    const before = performance.now() - SILENT_MS
    // After this turn of the event loop has read what arrived, however long the process stood still.
    setImmediate(() => {
      for (const [socket, since] of open) if (socket.bytesRead === 0 && since < before) socket.destroy()
    })
  }, 50)
  server.once('close', () => {
    clearInterval(reaper)
    clearTimeout(end)
  })
}
