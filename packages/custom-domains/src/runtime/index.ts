// Serves an application under custom domains: wires the modules to storage, DNS and an ACME server.
import type { EventEmitter } from 'node:events'
import type { RequestListener } from 'node:http'
import { type AcmeOptions, acmeIssuer } from '../acme/issuer.ts'
import { certificateCache, storedCertificates } from '../certificates/cache.ts'
import type { Issuer } from '../certificates/issuer.ts'
import { revoker } from '../certificates/revoke.ts'
import type { AddressPolicy } from '../dns/address-policy.ts'
import { type CaaChecker, caaChecker } from '../dns/caa.ts'
import { parseName } from '../dns/name.ts'
import { type DnsVerifier, dnsVerifier } from '../dns/verify.ts'
import { type Log, logStep } from '../maintenance/log.ts'
import { sharedChallenges } from '../maintenance/shared-challenges.ts'
import { adoptPlatform, orderAnother, replaceForeignCertificates } from '../maintenance/startup.ts'
import type { Step } from '../maintenance/transitions.ts'
import { domainWorker } from '../maintenance/worker.ts'
import type { ProxyEnv } from '../outgoing.ts'
import { handshake } from '../ports/handshake.ts'
import type { OpenPorts, Served } from '../ports/listeners.ts'
import type { RoutingTable } from '../ports/routing.ts'
import { type Allow, domainRegistry, type Platform, type Registry, type Rewound } from '../registry/index.ts'
import { type Domain, newDomain } from '../state/domain.ts'
import { loadDomainState } from '../state/domain-state.ts'
import type { DomainStorage } from '../state/storage.ts'
import { type Clock, systemClock } from '../time.ts'
import type { Receiver } from '../webhook/send.ts'
import { type Webhook, webhookOf } from '../webhook/webhook.ts'
import { type ConfiguredAuthorities, certificateAuthorities } from './certificate-authorities.ts'
import { joinInstances } from './instances.ts'
import { type Serving, startServing } from './serving.ts'

/** What is served at the domains; a Fastify instance is one. */
export interface AppServer {
  routing: RequestListener
  /** Its `clientError` listeners respond to requests that the parser rejects. */
  server: Pick<EventEmitter, 'emit'>
  log: Log
}

export interface PublishOptions {
  storage: DomainStorage
  platform: Platform
  /** Other names for the target, which customers' records may still have. */
  formerTargets?: readonly string[] | undefined
  allow: Allow
  /** How many domains there may be. */
  limit: number
  /** The role of the domain whose pages the platform serves copies of. Default: none. */
  canonicalRole?: string | undefined
  authorities: ConfiguredAuthorities
  /** `address:port`; empty for the system's. */
  dnsServers: readonly string[]
  /** `User-Agent` of requests to authorities and of webhook messages. */
  userAgent?: string | undefined
  /** Proxies for the same requests. */
  proxyEnv?: ProxyEnv | undefined
  /** Notified of what happens to domains. */
  webhook?: Receiver | undefined
  /** Called for each step of an attempt that is saved. */
  onStep?(step: Step, domain: Domain): void
  /** Replaced by tests. */
  clock?: Clock
  random?: () => number
  dns?: DnsVerifier
  caa?: CaaChecker
  issuerAt?: (options: AcmeOptions) => Issuer
  addressPolicy?: AddressPolicy
}

export interface Publishing {
  registry: Registry
  /** Picks the certificate of a TLS handshake. */
  SNICallback: Served['SNICallback']
  /** The key authorization of a pending challenge. */
  challenge(token: string): string | undefined
  /** What metrics show: pending messages, and the outcomes of attempts. */
  webhook: { waiting(): number; counts: Webhook['counts'] } | undefined
  /** Serves the domains at the ports and starts due attempts. */
  serveAt(ports: Pick<OpenPorts, 'serve'>, log: Log): Promise<void>
  /** Leaves the ports and the storage open. */
  close(): Promise<void>
}

