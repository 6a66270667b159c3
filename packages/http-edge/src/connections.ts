// Guarantees exactly one response per request, in request order, on each connection, and none after the error that
// closes it. Unsafe requests are also handled in order.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import process from 'node:process'
import type { Duplex } from 'node:stream'
import { calm } from './calm.ts'

/** The reason for closing a connection: an error of Node's parser, a timeout, or a request for a tunnel (`CONNECT`). */
export interface ConnectionError extends Error {
  code: string
  /** The bytes that the parser was reading, a Buffer. */
  rawPacket?: unknown
  /** The offset of the error in these bytes. */
  bytesParsed?: number
}

/** Emitted by a request, with the reason, if its body is malformed or late. */
export const bodyFailed = 'body-failed'
const failures = new WeakMap<IncomingMessage, Error>()

/** Tells the reader of the body that it will not arrive completely. */
export function failBody(request: IncomingMessage, reason: Error): void {
  failures.set(request, reason)
  request.emit(bodyFailed, reason)
}

/** The reason, if the body failed before its reader asked: call it once, before listening for later failures. */
export function bodyFailure(request: IncomingMessage): Error | undefined {
  watched.add(request)
  return failures.get(request)
}

/** The requests whose readers learn of a failure. To all others, a body that failed only seems to take its time. */
const watched = new WeakSet<IncomingMessage>()
const isRead = (request: IncomingMessage) => watched.has(request) || request.listenerCount(bodyFailed) > 0

/** How to send the 100 that some clients await before they send the body. */
const continuations = new WeakMap<IncomingMessage, () => void>()

/**
 * Defers the 100 until the body is wanted (RFC 9110, section 10.1.1). After a response without a 100, Node closes an
 * HTTP/1.1 connection: the client may send the body or not.
 */
export function deferContinue(request: IncomingMessage, send: () => void): void {
  continuations.set(request, send)
}

/** Call it when the body is wanted. */
export function sendContinue(request: IncomingMessage): void {
  continuations.get(request)?.()
  continuations.delete(request)
}

/** The responses of servers since their start: those sent completely, and those cut off. */
export interface ResponseCounts {
  served: number
  aborted: number
}

interface Connection {
  /** Of the server. */
  counts: ResponseCounts
  /** The last request that the listener has got. */
  handled?: IncomingMessage
  /** Ends the connection in place of a response to a failed body that nothing reads. */
  end?: () => void
  /** Responses that have not been sent yet, in request order. */
  responses: ServerResponse[]
  /** A request whose response was sent before it had arrived completely. */
  unread?: IncomingMessage | undefined
  /** When the last response had been sent. */
  idleSince?: number
  /** The final response has been chosen; ignore further input. */
  isClosing: boolean
}

/** True if the client asks for no change (RFC 9110, section 9.2.1). TRACE is not served. */
export function isSafe(method = ''): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

/** How much, and for how long, a client may send after the final response (RFC 9112, section 9.6). */
const LINGER_BYTES = 4 * 1024 * 1024
const LINGER_MS = 2_000
/** The next request of a client that sends one after another may be on its way. */
const IDLE_MS = 100

const connections = new WeakMap<Socket, Connection>()

/**
 * Makes `listener` handle the requests of a server that has no listener yet. The server's `clientError` listener must
 * call `rejectConnection`.
 */
export function serveInOrder<S extends Server>(server: S, listener: RequestListener, counts: ResponseCounts): S {
  const open = new Set<Socket>()
  const closeIdleConnections = server.closeIdleConnections.bind(server)
  let isClosing = false
  server.closeIdleConnections = () => {
    if (isClosing) return
    isClosing = true
    void calm(server).then(() => {
      isClosing = false
      withoutBusy(open, closeIdleConnections)
    })
  }
  // A TLS server emits `connection` before the handshake, when the client cannot read a response.
  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', (socket: Socket) => {
    connections.set(socket, { counts, responses: [], isClosing: false })
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      process.nextTick(closeQueued, socket) // after Node's own listeners
    })
    socket.destroySoon = () => closeGently(socket) // Node calls it after a response with `Connection: close`
    socket.on('end', () => {
      // Node overlooks a FIN within the body of an upgrade request.
      const isTruncated = connections.get(socket)?.responses.at(-1)?.req.complete === false
      if (isTruncated) server.emit('clientError', connectionError('HPE_INVALID_EOF_STATE'), socket)
    })
  })
  const serve: RequestListener = (request, response) => {
    const connection = connections.get(request.socket) as Connection
    if (connection.isClosing) return
    // Node stops reading after an upgrade request, even if no upgrade is granted.
    if (request.headers.upgrade !== undefined) response.setHeader('connection', 'close')
    const before = connection.responses.at(-1)
    connection.responses.push(response)
    response.on('close', onClose)
    // Pipelined requests may be handled at once only if all of them are safe (RFC 9112, section 9.3.2).
    const mustWait = before && !connection.responses.every(({ req }) => isSafe(req.method))
    const handle = () => {
      connection.handled = request
      listener(request, response)
      if (connection.end && failures.has(request) && !isRead(request)) connection.end()
    }
    if (mustWait) before.once('close', () => request.socket.writable && handle())
    else handle()
  }
  server.on('request', serve)
  server.on('checkExpectation', serve) // else Node responds by itself
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // If an earlier response is pending, Node would write the 100 after the headers of the final response.
    const before = connections.get(request.socket)?.responses.at(-1)
    const send = () => response.headersSent || request.complete || response.writeContinue()
    deferContinue(request, () => afterResponse(before, send))
    serve(request, response)
  })
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    // Node has removed its own listeners from the socket, including the one for errors.
    socket.on('error', () => socket.destroy())
    socket.on('drain', () => connections.get(socket)?.responses[0]?.emit('drain'))
    socket.setTimeout(server.timeout, () => socket.destroy())
    server.emit('clientError', connectionError('CONNECT'), socket)
  })
  return server
}

