// Composes the service. Reads no environment and opens no port.

import Fastify, { type FastifyInstance } from 'fastify'
import { dashboardHandlers } from './handlers/dashboard/index.ts'
import type { Services as DashboardServices } from './handlers/dashboard/types.ts'
import { handlers } from './handlers/index.ts'
import type { Services } from './handlers/types.ts'
import auth, { type AuthOptions } from './plugins/auth.ts'
import bodies from './plugins/bodies.ts'
import contract from './plugins/contract.ts'
import cors from './plugins/cors.ts'
import dashboard from './plugins/dashboard.ts'
import docs from './plugins/docs.ts'
import drain from './plugins/drain.ts'
import errors from './plugins/errors.ts'
import health from './plugins/health.ts'
import lifecycle from './plugins/lifecycle.ts'
import limits, { type LimitsOptions } from './plugins/limits.ts'
import list from './plugins/list.ts'
import local from './plugins/local.ts'
import methods from './plugins/methods.ts'
import overload from './plugins/overload.ts'
import preconditions from './plugins/preconditions.ts'
import protocol, { protocolOptions } from './plugins/protocol.ts'
import { type RequestLogOptions, type RequestObserver, requestLog } from './plugins/request-log.ts'
import validator from './plugins/validator.ts'
import { type Document, dashboardDocument, loadDocument } from './spec/document.ts'

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
  limits?: LimitsOptions & { maxEventLoopDelay?: number }
  /** Whether the API is served at custom domains, too. */
  isApiAtDomains?: boolean
  /** The page "Project settings / Domains" and its private API, with keys of its own. */
  dashboard?: DashboardServices & { keys: AppOptions['keys'] }
}

/** @throws when the document and the handlers do not match; the message names the operation */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { orders, keys, document = loadDocument(), logger = false } = options
  const { corsOrigins = [], trustProxy = [], isApiAtDomains = false } = options
  const { requests, failedAuthentications, maxEventLoopDelay = 0 } = options.limits ?? {}
  const logController = requestLog(logger || undefined, options.observers)
  const app = Fastify({ ...protocolOptions, logger, logController, trustProxy })
  // Without a log, Fastify tells nobody of the end of a request unless there is such a hook.
  if (options.observers?.length && !logger) app.addHook('onResponse', (_request, _reply, done) => done())

  // Hooks run in this order for every request, before any route's own.
  await app.register(protocol)
  await app.register(errors)
  await app.register(cors, { origins: corsOrigins })
  await app.register(drain)
  await app.register(bodies)

  // Plugins that the routes use.
  await app.register(methods)
  await app.register(validator)
  await app.register(preconditions)
  await app.register(lifecycle)
  await app.register(list)

  // The routes, which use the plugins registered above. Each document has its own keys.
  await app.register(async (api) => {
    if (options.dashboard) await api.register(local, { isServedOverTls: isApiAtDomains })
    await api.register(overload, { maxEventLoopDelay })
    await api.register(limits, { requests, failedAuthentications })
    await api.register(auth, { keys })
    const guards = {
      apiKey: ({ isSafe }: { isSafe: boolean }) => [
        api.requireKey,
        ...(requests ? [api.limitRate] : []),
        ...(isSafe ? [] : [api.requireFullScope]),
      ],
    }
    const table = { handlers, handlersFile: 'handlers/index.ts' }
    await api.register(contract, { document, prefix: '/v1', ...table, services: { orders }, guards })
  })
  await app.register(async (probes) => {
    if (options.dashboard) await probes.register(local)
    await probes.register(health, { check: orders.ping })
  })
  await app.register(docs, { document, trustProxy, isApiAtDomains })
  if (options.dashboard) await app.register(domainsPage, { ...options.dashboard, failedAuthentications })
  app.refuseOtherMethods()
  return app
}

type PageOptions = NonNullable<AppOptions['dashboard']> & Pick<LimitsOptions, 'failedAuthentications'>

async function domainsPage(app: FastifyInstance, { keys, domains, failedAuthentications }: PageOptions) {
  await app.register(local)
  await app.register(limits, { failedAuthentications })
  await app.register(auth, { keys })
  const document = loadDocument(dashboardDocument)
  const guards = { dashboardKey: () => [app.requireKey] }
  const table = { handlers: dashboardHandlers, handlersFile: 'handlers/dashboard/index.ts' }
  await app.register(contract, { document, prefix: '/dashboard/v1', ...table, services: { domains }, guards })
  await app.register(dashboard)
}
