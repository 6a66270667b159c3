// Checks every request before routing: request id, standard headers, framing, parser errors.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { FastifyHttpOptions, FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { defaultHeaders, type Head } from '../http/headers.ts'
import { hostsOf, isHost } from '../http/host.ts'
import { varying } from '../http/negotiate.ts'
import { requestIdOf } from '../http/request-id.ts'
import { HEADER_LIMIT, HEADER_LIMIT_BYTES, serverOptions, serveWith } from '../http/server.ts'
import { routable, splitTarget } from '../http/target.ts'
import { ApiError } from '../spec/errors.ts'
import { clientErrorHandler, rejectUnknownMethods } from './parser-errors.ts'

/** Fastify's options that belong to this plugin. */
export const protocolOptions = {
  genReqId: requestIdOf,
  rewriteUrl,
  serverFactory: (listener) => serveWith(createServer(serverOptions), listener),
  clientErrorHandler,
  exposeHeadRoutes: false, // its HEAD sends content-length 0 if there is no body: plugins/methods.ts adds HEAD
  return503OnClosing: false, // its body would not be an Error: plugins/drain.ts responds
  routerOptions: { maxParamLength: HEADER_LIMIT_BYTES }, // the validator rejects long identifiers
} satisfies FastifyHttpOptions<Server>

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Writes the head of a response, with the request id and the headers that hooks have added. The rest bypasses
     * Fastify: its hooks of the kind onSend, and its own way of sending, which cost as much as writing to the socket.
     */
    writeHead(status: number, head: Head, vary?: string): ServerResponse
  }
}

const defaults = Object.entries(defaultHeaders)

async function protocol(app: FastifyInstance) {
  rejectUnknownMethods(app)
  app.addHook('onRequest', ({ raw, originalUrl }, reply, done) => {
    const problem = framingProblem(raw)
    if (problem) reply.header('connection', 'close') // the end of the request is uncertain
    done(problem ?? requestProblem(raw, originalUrl))
  })
  app.decorateReply('writeHead', writeHead)
  app.addHook('onSend', ({ id }, reply, _payload, done) => {
    reply.header('x-request-id', id)
    for (const [name, value] of defaults) if (!reply.hasHeader(name)) reply.header(name, value)
    done()
  })
}

function writeHead(this: FastifyReply, status: number, head: Head, vary?: string): ServerResponse {
  const added = this.getHeaders()
  const whole = [...head, 'x-request-id', this.request.id]
  if (vary !== undefined) whole.push('vary', varying(added.vary, vary))
  for (const name in added) if (name !== 'vary' || vary === undefined) whole.push(name, String(added[name]))
  this.hijack()
  this.code(status) // for the log
  return this.raw.writeHead(status, whole)
}

function framingProblem(request: IncomingMessage): ApiError | undefined {
  const { httpVersion, headers, rawHeaders, url = '' } = request
  const isHttp2 = 'stream' in request // what a request line says proves nothing
  if (!isHttp2 && httpVersion !== '1.1' && httpVersion !== '1.0') {
    return new ApiError('invalid_request', 'The version of HTTP must be 1.1 or 1.0.')
  }
  // Of HTTP/1, Node limits the bytes by itself.
  if (isHttp2 && bytesOf(rawHeaders) > HEADER_LIMIT_BYTES) {
    return new ApiError(url.length > HEADER_LIMIT_BYTES ? 'uri_too_long' : 'headers_too_large')
  }
  if (rawHeaders.length > 2 * HEADER_LIMIT) return new ApiError('headers_too_large')
  const coding = headers['transfer-encoding']
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    return new ApiError('invalid_request', 'The only transfer coding is chunked, of HTTP/1.1.') // RFC 9112 6.1
  }
  return undefined
}

/** As a head of HTTP/1.1, where two bytes follow each name and each value. */
function bytesOf(rawHeaders: readonly string[]): number {
  return rawHeaders.reduce((sum, part) => sum + part.length + 2, 0)
}

function requestProblem(request: IncomingMessage, target: string): ApiError | undefined {
  const [host, ...others] = hostsOf(request)
  const { authority = host } = target.startsWith('/') ? {} : splitTarget(target)
  const isMissing = host === undefined && request.httpVersion === '1.1'
  if (isMissing || others.length > 0 || !isHost(host ?? '') || !isHost(authority ?? '')) {
    return new ApiError('invalid_request', 'The request must carry exactly one valid Host header.') // RFC 9112 3.2
  }
  const { expect } = request.headers
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') return new ApiError('expectation_failed')
  return undefined
}

/** `OPTIONS *` asks about the server as a whole (RFC 9110 9.3.7). */
function rewriteUrl({ method, url = '' }: IncomingMessage): string {
  return method === 'OPTIONS' && url === '*' ? '/' : routable(url)
}

export default fp(protocol, { name: 'protocol' })
