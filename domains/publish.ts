// Publishes the documentation under custom domains: wires the modules to storage, DNS and an ACME server.
import type { EventEmitter } from 'node:events'
import type { RequestListener } from 'node:http'
import { acmeIssuer } from './acme/issuer.ts'
import { certificateCache } from './certificates/cache.ts'
import type { Issuer } from './certificates/issuer.ts'
import { caaChecker } from './dns/caa.ts'
import { parseName } from './dns/name.ts'
import { dnsVerifier } from './dns/verify.ts'
import { type Clock, systemClock } from './maintenance/clock.ts'
import { type Log, logStep } from './maintenance/log.ts'
import { restoreCertificates } from './maintenance/restore.ts'
import { domainWorker } from './maintenance/worker.ts'
import { answersDocs } from './ports/answers-docs.ts'
import { handshake } from './ports/handshake.ts'
import { domainListeners, type Listeners } from './ports/listeners.ts'
import { domainRegistry, type Plan, type Platform, type Registry } from './registry.ts'
import { newDomain } from './state/domain.ts'
import { loadDomainState } from './state/domain-state.ts'
import type { DomainStorage } from './state/storage.ts'

/** The server of the documentation. */
export interface DocsServer {
  routing: RequestListener
  /** Its `clientError` listeners respond to requests that the parser rejects. */
  server: Pick<EventEmitter, 'emit'>
  log: Log
}

export interface PublishOptions {
  storage: DomainStorage
  platform: Platform
  plan: Plan
  acme: { directoryUrl: string; email: string }
  /** `address:port`; empty for the system's. */
  dnsServers: readonly string[]
  /** Replaced by tests. */
  clock?: Clock
  issuer?: Issuer
}

export interface Publishing {
  registry: Registry
  /**
   * Opens the ports at a host, '' for all addresses, and starts the attempts that are due.
   * @returns the ports that were opened: for port 0, any free one
   */
  listen(
    docs: DocsServer,
    host: string,
    ports: { http: number; https: number },
  ): Promise<{ http: number; https: number }>
  close(): Promise<void>
}

/** @throws with a line that says what is wrong with the stored state or the configuration */
export async function publishDomains(options: PublishOptions): Promise<Publishing> {
  const { storage, platform, plan, acme, dnsServers, clock = systemClock } = options
  const challenges = new Map<string, string>()
  const account = { load: storage.loadAccountKey, save: storage.saveAccountKey }
  const state = await loadDomainState(storage, (host) => {
    const name = parseName(host, [platform.domain, platform.cnameTarget])
    if ('invalid' in name) throw new Error(`the configuration names ${host}: ${name.invalid}`)
    if (name.host !== host) throw new Error(`the configuration names ${host}: write ${name.host}`)
    return newDomain(name, 'verifying', clock.now())
  })
  const tls = handshake(state.current)
  const certificates = certificateCache(storage)
  let docs: DocsServer | undefined
  let listeners: Listeners | undefined
  let address: { host: string; port: number } | undefined
  const worker = domainWorker({
    state,
    target: platform.cnameTarget,
    dns: dnsVerifier({ servers: dnsServers }),
    caa: caaChecker({ servers: dnsServers }),
    issuer: options.issuer ?? acmeIssuer({ ...acme, accountKey: account, challenges }),
    certificates,
    clock,
    random: Math.random,
    onStep(step, domain) {
      if (step.kind === 'live') tls.useCertificate(domain.name.host, step.pem)
      if (docs) logStep(docs.log, step, domain)
    },
  })
  return {
    registry: domainRegistry({
      state,
      worker,
      plan,
      platform,
      isDeployed: async () => address !== undefined && (await answersDocs(address, platform.domain)),
      clock,
    }),
    async listen(server, host, ports) {
      docs = server
      await restoreCertificates(state, certificates, tls.useCertificate)
      listeners = domainListeners({
        routing: () => ({ snapshot: state.current(), platformHosts: [platform.domain], challenges }),
        SNICallback: tls.SNICallback,
        serve: server.routing,
        refuse: (error, socket) => server.server.emit('clientError', error, socket),
      })
      const opened = await listeners.listen(host, ports)
      address = { host, port: opened.http }
      worker.wake()
      return opened
    },
    async close() {
      await worker.close()
      await listeners?.close()
      await state.close()
      await storage.close()
    },
  }
}
