// Checks every request before routing: request id, standard headers, framing, parser errors.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyHttpOptions, FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { type ConnectionError, refuse } from '../http/connections.ts'
import { hostsOf, isHost } from '../http/host.ts'
import { HEADER_LIMIT, HEADER_LIMIT_BYTES, serverOptions, serveWith } from '../http/server.ts'
import { routable, splitTarget } from '../http/target.ts'
import { ApiError } from '../spec/errors.ts'
import { answerOf, reasonOf, standardHeaders } from './protocol/refusal.ts'

/** Fastify's options that belong to this plugin. */
export const protocolOptions = {
  genReqId,
  rewriteUrl,
  serverFactory: (listener) => serveWith(createServer(serverOptions), listener),
  clientErrorHandler,
  exposeHeadRoutes: false, // its HEAD sends content-length 0 if there is no body: plugins/methods.ts adds HEAD
  return503OnClosing: false, // its body would not be an Error: plugins/drain.ts responds
  routerOptions: { maxParamLength: HEADER_LIMIT_BYTES }, // the validator rejects long identifiers
} satisfies FastifyHttpOptions<Server>

async function protocol(app: FastifyInstance) {
  app.addHook('onRequest', ({ id, raw, originalUrl }, reply, done) => {
    reply.headers(standardHeaders(id))
    const problem = framingProblem(raw)
    if (problem) reply.header('connection', 'close') // the end of the request is uncertain
    done(problem ?? requestProblem(raw, originalUrl))
  })
}

function framingProblem({ httpVersion, headers, rawHeaders }: IncomingMessage): ApiError | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return new ApiError('invalid_request', 'The version of HTTP must be 1.1 or 1.0.')
  }
  if (rawHeaders.length > 2 * HEADER_LIMIT) return new ApiError('headers_too_large')
  const coding = headers['transfer-encoding']
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    return new ApiError('invalid_request', 'The only transfer coding is chunked, of HTTP/1.1.') // RFC 9112 6.1
  }
  return undefined
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

/** Takes a safe inbound id, else generates one. */
function genReqId({ headers }: IncomingMessage): string {
  const inbound = headers['x-request-id']
  return typeof inbound === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(inbound) ? inbound : randomUUID()
}

/** `OPTIONS *` asks about the server as a whole (RFC 9110 9.3.7). */
function rewriteUrl({ method, url = '' }: IncomingMessage): string {
  return method === 'OPTIONS' && url === '*' ? '/' : routable(url)
}

/** Input that Node's parser rejects never becomes a request. */
function clientErrorHandler(this: FastifyInstance, error: ConnectionError, socket: Socket) {
  const reason = reasonOf(error)
  const answer = () => {
    const id = randomUUID()
    this.log.info({ reqId: id, code: reason.code, cause: error.code }, 'refused by the parser')
    return answerOf(id, reason)
  }
  refuse(socket, error, { reason, answer })
}

export default fp(protocol, { name: 'protocol' })
