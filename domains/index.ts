// Custom domains for the documentation: ports, certificates, and the dashboard that manages them. Other parts import
// this file only.
import type { FastifyInstance } from 'fastify'
import type { DatabaseConfig, DomainsConfig } from '../config/environment.ts'
import type { PublishedDomains } from '../packages/custom-domains/src/publish/when-ready.ts'
import auth, { type AuthOptions } from '../plugins/auth.ts'
import contract from '../plugins/contract/index.ts'
import rateLimits, { type RateLimitsOptions } from '../plugins/rate-limits.ts'
import { loadDocument } from '../spec/document.ts'
import { requestError } from '../spec/errors.ts'
import { dashboardDocument, dashboardHandlers } from './api/index.ts'
import dashboardPage from './dashboard/index.ts'
import portFilter from './port-filter.ts'

export { registerDomainMetrics } from './metrics.ts'
export { portFilter }

type WriteLogLine = (level: 'info' | 'warn' | 'error', message: string) => void

export interface DashboardOptions extends Pick<RateLimitsOptions, 'failedAuthentications'> {
  /** Its registry is read for each request: it throws while the storage is unreachable. */
  service: Pick<PublishedDomains, 'registry'>
  /** Its own keys: those of the API do not open it. */
  keys: AuthOptions['keys']
  checkResponses?: boolean
}

/** The page "Project settings / Domains" and its API, on the API port alone. */
export async function dashboard(app: FastifyInstance, options: DashboardOptions): Promise<void> {
  const { keys, service, failedAuthentications, checkResponses } = options
  await app.register(portFilter)
  await app.register(rateLimits, { failedAuthentications })
  await app.register(auth, { keys })
  await app.register(contract, {
    document: loadDocument(dashboardDocument),
    prefix: '/dashboard/v1',
    handlers: dashboardHandlers,
    handlersFile: 'domains/api/index.ts',
    services: service,
    guards: { dashboardKey: () => [app.requireKey] },
    errorOf: requestError,
    checkResponses,
  })
  await app.register(dashboardPage)
}

/**
 * Opens the storage and publishes its domains. Modules are loaded only here, because the API alone does not need them.
 * @returns undefined where the stored state is damaged, which is reported: the API starts without the domains
 */
export async function openDomains(
  config: DomainsConfig,
  database: DatabaseConfig | undefined,
  report: WriteLogLine,
): Promise<PublishedDomains | undefined> {
  const { BrokenStateError, publishDomains } = await import('../packages/custom-domains/src/publish/index.ts')
  const { publishWhenReady } = await import('../packages/custom-domains/src/publish/when-ready.ts')
  const reportDomains: WriteLogLine = (level, message) => report(level, `custom domains: ${message}`)
  const storage = await openStorage(config, database, reportDomains)
  try {
    return await publishWhenReady({
      publish: () => publishDomains({ ...config, storage }),
      hstsSeconds: config.hstsSeconds,
      report: reportDomains,
      closeStorage: storage.close,
    })
  } catch (error) {
    await storage.close()
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
  const { fileStorage } = await import('../packages/custom-domains/src/files/storage.ts')
  return fileStorage({ folder: dataDir, configurationFile })
}
