// Composes the service. Reads no environment and opens no port.
//
// Within each phase (onRequest, preValidation, preHandler), hooks run in the order in which they are registered: those of the
// edge, of the guard, of the route.

import { contractOptions, type Document, operationsOf } from 'exact-openapi'
import Fastify, { type FastifyInstance } from 'fastify'
import openapiGlue from 'fastify-openapi-glue'
import { contentOf, type EdgeOptions, httpEdge } from 'http-edge/fastify'
import { createWriteScheduler, type WriteScheduler } from 'http-edge/responses'
import { openapiPages } from 'openapi-pages'
import { canonicalOf, type DashboardOptions, dashboard, requireTls } from './domains/index.ts'
import { handlers, type Services } from './handlers/index.ts'
import { type AuthOptions, apiKeyGuard } from './plugins/auth.ts'
import { announceDeprecation } from './plugins/deprecation.ts'
import errors from './plugins/errors.ts'
import health from './plugins/health.ts'
import { listSenders } from './plugins/list/index.ts'
import { acceptedBy, exampleServer, loadChangelog, loadDocument } from './spec/document.ts'
import { requestError } from './spec/errors.ts'
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

interface Apps {
  /** Serves the API port. Closing it closes the other, too. */
  app: FastifyInstance
  /** Serves the ports of custom domains, with no routes but those registered on it. */
  domainsApp?: FastifyInstance
}

/** @throws if the document and the handlers do not match; the message names the operation */
export async function buildApps(options: AppOptions): Promise<Apps> {
  const { orders, keys, document = loadDocument(), dashboard: dashboardOptions } = options
  const { isApiAtDomains = false, maxEventLoopDelay = 0 } = options
  const checkResponses = options.checkResponses ? 'throw' : 'off'
  const { requests, failedAuthentications } = options.rateLimits ?? {}
  const writeScheduler = createWriteScheduler()
  const { app, edge } = await createApp(document, options, writeScheduler)
  const addGuard = apiKeyGuard({ keys, requests, failedAuthentications })
  const senderOf = listSenders(app, { writeScheduler })

  async function addApi(parent: FastifyInstance, { shedLoad }: typeof edge) {
    const register = async (api: FastifyInstance) => {
      announceDeprecation(api)
      // exact-openapi makes the routes, since Fastify's own checks would round int64. fastify-openapi-glue, which this service
      // is built on, registers them.
      const { specification, operationResolver } = operationsOf(api, {
        document,
        handlers,
        services: { orders },
        senders: [senderOf(shedLoad(api, maxEventLoopDelay))],
        guards: { apiKey: await addGuard(api) },
        contentOf,
        errorOf: requestError,
        checkResponses,
      })
      await api.register(openapiGlue, { specification, operationResolver })
    }
    await parent.register(register, { prefix: '/v1' })
  }
  const changelog = loadChangelog()
  const pages = {
    document,
    logo: new URL(import.meta.resolve('#spec/logo.svg')),
    picture: new URL(import.meta.resolve('#spec/card.png')),
    trustProxy: options.trustProxy ?? [],
    changelog: () => changelog,
    exposedHeaders: ['x-request-id'],
    exampleServer,
    canonicalOf,
  }

  await addApi(app, edge)
  await app.register(health, { check: () => orders.ping(), isShuttingDown: edge.isShuttingDown })
  await app.register(openapiPages, pages)
  if (!dashboardOptions) return { app }

  // The dashboard has a document and keys of its own.
  await app.register(dashboard, { ...dashboardOptions, failedAuthentications, checkResponses })
  const { app: domainsApp, edge: domainsEdge } = await createApp(document, options, writeScheduler)
  await domainsApp.register(openapiPages, { ...pages, isApiServed: isApiAtDomains })
  if (isApiAtDomains) {
    await domainsApp.register(async (secure) => {
      secure.addHook('onRequest', requireTls)
      await addApi(secure, domainsEdge)
    })
  }
  await domainsApp.ready()
  app.addHook('onClose', () => domainsApp.close())
  return { app, domainsApp }
}

/** An app without routes. */
async function createApp(document: Document, options: AppOptions, writeScheduler: WriteScheduler) {
  const { logger = false, corsOrigins = [], connectionLimits, keepAliveTimeout } = options
  const edge = httpEdge({
    ...(connectionLimits && { connectionLimits }),
    ...(corsOrigins.length > 0 && { cors: { origins: corsOrigins, allowed: () => acceptedBy(document) } }),
    trustProxy: options.trustProxy ?? [],
    shutdown: options.shutdown,
    writeScheduler,
    operationOf: ({ operation }) => operation,
  })
  const app = Fastify({
    ...edge.options,
    ...contractOptions,
    ...(keepAliveTimeout !== undefined && { keepAliveTimeout }),
    logger,
    logController: requestLog(options.observers),
  })
  addObservers(app, options.observers)

  await app.register(edge.plugin)
  await app.register(errors)
  return { app, edge }
}