/** @throws with a line on what is wrong with the stored state or the configuration */
export async function publishDomains(options: PublishOptions): Promise<Publishing> {
  const { storage, platform, allow, limit, canonicalRole = '', dnsServers, addressPolicy, onStep = () => {} } = options
  const { clock = systemClock, random = Math.random, issuerAt = acmeIssuer, userAgent, proxyEnv } = options
  const lookup = { servers: dnsServers, addressPolicy }
  const { dns = dnsVerifier(lookup), caa = caaChecker(lookup) } = options
  const { shared } = storage
  const targets = [platform.cnameTarget, ...(options.formerTargets ?? [])] as const
  const receiver = options.webhook && { ...options.webhook, userAgent, proxyEnv }
  const webhook = receiver && webhookOf({ receiver, target: platform.cnameTarget, clock })
  const platformName = parseName(platform.domain, [])
  /** Set once the ports serve the domains. */
  let serving: Serving | undefined

  const createDomain = (host: string) => configuredDomain(host, platform, clock.now())
  let rewound: Rewound | undefined
  const state = await loadDomainState(storage, createDomain, {
    observer: webhook?.observer,
    certificateOf: storedCertificates(storage),
    onRewound(hosts) {
      rewound = { at: clock.now().toISOString(), domains: hosts }
      serving?.log.error(rewound, 'the storage has lost the latest changes: these domains are as they were before')
    },
  })
  const damaged = state.damaged() // that of the platform is about to be written anew
  await adoptPlatform(state, 'invalid' in platformName ? undefined : platformName, clock.now())

  /** The pending challenges; instances that share the state have them there. */
  const ownChallenges = new Map<string, string>()
  const { authorities, issuerOf } = certificateAuthorities(options.authorities, {
    storage,
    state,
    challenges: shared ? sharedChallenges(state.asLeader()) : ownChallenges,
    issuerAt,
    userAgent,
    proxyEnv,
    clock,
    log: () => serving?.log,
  })

  await replaceForeignCertificates(state, authorities, clock.now())
  const certificates = certificateCache(storage, state.current)

  const worker = domainWorker({
    state: state.asLeader(),
    targets,
    allow,
    dns,
    caa,
    authorities,
    certificates,
    clock,
    random,
    onStep(step, domain) {
      if (serving) logStep(serving.log, step, domain)
      onStep(step, domain)
    },
  })
  if (shared) worker.setLeading(false)

  const SNICallback = handshake({
    snapshot: state.current,
    load: certificates.loadIssued,
    onBroken(domain, reason) {
      serving?.log.error({ domain: domain.name.host, reason }, 'the certificate cannot be used; ordering another one')
      // Rejected only during a shutdown: the next start finds the same.
      void Promise.allSettled([orderAnother(state, domain, clock.now())]).then(worker.wake)
    },
    onError: ({ name }, reason) => serving?.log.warn({ domain: name.host, reason }, 'a certificate cannot be read'),
  })

  const registry = domainRegistry({
    state,
    worker,
    allow,
    platform,
    targets,
    dns,
    revoker: revoker(issuerOf, certificates),
    limit,
    rewound: () => rewound,
    clock,
  })

  const challenges = () => (shared ? state.current().challenges : ownChallenges)

  function routing(): RoutingTable {
    const snapshot = state.current()
    return {
      snapshot,
      platformHosts: [platform.domain],
      canonicalHost: snapshot.roles.get(canonicalRole),
      challenges: challenges(),
      isCurrent: shared?.isCurrent() ?? true,
    }
  }

  return {
    registry,
    SNICallback,
    challenge: (token) => challenges().get(token),
    webhook: webhook && { waiting: () => state.current().outbox.size, counts: webhook.counts },
    async serveAt(ports, log) {
      if ('invalid' in platformName && platform.domain !== '') {
        log.warn({ domain: platform.domain }, `the platform has no HTTPS: ${platformName.invalid}`)
      }
      for (const damage of damaged) log.error(damage, 'a stored record is damaged')
      const served = { routing, SNICallback }
      serving = startServing(ports, log, { served, state, worker, webhook, clock })
      if (!shared) return serving.setLeading(true)
      await joinInstances(shared, { state, worker, serving })
    },
    async close() {
      await worker.close()
      await serving?.end()
      await state.close()
    },
  }
}

/** A domain that is in the configuration, but not in the stored state. */
function configuredDomain(host: string, { domain, cnameTarget }: Platform, now: Date): Domain {
  const name = parseName(host, [domain, cnameTarget].filter(Boolean))
  if ('invalid' in name) throw new Error(`the configuration names ${host}: ${name.invalid}`)
  if (name.host !== host) throw new Error(`the configuration names ${host}: write ${name.host}`)
  return newDomain(name, 'verifying', now)
}
