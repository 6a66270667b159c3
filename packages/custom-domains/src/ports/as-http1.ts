// Adapts HTTP/2 requests and responses to the HTTP/1.1 interface that the rest of the server expects.
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { constants, type Http2ServerRequest, type Http2ServerResponse, type ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import process from 'node:process'
import { deferContinue, failBody, markAborted } from 'http-edge/protocols'

const { NGHTTP2_NO_ERROR } = constants

export interface Exchange {
  request: Http2ServerRequest
  response: Http2ServerResponse
  /** Its connection. */
  socket: Socket
}

/** `requestTimeout` is how long the whole request may take, in milliseconds. */
export function asHttp1({ request, response, socket }: Exchange, requestTimeout: number) {
  const { stream } = request
  const http1 = { request: request as unknown as IncomingMessage, response: response as unknown as ServerResponse }
  nameHost(request)
  // Node's own shows nothing of the connection any more once the stream is closed.
  Object.defineProperty(request, 'socket', { value: socket })
  keepFieldsOfConnections(response)
  // Ahead of Node's own listener, which emits `finish` even after an error.
  stream.prependListener('close', () => {
    const isComplete = response.writableEnded && stream.writableFinished && stream.rstCode === NGHTTP2_NO_ERROR
    if (!isComplete) markAborted(http1.response)
  })
  if (!stream.endAfterHeaders) {
    awaitBody(stream, http1.request, requestTimeout)
    if (request.headers.expect !== undefined) deferContinue(http1.request, () => response.writeContinue())
  }
  return http1
}

/**
 * The host is in `:authority`, in Host, or in both (RFC 9113, section 8.3.1). If they differ, the request has two Host
 * headers, which is refused.
 */
function nameHost({ headers, rawHeaders }: Http2ServerRequest) {
  const { ':authority': authority } = headers
  if (authority === undefined) return
  if (headers.host?.toLowerCase() !== authority.toLowerCase()) rawHeaders[rawHeaders.indexOf(':authority')] = 'host'
  headers.host = authority
}

/** There are none in HTTP/2: Node would print a warning (RFC 9113, section 8.2.2). */
function keepFieldsOfConnections(response: Http2ServerResponse) {
  const { writeHead } = response
  response.writeHead = (status: number, headers?: OutgoingHttpHeaders | string) => {
    if (typeof headers === 'object') delete headers.connection
    return Reflect.apply(writeHead, response, [status, headers])
  }
}

/** A body follows, of a length that may be unknown. */
function awaitBody(stream: ServerHttp2Stream, request: IncomingMessage, requestTimeout: number) {
  request.headers['transfer-encoding'] = 'chunked'
  const late = setTimeout(() => failBody(request, failure(408)), requestTimeout)
  const settle = () => clearTimeout(late)
  function giveUp() {
    failBody(request, failure(400))
    stream.destroy()
  }
  request.once('end', settle)
  stream.once('close', settle)
  // Node would end a body that is cut off like any other, and keep the stream. Within the event, a response would throw.
  stream.once('aborted', () => process.nextTick(giveUp))
  // The rest of a body is of no use after the response (RFC 9113, section 8.1).
  stream.once('finish', () => request.readableEnded || stream.close(NGHTTP2_NO_ERROR))
}

function failure(statusCode: number): Error {
  return Object.assign(new Error('the body of the request did not arrive'), { statusCode })
}
