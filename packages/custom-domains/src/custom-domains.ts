// Custom domains for any (request, response) server: the operations, the ports, and certificates that renew themselves.

import { EventEmitter } from 'node:events'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { ConnectionLimits } from 'http-edge'
import type { Log } from './maintenance/log.ts'
import type { Step } from './maintenance/transitions.ts'
import { plainServer } from './ports/plain-server.ts'
import { challengeToken } from './ports/routing.ts'
import type { Allow, Registry } from './registry/index.ts'
import { checkOptions } from './runtime/check-options.ts'
import { type AppServer, type PublishOptions, publishDomains } from './runtime/index.ts'
import { type PublishedDomains, publishWhenReady } from './runtime/when-ready.ts'
import type { Domain, Problem } from './state/domain.ts'
import type { DomainStorage } from './state/storage.ts'

type Tuning = Pick<PublishOptions, 'authorities' | 'canonicalRole' | 'webhook' | 'userAgent' | 'proxyEnv'>

export interface CustomDomainsOptions extends Tuning {
  storage: DomainStorage | Promise<DomainStorage>
  /**
   * What the DNS records of customers point to: a name of yours, with the addresses of this server. Of several, customers
   * are shown the first; the others stay valid.
   */
  target: string | readonly [string, ...string[]]
  /** A host of yours that is always served; it gets a certificate, too. */
  platform?: string
  /** Asked before a domain is stored, and at each attempt. Default: every host is allowed. */
  allow?: Allow
  /** How many domains there may be. Default: 1000. */
  limit?: number
  /** `address:port` of resolvers. Default: the system's. */
  dnsServers?: readonly string[]
  /** The max-age of Strict-Transport-Security (RFC 6797). Default: 0, for none. */
  hstsSeconds?: number
  /** The body of a response for a host that is not live. */
  unservedText?: string
  /** Reports what happens before there is a log. Default: a process warning. */
  report?(level: 'error', message: string): void
}

export interface ListenOptions {
  http: number
  https: number
  /** Default: all addresses. */
  host?: string
  /** Default: none. */
  log?: Log
  /** Limits of connections and incomplete bodies, which other servers of yours may share. Default: none. */
  connectionLimits?: ConnectionLimits
}

/** A Fastify instance that is ready, an Express application, or any other listener of requests. */
export type App = RequestListener | AppServer

interface Events {
  /** The domain has a new certificate. */
  live: [event: { domain: string }]
  /** An attempt has failed, or the certificate has expired. */
  problem: [event: { domain: string; problem: Problem }]
}

/** Until the storage is reachable, operations throw StorageUnavailableError. */
export interface CustomDomains extends Registry, Pick<PublishedDomains, 'webhook'> {
  /** Emitted by the instance that makes the attempts. */
  on<Name extends keyof Events>(name: Name, listener: (...event: Events[Name]) => void): void
  /** Opens both ports and serves the domains there. @returns the ports; for 0, any free one */
  listen(app: App, options: ListenOptions): Promise<{ http: number; https: number }>
  /** Starts due attempts without opening ports, for servers of your own. */
  start(log?: Log): Promise<void>
  /** Chooses the certificate for TLS servers of your own. */
  SNICallback: PublishedDomains['SNICallback']
  /** Responds to challenges on servers of your own, on both ports. @param next gets other requests; without it, 404 */
  challengeHandler(request: IncomingMessage, response: ServerResponse, next?: () => void): void
  /** Closes the ports and the storage. */
  close(): Promise<void>
}

const ignore = () => {}
const silent: Log = { info: ignore, warn: ignore, error: ignore }

/** @throws with a line on what is wrong with the stored state or the configuration; the storage is then closed */
export const customDomains: (options: CustomDomainsOptions) => Promise<CustomDomains> = openDomains

/** Tests replace the authority and the clock. */
export async function openDomains(
  options: CustomDomainsOptions & Pick<PublishOptions, 'issuerAt' | 'clock'>,
): Promise<CustomDomains> {
  const { target: targets, platform = '', allow = async () => true, limit = 1000, dnsServers = [], ...others } = options
  const {
    hstsSeconds = 0,
    unservedText,
    report = (_level, message) => process.emitWarning(message),
    ...tuning
  } = others
  const [target, ...formerTargets] = [targets].flat() as [string, ...string[]]
  const storage = await options.storage
  const events = new EventEmitter()
  const open = () =>
    publishWhenReady({
      publish: () =>
        publishDomains({
          ...tuning,
          storage,
          platform: { domain: platform, cnameTarget: target },
          formerTargets,
          allow,
          limit,
          dnsServers,
          onStep: (step, domain) => emitStep(events, step, domain),
        }),
      hstsSeconds,
      unservedText,
      report,
      closeStorage: storage.close,
    })
  const published = await Promise.resolve(options)
    .then(checkOptions)
    .then(open)
    .catch(async (error) => {
      await storage.close()
      throw error
    })

  return {
    list: (query) => published.registry.list(query),
    find: (host) => published.registry.find(host),
    certificates: () => published.registry.certificates(),
    damaged: () => published.registry.damaged(),
    pairOf: (host) => published.registry.pairOf(host),
    roleOf: (role) => published.registry.roleOf(role),
    update: async (change) => published.registry.update(change),
    add: async (host, options) => published.registry.add(host, options),
    verify: async (host) => published.registry.verify(host),
    reissue: async (host) => published.registry.reissue(host),
    remove: async (host, reason) => published.registry.remove(host, reason),
    revoke: async (host, reason) => published.registry.revoke(host, reason),
    redirect: async (host, to, status) => published.registry.redirect(host, to, status),
    get webhook() {
      return published.webhook
    },
    on: (name, listener) => void events.on(name, listener),
    listen: (app, { host = '', log = silent, connectionLimits, ...ports }) =>
      published.listen(
        typeof app === 'function' ? { ...plainServer(app), log } : app,
        { host, ports },
        connectionLimits,
      ),
    start: (log = silent) => published.start(log),
    SNICallback: published.SNICallback,
    challengeHandler(request, response, next) {
      const authorization = published.challenge(challengeToken(request.url as string) ?? '')
      if (authorization !== undefined) response.end(authorization)
      else if (next) next()
      else response.writeHead(404).end()
    },
    close: published.close,
  }
}

function emitStep(events: EventEmitter, step: Step, { name, problem }: Domain) {
  const domain = name.host
  if (step.kind === 'live' && !step.isConfirmed) events.emit('live', { domain })
  if (step.kind === 'failed' || step.kind === 'expired') events.emit('problem', { domain, problem })
}
