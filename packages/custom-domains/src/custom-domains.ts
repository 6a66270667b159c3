// Custom domains for any (request, response) server: the operations, the ports, and certificates that renew themselves.

import { EventEmitter } from 'node:events'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { ConnectionLimits } from 'http-edge'
import type { RevocationReason } from './certificates/issuer.ts'
import { unlessRejected } from './domain-error.ts'
import type { Log } from './maintenance/log.ts'
import type { Step } from './maintenance/transitions.ts'
import { plainServer } from './ports/plain-server.ts'
import { challengeToken } from './ports/routing.ts'
import type { RequiredRecord } from './problems/required-record.ts'
import type { AddOptions, Allow } from './registry/index.ts'
import { checkOptions } from './runtime/check-options.ts'
import { type AppServer, type PublishOptions, publishDomains } from './runtime/index.ts'
import { type PublishedDomains, publishWhenReady } from './runtime/when-ready.ts'
import type { Domain, Problem, RedirectStatus } from './state/domain.ts'
import type { DomainStorage } from './state/storage.ts'
import type { DomainView, ProblemView } from './texts/types.ts'

type Tuning = Pick<
  PublishOptions,
  'authorities' | 'hasPrimary' | 'webhook' | 'userAgent' | 'proxyEnv' | 'clock' | 'issuerAt' | 'addressPolicy'
>

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

/** A domain without texts: everything is a code, a name, a number or a time (ISO 8601, in UTC). */
export interface DomainFacts extends Omit<DomainView, 'summary' | 'hint' | 'record' | 'problem'> {
  record: Omit<RequiredRecord, 'note'>
  problem?: Problem & { nextTryAt?: string }
}

/** The same domain in English sentences, for users. */
export interface DomainTexts extends Pick<DomainView, 'summary' | 'hint'> {
  note: string
  problem?: Pick<ProblemView, 'message' | 'steps' | 'notes'>
}

interface Events {
  /** The domain has a new certificate. */
  live: [event: { domain: string }]
  /** An attempt has failed, or the certificate has expired. */
  problem: [event: { domain: string; problem: Problem }]
}

/** Operations throw DomainError; until the storage is reachable, StorageUnavailableError. */
export interface CustomDomains extends Pick<PublishedDomains, 'registry' | 'webhook'> {
  add(host: string, options?: AddOptions): Promise<DomainFacts>
  /** Starts an attempt to obtain a certificate, which goes on in the background. */
  verify(host: string): Promise<DomainFacts>
  /** Redirects a domain to another one. @param to false ends the redirect @param status 301 by default */
  redirect(host: string, to: string | false, status?: RedirectStatus): Promise<DomainFacts>
  /** @param revoke also revokes its certificate, for this reason */
  remove(host: string, revoke?: RevocationReason): Promise<void>
  /** @param query only the domains of this customer */
  list(query?: { owner?: string }): DomainFacts[]
  /** @returns undefined if there is no such domain */
  textsOf(host: string): DomainTexts | undefined
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
export async function customDomains(options: CustomDomainsOptions): Promise<CustomDomains> {
  const { target: given, platform = '', allow = async () => true, limit = 1000, dnsServers = [], ...others } = options
  const {
    hstsSeconds = 0,
    unservedText,
    report = (_level, message) => process.emitWarning(message),
    ...tuning
  } = others
  const [target, ...formerTargets] = [given].flat() as [string, ...string[]]
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
  const published = await checked(options)
    .then(open)
    .catch(async (error) => {
      await storage.close()
      throw error
    })

  function factsOf(view: DomainView): DomainFacts {
    const { summary, hint, problem: shown, record, ...facts } = view
    const { note, ...required } = record
    const { message, steps, notes, ...times } = shown ?? {}
    const problem = published.problemOf(view.domain)
    return { ...facts, record: required, ...(problem && { problem: { ...times, ...problem } }) }
  }

  return {
    get registry() {
      return published.registry
    },
    get webhook() {
      return published.webhook
    },
    add: async (host, options) => factsOf(unlessRejected(await published.registry.add(host, options))),
    verify: async (host) => factsOf(unlessRejected(await published.registry.verify(host))),
    async redirect(host, to, status = 301) {
      const { removeRedirect, setRedirect } = published.registry
      return factsOf(unlessRejected(await (to ? setRedirect(host, status, to) : removeRedirect(host))))
    },
    async remove(host, revoke) {
      const { registry } = published
      unlessRejected(await (revoke ? registry.revoke(host, revoke) : registry.remove(host)))
    },
    list: ({ owner } = {}) => published.registry.list({ owner }).domains.map(factsOf),
    textsOf(host) {
      const view = published.registry.find(host)
      return 'rejected' in view ? undefined : textsIn(view)
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

async function checked(options: CustomDomainsOptions): Promise<void> {
  checkOptions(options)
}

function textsIn({ summary, hint, record, problem }: DomainView): DomainTexts {
  const { note } = record
  return { summary, note, ...(hint !== undefined && { hint }), ...(problem && { problem: sentencesIn(problem) }) }
}

function sentencesIn({ message, steps, notes }: ProblemView) {
  return { message, steps, notes }
}

function emitStep(events: EventEmitter, step: Step, { name, problem }: Domain) {
  const domain = name.host
  if (step.kind === 'live' && !step.isConfirmed) events.emit('live', { domain })
  if (step.kind === 'failed' || step.kind === 'expired') events.emit('problem', { domain, problem })
}
