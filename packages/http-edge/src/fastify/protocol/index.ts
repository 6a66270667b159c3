// Runs before all other hooks: request ids, standard headers, and checks of framing, Host and Expect.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { headWritten } from '../../channels.ts'
import { defaultHeaders, type HeaderList, valuesOf } from '../../headers.ts'
import { appendVary } from '../../negotiation.ts'
import { MAX_HEADER_BYTES, MAX_HEADER_FIELDS } from '../../server.ts'
import { hostCheck, hostHeaders, splitTarget } from '../../target.ts'
import { EdgeError } from '../errors.ts'

const defaults = Object.entries(defaultHeaders)

/** @param idHeader names the header of the request id */
export function checkProtocol(app: FastifyInstance, idHeader: string): void {
  const isHost = hostCheck()
  app.addHook('onRequest', ({ id, raw, originalUrl }, reply, done) => {
    reply.header(idHeader, id)
    // An object that a test passes to the router in place of a request.
    /* c8 ignore next -- as @fastify/websocket's injectWS does */
    if ((raw.rawHeaders as string[] | undefined) === undefined) return done()
    const problem = framingProblem(raw)
    if (problem) reply.header('connection', 'close') // where the request ends is uncertain
    done(problem ?? requestProblem(raw, originalUrl, isHost))
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    for (const [name, value] of defaults) if (!reply.hasHeader(name)) reply.header(name, value)
    done()
  })
}

/**
 * Takes the reply over from Fastify, and writes its status and headers. A header that a hook or a handler has set replaces
 * the given one; `vary` is joined. This bypasses Fastify's onSend hooks and its sending, which cost as much as writing to
 * the socket.
 */
export function hijackWithHead(
  reply: FastifyReply,
  status: number,
  headers: HeaderList,
  vary?: string,
): ServerResponse {
  const set = reply.getHeaders()
  const whole: HeaderList = []
  for (let at = 0; at < headers.length; at += 2) {
    if (!((headers[at] as string) in set)) whole.push(headers[at] as string, headers[at + 1] as string)
  }
  if (vary !== undefined) whole.push('vary', appendVary(set.vary, vary))
  for (const name in set) if (name !== 'vary' || vary === undefined) whole.push(name, String(set[name]))
  reply.hijack()
  reply.code(status) // for the log
  headWritten.publish(reply.raw)
  return reply.raw.writeHead(status, whole)
}

function framingProblem(request: IncomingMessage): EdgeError | undefined {
  const { httpVersion, headers, rawHeaders, url = '' } = request
  const isHttp2 = 'stream' in request // an HTTP/1 request line can claim version 2
  if (!isHttp2 && httpVersion !== '1.1' && httpVersion !== '1.0') {
    return new EdgeError('invalid_request', 'The version of HTTP must be 1.1 or 1.0.')
  }
  // Node itself limits the bytes of HTTP/1 headers.
  if (isHttp2 && bytesOf(rawHeaders) > MAX_HEADER_BYTES) {
    return new EdgeError(url.length > MAX_HEADER_BYTES ? 'uri_too_long' : 'headers_too_large')
  }
  if (rawHeaders.length > 2 * MAX_HEADER_FIELDS) return new EdgeError('headers_too_large')
  const coding = headers['transfer-encoding']
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    return new EdgeError('invalid_request', 'The only supported transfer coding is chunked, in HTTP/1.1.') // RFC 9112 6.1
  }
  return undefined
}

/** The size in HTTP/1.1, where two bytes follow each name and each value. */
function bytesOf(rawHeaders: readonly string[]): number {
  return rawHeaders.reduce((sum, part) => sum + part.length + 2, 0)
}

function requestProblem(
  request: IncomingMessage,
  target: string,
  isHost: (value: string) => boolean,
): EdgeError | undefined {
  const [host, ...others] = hostHeaders(request)
  const { authority = host } = target.startsWith('/') ? {} : splitTarget(target)
  const isMissing = host === undefined && request.httpVersion === '1.1'
  if (isMissing || others.length > 0 || !isHost(host ?? '') || !isHost(authority ?? '')) {
    return new EdgeError('invalid_request', 'The request must carry exactly one valid Host header.') // RFC 9112 3.2
  }
  if (valuesOf(request, 'authorization').length > 1) {
    return new EdgeError('invalid_request', 'The request must carry at most one Authorization header.') // as in nginx
  }
  const { expect } = request.headers
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') return new EdgeError('expectation_failed')
  return undefined
}
