// Composes the service. Reads no environment and opens no port.

import { contractOptions, type Document, operationsOf } from 'exact-openapi'
import Fastify, { type FastifyInstance } from 'fastify'
import openapiGlue from 'fastify-openapi-glue'
import { type EdgeOptions, httpEdge } from 'http-edge/fastify'
import { openapiPages } from 'openapi-pages'
import { type DashboardOptions, dashboard, portFilter } from './domains/index.ts'
import { handlers, type Services } from './handlers/index.ts'
import { type AuthOptions, apiKeyGuard } from './plugins/auth.ts'
import errors from './plugins/errors.ts'
import health from './plugins/health.ts'
import { listSender } from './plugins/list/index.ts'
import { wiring } from './plugins/wiring.ts'
import { acceptedBy, loadChangelog, loadDocument } from './spec/document.ts'
import { addObservers, type RequestLogOptions, type RequestObserver, requestLog } from './telemetry/index.ts'

export interface AppOptions extends Services {
  keys: AuthOptions['keys']
  document?: Document
  logger?: RequestLogOptions | false
  /** Metrics and traces. */
  observers?: readonly RequestObserver[]
  /** Origins whose pages may call the API. */
  corsOrigins?: string[]
  /** Addresses whose X-Forwarded-* headers are trusted. */
  trustProxy?: string[]
  /** Announces a shutdown when it aborts. */
  shutdown?: AbortSignal
  /** How long an idle connection is kept, in milliseconds. */
  keepAliveTimeout?: number
  rateLimits?: Pick<AuthOptions, 'requests' | 'failedAuthentications'>
  /** How long requests may wait for the event loop, in milliseconds; 0 for no limit. */
  maxEventLoopDelay?: number
  /** How many connections and incomplete bodies there may be; without it, any number. */
  connectionLimits?: EdgeOptions['connectionLimits']
  /** Whether the API is served at custom domains, too. */
  isApiAtDomains?: boolean
  /** Checks what handlers return against the documents; a violation becomes a 500. */
  checkResponses?: boolean
  /** The page "Project settings / Domains" and its private API, with keys of its own. */
  dashboard?: Pick<DashboardOptions, 'service' | 'keys'> | undefined
}

/** @throws if the document and the handlers do not match; the message names the operation */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { orders, keys, document = loadDocument(), logger = false } = options
  const { corsOrigins = [], trustProxy = [], isApiAtDomains = false, maxEventLoopDelay = 0 } = options
  const checkResponses = options.checkResponses ? 'throw' : 'off'
  const { requests, failedAuthentications } = options.rateLimits ?? {}
  const logController = requestLog(options.observers)
  const edge = httpEdge({
    ...(options.connectionLimits && { connectionLimits: options.connectionLimits }),
    ...(corsOrigins.length > 0 && { cors: { origins: corsOrigins, allowed: () => acceptedBy(document) } }),
    keepAliveTimeout: options.keepAliveTimeout,
    trustProxy,
    shutdown: options.shutdown,
    operationOf: ({ operation }) => operation,
  })
  const app = Fastify({ ...edge.options, ...contractOptions, logger, logController })
  addObservers(app, options.observers)

  // Within each phase (onRequest, preValidation, preHandler), hooks run in this order, then those of the route.
  await app.register(edge.plugin)
  await app.register(errors)

  // The API and the dashboard each have a document and keys of their own. With a dashboard there are domains, whose ports
  // serve only some routes.
  const api = async (api: FastifyInstance) => {
    if (options.dashboard) await api.register(portFilter, { isApiAtDomains })
    const rejectIfLate = edge.shedLoad(api, maxEventLoopDelay)
    const apiKey = await apiKeyGuard(api, { keys, requests, failedAuthentications })
    // exact-openapi makes the routes, which check requests by the document; fastify-openapi-glue registers them.
    const { specification, operationResolver } = operationsOf(api, {
      document,
      handlers,
      services: { orders },
      guards: { apiKey },
      senders: [listSender(app, rejectIfLate)],
      ...wiring,
      checkResponses,
    })
    await api.register(openapiGlue, { specification, operationResolver })
  }
  await app.register(api, { prefix: '/v1' })
  await app.register(async (probes) => {
    if (options.dashboard) await probes.register(portFilter)
    await probes.register(health, { check: () => orders.ping(), isShuttingDown: edge.isShuttingDown })
  })
  await app.register(openapiPages, {
    document,
    logo: new URL(import.meta.resolve('#spec/logo.svg')),
    picture: new URL(import.meta.resolve('#spec/card.png')),
    trustProxy,
    isApiAtCopies: isApiAtDomains,
    changelog: loadChangelog,
    exposedHeaders: ['x-request-id'],
  })
  if (options.dashboard) await app.register(dashboard, { ...options.dashboard, failedAuthentications, checkResponses })
  edge.rejectOtherMethods()
  return app
}
