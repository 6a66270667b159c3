// What HTTP asks of every connection and answer, before any route is known: ids, standard headers, timeouts, and an
// Error for what Node's parser refuses.
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyHttpOptions, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { ApiError, type ErrorCode, refusal } from '../spec/errors.ts'

const headerLimit = 16 * 1024

/** Fastify's options that belong to this plugin. Times are milliseconds. */
export const protocolOptions = {
  genReqId,
  frameworkErrors,
  clientErrorHandler,
  return503OnClosing: false, // its body would not be an Error: plugins/drain.ts answers
  requestTimeout: 30_000, // for the whole request
  keepAliveTimeout: 72_000, // longer than the 60 s of most load balancers, which must be the ones to hang up
  connectionTimeout: 120_000, // without a byte in either direction: a reader that stalled, or a forgotten socket
  http: { headersTimeout: 10_000, maxHeaderSize: headerLimit, requireHostHeader: false },
  routerOptions: { maxParamLength: headerLimit }, // a long identifier is the validator's to refuse
} satisfies FastifyHttpOptions<Server>

async function protocol(app: FastifyInstance) {
  app.addHook('onRequest', ({ id, raw }, reply, done) => {
    reply.headers(standardHeaders(id))
    const hosts = countHosts(raw)
    if (hosts > 1 || (hosts === 0 && raw.httpVersion === '1.1')) {
      throw new ApiError('invalid_request', 'The request must carry exactly one Host header.') // RFC 9112 3.2
    }
    if (raw.headers.expect && raw.headers.expect.toLowerCase() !== '100-continue') {
      throw new ApiError('expectation_failed')
    }
    if (raw.headers['content-type']) delete raw.headers['content-type'] // bodies are not looked at, so no content type is wrong
    done()
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(['application/json', '*'], (_request, body, done) => {
    body.resume()
    done(null)
  })
  // Node would answer these two by itself, or not at all.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  app.server.on('connect', (request, socket: Socket) => {
    answerRaw(socket, genReqId(request), 'invalid_request', 'CONNECT is not served here.')
  })
}

/** Takes a safe inbound id, else makes one. */
function genReqId({ headers }: IncomingMessage): string {
  const inbound = headers['x-request-id']
  return typeof inbound === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(inbound) ? inbound : randomUUID()
}

function standardHeaders(id: string) {
  return {
    'x-request-id': id,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
  }
}

function countHosts({ rawHeaders }: IncomingMessage): number {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts
}

/** A URL that the router cannot decode reaches no hook. */
function frameworkErrors(error: Error, request: FastifyRequest, reply: FastifyReply) {
  request.log.debug({ err: error }, 'refused by the router')
  const { status, body } = refusal('invalid_request', 'The address of the request is not a valid URL.')
  reply.headers(standardHeaders(request.id)).code(status).send(body)
}

const parserErrors: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** What Node's parser refuses never becomes a request. */
function clientErrorHandler(this: FastifyInstance, error: Error & { code: string }, socket: Socket) {
  const begun = '_httpMessage' in socket && socket._httpMessage // an answer to an earlier request: never written into
  if (error.code === 'ECONNRESET' || !socket.writable || begun) {
    socket.destroy()
    return
  }
  const id = randomUUID()
  const code = isUriTooLong(error) ? 'uri_too_long' : (parserErrors[error.code] ?? 'invalid_request')
  this.log.info({ reqId: id, code, cause: error.code }, 'refused by the parser')
  answerRaw(socket, id, code)
}

function isUriTooLong(error: Error & { code: string; rawPacket?: unknown }): boolean {
  if (error.code !== 'HPE_HEADER_OVERFLOW' || !Buffer.isBuffer(error.rawPacket)) return false
  return !error.rawPacket.subarray(0, headerLimit).includes('\r\n')
}

function answerRaw(socket: Socket, id: string, code: ErrorCode, message?: string) {
  const { status, body } = refusal(code, message)
  const json = JSON.stringify(body)
  const headers = {
    ...standardHeaders(id),
    date: new Date().toUTCString(),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(json),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${json}`, () => socket.destroy())
}

export default fp(protocol, { name: 'protocol' })