/**
 * Node treats a connection as idle once it has the whole response, even if the client has not read all of it. Closing the
 * idle ones here instead would cut off requests of which only a part has arrived: Node alone knows of those.
 */
function withoutBusy(open: ReadonlySet<Socket>, closeIdleConnections: () => void) {
  const busy = [...open].filter(isBusy)
  for (const socket of busy) socket.destroy = () => socket
  closeIdleConnections()
  for (const socket of busy) Reflect.deleteProperty(socket, 'destroy')
}

function isBusy(socket: Socket): boolean {
  const { responses, idleSince } = connections.get(socket) as Connection
  return responses.length > 0 || performance.now() - (idleSince ?? 0) < IDLE_MS
}

function connectionError(code: string): ConnectionError {
  return Object.assign(new Error(code), { code })
}

/** Node.js 20 closes only the first of the responses that had not been sent. */
function closeQueued(socket: Socket) {
  const { responses } = connections.get(socket) as Connection
  /* c8 ignore next -- from Node.js 22 on, none is left */
  for (const response of [...responses]) response.emit('close')
}

function onClose(this: ServerResponse) {
  const connection = connections.get(this.req.socket) as Connection
  connection.responses.shift()
  connection.idleSince = performance.now()
  connection.unread = this.req.complete ? undefined : this.req
  connection.counts[this.writableFinished ? 'served' : 'aborted']++
  if (this.writableFinished) return
  markAborted(this)
  // Node emits nothing for an aborted response, which has to be logged, too.
  if (this.listenerCount('error') > 0) this.emit('error', connectionError('ECONNABORTED'))
}

const aborted = new WeakSet<ServerResponse>()

/** Notes that the connection was lost before the response was complete: for protocols that this file does not serve. */
export function markAborted(response: ServerResponse): void {
  aborted.add(response)
}

/** True if the connection was lost before the response was complete. */
export function wasAborted(response: ServerResponse): boolean {
  return aborted.has(response)
}

export interface Rejection {
  /** The error of a request whose body is malformed or late. Its response is the final one. */
  reason: Error
  /** The bytes of the final response if there is no such request. */
  response(): string
}

/** Ends a connection. Responses to earlier requests are sent before the final one. */
export function rejectConnection(
  client: Duplex,
  { code }: NodeJS.ErrnoException,
  { reason, response }: Rejection,
): void {
  const socket = client as Socket
  const connection = connections.get(socket)
  if (connection?.isClosing || code === 'HPE_CLOSED_CONNECTION') return // bytes after the last request
  if (!connection || !socket.writable) {
    socket.destroy()
    return
  }
  connection.isClosing = true

  const last = connection.responses.at(-1)
  const request = last?.req ?? connection.unread
  if (last && !last.req.complete && !last.headersSent) {
    last.setHeader('connection', 'close')
    failBody(last.req, reason)
    const before = connection.responses.at(-2)
    connection.end = () => afterResponse(before, () => last.headersSent || closeGently(socket, response()))
    if (connection.handled === last.req && !isRead(last.req)) connection.end()
    return
  }
  const isSilent = request ? !request.complete : socket.bytesRead === 0 // already responded, or no request has arrived
  const end = () => closeGently(socket, isSilent ? '' : response())
  if (last) last.once('close', end)
  else end()
}

/** True while a response is pending that the client does not delay: it has sent its request, and read what was written. */
export function isServerBusy(socket: Socket): boolean {
  return socket.writableLength === 0 && connections.get(socket)?.responses[0]?.req.complete === true
}

/** Has the response to the last request say `Connection: close`, unless its headers have already been sent. */
export function announceClose(socket: Socket): void {
  const last = connections.get(socket)?.responses.at(-1)
  if (last && !last.headersSent) last.setHeader('connection', 'close')
}

/** Closes the connection of HTTP/1.1 after this response, even if its headers have already been sent. */
export function closeAfter(response: ServerResponse): void {
  const { socket } = response.req
  response.shouldKeepAlive = false
  if (!response.headersSent || !connections.has(socket)) return
  afterResponse(response, () => closeGently(socket))
}

/** At once if there is no response before, or none any more. */
function afterResponse(before: ServerResponse | undefined, run: () => unknown) {
  if (before && !before.closed) before.once('close', run)
  else run()
}

/** Closes a connection after its client, or after a timeout: a reset could overtake the response (RFC 9112, section 9.6). */
function closeGently(socket: Socket, lastBytes = '') {
  const connection = connections.get(socket) as Connection
  connection.isClosing = true
  if (!socket.writable) return
  let remaining = LINGER_BYTES
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
  socket.on('data', ({ length }: Buffer) => {
    remaining -= length
    if (remaining < 0) socket.destroy()
  })
  socket.end(lastBytes)
  socket.resume()
}
