// The edge for Fastify: what index.ts has, request ids, checks of each request, 405, and a graceful end.
import type { Server } from 'node:http'
import type { FastifyContextConfig, FastifyHttpOptions, FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { ipMatcher } from '../addresses.ts'
import { type ConnectionLimits, createConnectionLimits } from '../connection-limits.ts'
import { requestIds } from '../request-id.ts'
import { MAX_HEADER_BYTES } from '../server.ts'
import { decodableTarget } from '../target.ts'
import { createWriteScheduler, type WriteScheduler } from '../write-scheduler.ts'
import { receiveBodies } from './bodies.ts'
import { allowOrigins, type CorsOptions } from './cors.ts'
import { drain } from './drain.ts'
import { defaultErrorBody, type ErrorBody } from './errors.ts'
import { rejectMalformedUrls } from './malformed-urls.ts'
import { rejectOtherMethods } from './methods.ts'
import type { Operation } from './operation.ts'
import { type RejectIfLate, rejection, shed } from './overload.ts'
import { checkPreconditions } from './preconditions.ts'
import { checkProtocol } from './protocol/index.ts'
import { clientErrorHandler } from './protocol/parser-errors.ts'
import { limitOptions, serverFactory } from './server-factory.ts'

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
  /** Addresses and networks of proxies whose X-Forwarded-* headers are believed. */
  trustProxy?: readonly string[]
  /** The header that carries the id of a request, and of its response. */
  requestIdHeader?: string
  /** How long requests in progress may take once the server closes, in milliseconds. */
  graceMs?: number | undefined
  /**
   * Announces a shutdown when it aborts: `isShuttingDown` is then true. All requests are served until the server closes, but
   * none on a connection that the server might close when the next one arrives (RFC 9112, section 9.6).
   */
  shutdown?: AbortSignal | undefined
  /** Where large responses wait for their turn, which several servers of a process should share. */
  writeScheduler?: WriteScheduler
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
 * ```
 * Its hooks run before those that are added later.
 */
export function httpEdge(options: EdgeOptions = {}) {
  const {
    connectionLimits = createConnectionLimits(),
    errorBody = defaultErrorBody,
    cors,
    graceMs,
    shutdown,
    operationOf,
    trustProxy = [],
    writeScheduler = createWriteScheduler(),
  } = options
  const requestIdHeader = (options.requestIdHeader ?? 'x-request-id').toLowerCase()
  const ids = requestIds(requestIdHeader)
  const reject = rejection(errorBody)
  const responses = { served: 0, aborted: 0 }
  const draining = drain(responses, graceMs, shutdown)

  async function edge(app: FastifyInstance) {
    checkProtocol(app, requestIdHeader)
    rejectMalformedUrls(app, operationOf)
    if (cors) await allowOrigins(app, cors)
    draining.addTo(app)
    if (operationOf) {
      checkPreconditions(app, operationOf)
      receiveBodies(app, operationOf, connectionLimits)
    }
    rejectOtherMethods(app, cors !== undefined)
  }

  return {
    /** The options that `Fastify(…)` needs. Those of limits may be overridden. */
    options: {
      ...limitOptions(operationOf !== undefined),
      rewriteUrl: ({ url = '' }) => decodableTarget(url),
      genReqId: ids.of,
      trustProxy: ipMatcher(trustProxy),
      serverFactory: serverFactory({ connectionLimits, responses }),
      clientErrorHandler: clientErrorHandler(errorBody, ids.create, requestIdHeader),
      exposeHeadRoutes: false, // rejectOtherMethods adds HEAD
      return503OnClosing: false, // drain responds: Fastify's body would not be an error of this package
      routerOptions: { maxParamLength: MAX_HEADER_BYTES }, // a validator rejects long identifiers
    } satisfies FastifyHttpOptions<Server>,
    plugin: fp(edge, { name: 'http-edge', fastify: '5.x' }),
    /** True from the announcement on, or once the server closes. */
    isShuttingDown: draining.isShuttingDown,
    /**
     * Sheds the load of the routes within an instance: while they wait longer for the event loop than so many
     * milliseconds, they get 503. 0 is no limit. @returns what a handler calls before it sends a large response
     */
    shedLoad: (app: FastifyInstance, ms: number): RejectIfLate => shed(app, ms, writeScheduler, reject),
  }
}
