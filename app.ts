// Composes the service. Reads no environment and opens no port.

import type { Server } from 'node:http'
import Fastify, { type FastifyHttpOptions, type FastifyInstance } from 'fastify'
import { dashboardHandlers } from './handlers/dashboard/index.ts'
import type { Services as DashboardServices } from './handlers/dashboard/types.ts'
import { handlers } from './handlers/index.ts'
import type { Services } from './handlers/types.ts'
import auth from './plugins/auth.ts'
import bodies from './plugins/bodies.ts'
import contract from './plugins/contract.ts'
import cors from './plugins/cors.ts'
import dashboard from './plugins/dashboard.ts'
import docs from './plugins/docs.ts'
import drain from './plugins/drain.ts'
import errors from './plugins/errors.ts'
import lifecycle from './plugins/lifecycle.ts'
import list from './plugins/list.ts'
import local from './plugins/local.ts'
import methods from './plugins/methods.ts'
import preconditions from './plugins/preconditions.ts'
import protocol, { protocolOptions } from './plugins/protocol.ts'
import validator from './plugins/validator.ts'
import { type Document, dashboardDocument, loadDocument } from './spec/document.ts'

export interface AppOptions extends Services {
  /** The names of the API keys by the SHA-256 digest of the key, in lower-case hexadecimal. */
  keys: ReadonlyMap<string, string>
  document?: Document
  logger?: FastifyHttpOptions<Server>['logger']
  /** Origins whose pages may call the API. */
  corsOrigins?: string[]
  /** Addresses whose X-Forwarded-* headers are trusted. */
  trustProxy?: string[]
  /** The page "Project settings / Domains" and its private API, with keys of its own. */
  dashboard?: DashboardServices & { keys: AppOptions['keys'] }
}

/** @throws when the document and the handlers do not match; the message names the operation */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { orders, keys, document = loadDocument(), logger = false } = options
  const { corsOrigins = [], trustProxy = [] } = options
  const app = Fastify({ ...protocolOptions, logger, trustProxy })

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
    await api.register(auth, { keys })
    const guards = { apiKey: api.requireKey }
    const table = { handlers, handlersFile: 'handlers/index.ts' }
    await api.register(contract, { document, prefix: '/v1', ...table, services: { orders }, guards })
  })
  await app.register(docs, { document, trustProxy })
  if (options.dashboard) await app.register(domainsPage, options.dashboard)
  app.refuseOtherMethods()
  return app
}

async function domainsPage(app: FastifyInstance, { keys, domains }: NonNullable<AppOptions['dashboard']>) {
  await app.register(local)
  await app.register(auth, { keys })
  const document = loadDocument(dashboardDocument)
  const guards = { dashboardKey: app.requireKey }
  const table = { handlers: dashboardHandlers, handlersFile: 'handlers/dashboard/index.ts' }
  await app.register(contract, { document, prefix: '/dashboard/v1', ...table, services: { domains }, guards })
  await app.register(dashboard)
}
