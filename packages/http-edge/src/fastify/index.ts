// What index.ts has, for Fastify, with request ids, checks of each request, all methods, and a graceful end.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { FastifyContextConfig, FastifyHttpOptions, FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { type ConnectionLimits, createConnectionLimits } from '../connection-limits.ts'
import { memberOf } from '../network.ts'
import { requestIdOf } from '../request-id.ts'
import { MAX_HEADER_BYTES, serverOptions, serveWith } from '../server.ts'
import { decodableTarget } from '../target.ts'
import { receiveBodies } from './bodies.ts'
import { allowOrigins, type CorsOptions } from './cors.ts'
import { drain } from './drain.ts'
import { type ErrorBody, usualBody } from './errors.ts'
import { rejectMalformedUrls } from './malformed-urls.ts'
import { otherMethods } from './methods.ts'
import type { Operation } from './operation.ts'
import { type RejectIfLate, rejection, shed } from './overload.ts'
import { checkPreconditions } from './preconditions.ts'
import { checkProtocol } from './protocol/index.ts'
import { clientErrorHandler, rejectUnknownMethods } from './protocol/parser-errors.ts'

export { contentOf } from './bodies.ts'
export { EdgeError, type ErrorBody, edgeErrors, failureOf, noteFailure } from './errors.ts'
export type { RejectIfLate } from './overload.ts'
export { hijackWithHead } from './protocol/index.ts'

export interface EdgeOptions {
  /** Limits of connections and incomplete bodies, which several servers may share. */
  connectionLimits?: ConnectionLimits
  /** Makes the body of a response that no error handler can write: `{ code, message, status }` unless given. */
  errorBody?: ErrorBody
  /** Which pages of other origins may call the server; none unless given. */
  cors?: CorsOptions
  /** How long an idle connection is kept, in milliseconds. It should be longer than a proxy in front keeps it. */
  keepAliveTimeout?: number | undefined
  /** Addresses and networks of proxies whose X-Forwarded-* headers are believed. */
  trustProxy?: readonly string[]
  /** How long requests in progress may take once the server closes, in milliseconds. */
  graceMs?: number | undefined
  /**
   * Announces a shutdown when it aborts: `isShuttingDown` is then true. All requests are served until the server closes, but
   * none on a connection that the server might close when the next one arrives (RFC 9112, section 9.6).
   */
  shutdown?: AbortSignal | undefined
  /**
   * What a route declares of its requests and responses, from its `config`. Bodies of these routes are then received here,
   * for `contentOf`, and Accept and If-* are checked; other routes take no body. Without it, Fastify's parsers read the
   * bodies of all.
   */
  operationOf?(config: FastifyContextConfig): Operation | undefined
}

/**
 * ```ts
 * const edge = httpEdge()
 * const app = Fastify({ ...edge.options })
 * await app.register(edge.plugin)
 * app.get(…)
 * edge.rejectOtherMethods()
 * ```
 * Its hooks run before those that are added later.
 */
export function httpEdge(options: EdgeOptions = {}) {
  const {
    connectionLimits = createConnectionLimits(),
    errorBody = usualBody,
    cors,
    graceMs,
    shutdown,
    operationOf,
    trustProxy = [],
  } = options
  const { keepAliveTimeout = serverOptions.keepAliveTimeout } = options
  const reject = rejection(errorBody)
  const draining = drain(graceMs, shutdown)
  const methods = otherMethods()

  async function edge(app: FastifyInstance) {
    rejectUnknownMethods(app, errorBody)
    checkProtocol(app, operationOf)
    rejectMalformedUrls(app, operationOf)
    if (cors) await allowOrigins(app, cors)
    draining.addTo(app)
    if (operationOf) {
      checkPreconditions(app, operationOf)
      receiveBodies(app, operationOf, connectionLimits)
    }
    methods.addTo(app)
  }

  return {
    /** The options that `Fastify(…)` needs. */
    options: {
      rewriteUrl(request) {
        methods.disguise(request)
        return targetOf(request)
      },
      // Fastify calls it as soon as it has routed a request.
      genReqId(request) {
        methods.restore(request)
        return requestIdOf(request)
      },
      trustProxy: memberOf(trustProxy),
      serverFactory: (listener) =>
        serveWith(createServer({ ...serverOptions, keepAliveTimeout }), listener, connectionLimits),
      clientErrorHandler: clientErrorHandler(errorBody),
      exposeHeadRoutes: false, // otherMethods adds HEAD: Fastify's would send content-length 0
      return503OnClosing: false, // drain responds: Fastify's body would not be an error of this package
      routerOptions: { maxParamLength: MAX_HEADER_BYTES }, // a validator rejects long identifiers
    } satisfies FastifyHttpOptions<Server>,
    plugin: fp(edge, { name: 'http-edge' }),
    /** Adds OPTIONS, and 405 with Allow for every other method. Call it after all routes are registered. */
    rejectOtherMethods: methods.reject,
    /** True from the announcement on, or once the server closes. */
    isShuttingDown: draining.isShuttingDown,
    /**
     * Sheds the load of the routes within an instance: while they wait longer for the event loop than so many
     * milliseconds, they get 503. 0 is no limit. @returns what a handler calls before it sends a large response
     */
    shedLoad: (app: FastifyInstance, ms: number): RejectIfLate => shed(app, ms, reject),
  }
}

/** `OPTIONS *` is about the server as a whole (RFC 9110, section 9.3.7). */
function targetOf({ method, url = '' }: IncomingMessage): string {
  return method === 'OPTIONS' && url === '*' ? '/' : decodableTarget(url)
}
