// Custom domains for the documentation: ports, certificates, and the dashboard that manages them. The server
// imports only this file.

import type { TLSSocket } from 'node:tls'
import type { StorageUnavailableError } from 'custom-domains'
import { type ExactOptions, exactOpenapi } from 'exact-openapi'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { ConnectionLimits } from 'http-edge'
import { contentOf } from 'http-edge/fastify'
import type { DatabaseConfig, DomainsConfig } from '../config/environment.ts'
import { type AuthOptions, apiKeyGuard } from '../plugins/auth.ts'
import { loadDocument } from '../spec/document.ts'
import { ApiError, requestError, unavailable } from '../spec/errors.ts'
import { type DashboardService, dashboardDocument, dashboardHandlers } from './api/index.ts'
import dashboardPage from './dashboard/index.ts'
import { type DocsAddress, isDocsDeployed } from './is-docs-deployed.ts'
import { PRIMARY, siteOf } from './site.ts'

export { registerDomainMetrics } from './metrics.ts'

type WriteLogLine = (level: 'info' | 'warn' | 'error', message: string) => void

export interface DashboardOptions extends Pick<AuthOptions, 'failedAuthentications'> {
  /** Its operations throw while the storage is unreachable. */
  service: DashboardService
  /** Its own keys: those of the API do not open it. */
  keys: AuthOptions['keys']
  checkResponses?: ExactOptions<unknown>['checkResponses']
}

/** The page "Project settings / Domains" and its API. */
export async function dashboard(app: FastifyInstance, options: DashboardOptions): Promise<void> {
  const { keys, service, failedAuthentications, checkResponses } = options
  app.setErrorHandler((error) => {
    throw isOutage(error) ? unavailable('domains', error) : error
  })
  await app.register(exactOpenapi, {
    document: loadDocument(dashboardDocument),
    prefix: '/dashboard/v1',
    handlers: dashboardHandlers,
    services: service,
    guards: { dashboardKey: await apiKeyGuard({ keys, failedAuthentications })(app) },
    contentOf,
    errorOf: requestError,
    checkResponses,
  })
  await app.register(dashboardPage)
}

/** Hides routes from requests without TLS, which reach the domains' app until the platform's own host has a certificate. */
export const requireTls: onRequestHookHandler = ({ raw }, _reply, done) => {
  const { encrypted = false } = raw.socket as Partial<TLSSocket>
  done(encrypted ? undefined : new ApiError('not_found'))
}

/** For the pages: custom-domains names the page that is copied in the Link header (RFC 8288), before the app is called. */
export function canonicalOf(_request: FastifyRequest, { raw }: FastifyReply): string | undefined {
  return /^<([^>]*)>; rel="canonical"$/.exec(String(raw.getHeader('link')))?.[1]
}

/** Compares the name, as the engine's modules may not be loaded. */
const isOutage = (error: unknown): error is StorageUnavailableError =>
  (error as Partial<Error>).name === 'StorageUnavailableError'

/**
 * Opens the storage and publishes its domains. Modules are loaded only here, because the API alone does not need them.
 * @returns undefined where the stored state is damaged, which is reported: the API starts without the domains
 */
export async function openDomains(config: DomainsConfig, database: DatabaseConfig | undefined, report: WriteLogLine) {
  const { BrokenStateError, customDomains } = await import('custom-domains')
  const { plan, engine } = config
  const reportDomains: WriteLogLine = (level, message) => report(level, `custom domains: ${message}`)
  /** Set once the ports are open. */
  let address: DocsAddress | undefined
  try {
    const domains = await customDomains({
      ...engine,
      canonicalRole: PRIMARY,
      storage: openStorage(config, database, reportDomains),
      userAgent: 'store-orders',
      unservedText: 'Nothing is served at this domain. Its owner can see why in Project settings, Domains.\n',
      report: reportDomains,
    })
    const isDeployed = async () => address !== undefined && isDocsDeployed(address, engine.platform)
    return {
      domains,
      service: { ...siteOf(domains), plan, isDeployed },
      /** Serves them with the documentation. Host '' is all addresses. @returns the ports; for 0, any free one */
      async listenAt(app: FastifyInstance, { host, ports }: DocsAddress, connectionLimits: ConnectionLimits) {
        address = { host, ports: await domains.listen(app, { host, ...ports, connectionLimits }) }
        return address.ports
      },
    }
  } catch (error) {
    if (!(error instanceof BrokenStateError)) throw error
    report('error', `${error.message}. The API starts without the domains: repair it and restart`)
    return undefined
  }
}

async function openStorage(config: DomainsConfig, database: DatabaseConfig | undefined, report: WriteLogLine) {
  const { dataDir, configurationFile, encryptionKeys } = config
  if (database && encryptionKeys.length > 0) {
    const { postgresDomainStorage } = await import('./postgres/storage.ts')
    return postgresDomainStorage({ ...database, encryptionKeys }, report)
  }
  const [{ fileStorage }, { checkConfigurationFile }] = await Promise.all([
    import('custom-domains'),
    import('./configuration-file.ts'),
  ])
  await checkConfigurationFile(config)
  return fileStorage(dataDir, { configurationFile })
}
