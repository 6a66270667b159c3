// Puts the parts together: what publishes the documentation under own domains, over files, the system's DNS and an ACME
// server.
import type { EventEmitter } from 'node:events'
import { type RequestListener, request } from 'node:http'
import { acmeIssuer } from './acme/issuer.ts'
import { type Certificates, keptCertificates } from './certificates/cache.ts'
import type { Issuer } from './certificates/certificate.ts'
import { caaChecker } from './dns/caa.ts'
import { parseName } from './dns/name.ts'
import { dnsVerifier } from './dns/verify.ts'
import type { Log } from './maintenance/attempt.ts'
import { type Clock, systemClock } from './maintenance/clock.ts'
import { isFor } from './maintenance/obtain.ts'
import { domainWorker } from './maintenance/worker.ts'
import { domainListeners } from './ports/listeners.ts'
import { domainRegistry, newDomain, type Plan, type Platform, type Registry } from './registry.ts'
import { loadModel, type Model } from './state/domain-state.ts'
import type { DomainStorage } from './state/storage.ts'

/** The documentation counts as deployed when it answers within this time. */
const DEPLOYED_WITHIN_MS = 5_000

/** What serves the documentation. */
export interface Site {
  routing: RequestListener
  /** Its listeners for `clientError` give the answer. */
  server: Pick<EventEmitter, 'emit'>
  log: Log
}

export interface PublishOptions {
  storage: DomainStorage
  platform: Platform
  plan: Plan
  acme: { directoryUrl: string; email: string }
  /** `address:port`; without any, the system's. */
  dnsServers: readonly string[]
  /** Called only once the server of the documentation is built. */
  site(): Site
  /** Tests bring their own of these. */
  clock?: Clock
  issuer?: Issuer
}

export interface Publishing {
  registry: Registry
  /** Opens the ports at a host, '' for all addresses, and begins what is due. @returns the ports that were taken */
  listen(host: string, ports: { http: number; https: number }): Promise<{ http: number; https: number }>
  close(): Promise<void>
}

/** @throws with a line that says what is wrong with what is kept */
export async function publishDomains(options: PublishOptions): Promise<Publishing> {
  const { storage, platform, plan, acme, dnsServers, site, clock = systemClock } = options
  const challenges = new Map<string, string>()
  const account = { load: storage.loadAccountKey, save: storage.saveAccountKey }
  const issuer = options.issuer ?? acmeIssuer({ ...acme, accountKey: account, challenges })
  const model = await loadModel(storage, (host) => {
    const name = parseName(host, [platform.domain, platform.cnameTarget])
    if ('refused' in name) throw new Error(`the configuration names ${host}: ${name.refused}`)
    if (name.host !== host) throw new Error(`the configuration names ${host}: write ${name.host}`)
    return newDomain(name, 'verifying', clock.now())
  })
  const listeners = domainListeners({
    sites: () => ({ domains: model.current(), platformHosts: [platform.domain], challenges }),
    serve: (request, response) => site().routing(request, response),
    refuse: (error, socket) => site().server.emit('clientError', error, socket),
  })
  const kept = keptCertificates(storage)
  const worker = domainWorker({
    model,
    target: platform.cnameTarget,
    dns: dnsVerifier({ servers: dnsServers }),
    caa: caaChecker({ servers: dnsServers }),
    issuer,
    storage: kept,
    clock,
    random: Math.random,
    onLive: listeners.useCertificate,
    log: () => site().log,
  })
  let ports: { host: string; http: number } | undefined
  return {
    registry: domainRegistry({
      model,
      worker,
      plan,
      platform,
      isDeployed: async () => ports !== undefined && (await answers(ports, platform.domain)),
      clock,
    }),
    async listen(host, wanted) {
      await restore(model, kept, listeners.useCertificate)
      const taken = await listeners.listen(host, wanted)
      ports = { host, http: taken.http }
      worker.wake()
      return taken
    },
    async close() {
      await worker.close()
      await listeners.close()
      await model.close()
      await storage.close()
    },
  }
}

/** Takes every certificate into use. A live domain whose certificate is lost or broken is looked at again. */
async function restore(model: Model, kept: Certificates, use: (host: string, pem: string) => void) {
  for (const [host, domain] of model.current().domains) {
    if (domain.state !== 'live') continue
    const pem = await kept.loadCertificate(host)
    if (pem !== undefined && isFor(host, pem)) use(host, pem)
    else await model.commit(({ domains }) => domains.set(host, { ...domain, state: 'verifying' }))
  }
}

/** Whether the documentation is served at the platform's own domain. */
async function answers({ host, http }: { host: string; http: number }, domain: string): Promise<boolean> {
  const signal = AbortSignal.timeout(DEPLOYED_WITHIN_MS)
  return new Promise((resolve) => {
    const asked = request({ host, port: http, path: '/docs', headers: { host: domain }, signal })
    asked.on('response', (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    asked.on('error', () => resolve(false))
    asked.end()
  })
}
