// Sends one response to each request of a connection, in request order, and none after an error that closes it. What is
// not safe is handled in that order, too.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The reason for closing a connection: an error of Node's parser, a timeout, or a request for a tunnel (`CONNECT`). */
export interface ConnectionError extends Error {
  code: string
  /** The bytes that the parser was reading, a Buffer. */
  rawPacket?: unknown
  /** The position of the error in these bytes. */
  bytesParsed?: number
}

/** Emitted by a request whose body turns out to be broken or late. Listeners get the reason. */
export const brokenOff = 'broken-off'
const reasons = new WeakMap<IncomingMessage, Error>()

/** Lets whoever reads the body of a request know that it never arrives completely. */
export function breakOff(request: IncomingMessage, reason: Error): void {
  reasons.set(request, reason)
  request.emit(brokenOff, reason)
}

/** The reason, if that happened before anyone listened. */
export function reasonOf(request: IncomingMessage): Error | undefined {
  return reasons.get(request)
}

interface Connection {
  /** Responses that are not sent yet, in the order of their requests. */
  responses: ServerResponse[]
  /** A request that got its response before it had arrived completely. */
  unread?: IncomingMessage | undefined
  /** The final response is decided; ignore further input. */
  isClosing: boolean
}

/** After the final response, a client may continue to send this much, for this long (RFC 9112, section 9.6). */
const LINGER_BYTES = 4 * 1024 * 1024
const LINGER_MS = 2_000

const connections = new WeakMap<Socket, Connection>()

/** Responses of this process over HTTP/1.1: those that are not sent completely, and all others so far. */
export const traffic = { pending: 0, completed: 0 }

/**
 * Lets `listener` handle the requests of a server that has no listener yet. The server's `clientError` listener must
 * call `refuse`.
 */
export function serveInOrder<S extends Server>(server: S, listener: RequestListener): S {
  const open = new Set<Socket>()
  const closeIdleConnections = server.closeIdleConnections.bind(server)
  server.closeIdleConnections = () => sparingResponses(open, closeIdleConnections)
  // A TLS server emits `connection` before the handshake, when no response can be read.
  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', (socket: Socket) => {
    connections.set(socket, { responses: [], isClosing: false })
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    socket.destroySoon = () => closeGently(socket) // Node calls it after a response with `Connection: close`
    socket.on('end', () => {
      // Node overlooks a FIN within the body of a request that asks for an upgrade.
      const isCut = connections.get(socket)?.responses.at(-1)?.req.complete === false
      if (isCut) server.emit('clientError', connectionError('HPE_INVALID_EOF_STATE'), socket)
    })
  })
  const serve: RequestListener = (request, response) => {
    const connection = connections.get(request.socket) as Connection
    if (connection.isClosing) return
    // Node stops reading after a request that asks for an upgrade, even if no upgrade is granted.
    if (request.headers.upgrade !== undefined) response.setHeader('connection', 'close')
    const before = connection.responses.at(-1)
    connection.responses.push(response)
    traffic.pending++
    response.on('close', settle)
    // Pipelined requests may be handled at once only if all of them are safe (RFC 9112, section 9.3.2).
    const mustWait = before && !connection.responses.every(({ req }) => isSafe(req.method))
    if (mustWait) before.once('close', () => request.socket.destroyed || listener(request, response))
    else listener(request, response)
  }
  server.on('request', serve)
  server.on('checkExpectation', serve) // else Node responds by itself
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // If it is not this response's turn yet, Node would write the 100 after the head of the final response.
    const before = connections.get(request.socket)?.responses.at(-1)
    if (before) before.once('close', () => response.headersSent || request.complete || response.writeContinue())
    else response.writeContinue()
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

/** Node counts a connection as idle once it has the whole response, although the client may not have read it yet. */
function sparingResponses(open: ReadonlySet<Socket>, closeIdleConnections: () => void) {
  const responding = [...open].filter((socket) => connections.get(socket)?.responses.length)
  for (const socket of responding) socket.destroy = () => socket
  closeIdleConnections()
  for (const socket of responding) Reflect.deleteProperty(socket, 'destroy')
}

const isSafe = (method = '') => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

function connectionError(code: string): ConnectionError {
  return Object.assign(new Error(code), { code })
}

function settle(this: ServerResponse) {
  const connection = connections.get(this.req.socket) as Connection
  connection.responses.shift()
  traffic.pending--
  traffic.completed++
  connection.unread = this.req.complete ? undefined : this.req
  // Node tells listeners of 'finish' or nothing: whoever logs or counts responses must learn of those cut off, too.
  if (!this.writableFinished && this.listenerCount('error') > 0) {
    markCutOff(this)
    this.emit('error', connectionError('ECONNABORTED'))
  }
}

const cutOff = new WeakSet<ServerResponse>()

export function markCutOff(response: ServerResponse): void {
  cutOff.add(response)
}

/** True if the connection was lost before the response was complete. */
export function isCutOff(response: ServerResponse): boolean {
  return cutOff.has(response)
}

export interface Refusal {
  /** For the request whose body is broken or late: its response is the final one. */
  reason: Error
  /** If there is no such request, the bytes of the final response. */
  answer(): string
}

/** Ends a connection. Responses to earlier requests are sent before the final one. */
export function refuse(socket: Socket, { code }: ConnectionError, { reason, answer }: Refusal): void {
  const connection = connections.get(socket)
  if (connection?.isClosing || code === 'HPE_CLOSED_CONNECTION') return // bytes after the last request
  if (!connection || !socket.writable) {
    socket.destroy()
    return
  }
  connection.isClosing = true

  const last = connection.responses.at(-1)
  const request = last?.req ?? connection.unread
  if (!request?.complete && last && !last.headersSent) {
    last.setHeader('connection', 'close')
    if (request) breakOff(request, reason)
    return
  }
  const isSilent = request ? !request.complete : socket.bytesRead === 0 // already responded, or no request arrived
  const end = () => closeGently(socket, isSilent ? '' : answer())
  if (last) last.once('close', end)
  else end()
}

/** Lets a connection end with the response to its last request, where the head of that is not sent yet. */
export function closeAfterResponse(socket: Socket): void {
  const last = connections.get(socket)?.responses.at(-1)
  if (last && !last.headersSent) last.setHeader('connection', 'close')
}

/** Closes a connection once its client has, or soon: a reset could overtake the response (RFC 9112, section 9.6). */
function closeGently(socket: Socket, lastBytes = '') {
  const connection = connections.get(socket) as Connection
  connection.isClosing = true
  if (!socket.writable) return
  let left = LINGER_BYTES
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
  socket.on('data', ({ length }: Buffer) => {
    left -= length
    if (left < 0) socket.destroy()
  })
  socket.end(lastBytes)
  socket.resume()
}
