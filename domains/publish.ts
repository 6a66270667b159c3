// Publishes the documentation under custom domains: wires the modules to storage, DNS and an ACME server.
import type { EventEmitter } from 'node:events'
import type { RequestListener } from 'node:http'
import { type AcmeOptions, acmeIssuer } from './acme/issuer.ts'
import { certificateCache } from './certificates/cache.ts'
import type { Issuer } from './certificates/issuer.ts'
import { revoker } from './certificates/revoke.ts'
import { caaChecker } from './dns/caa.ts'
import type { AddressPolicy } from './dns/delegation.ts'
import { parseName } from './dns/name.ts'
import { dnsVerifier } from './dns/verify.ts'
import { watchClock } from './maintenance/clock-watch.ts'
import { type Log, logClockStep, logStep } from './maintenance/log.ts'
import { type Authority, authorityNamed, orderLimiter } from './maintenance/order-limiter.ts'
import { saveAgain } from './maintenance/save-again.ts'
import { sharedCertificates, sharedChallenges } from './maintenance/shared-certificates.ts'
import { adoptPlatform, restoreCertificates } from './maintenance/startup.ts'
import { domainWorker } from './maintenance/worker.ts'
import { handshake } from './ports/handshake.ts'
import { isDocsDeployed } from './ports/is-docs-deployed.ts'
import type { OpenPorts } from './ports/listeners.ts'
import { domainRegistry, type Plan, type Platform, type Registry } from './registry.ts'
import { newDomain } from './state/domain.ts'
import { loadDomainState } from './state/domain-state.ts'
import type { DomainStorage } from './state/storage.ts'
import { type Clock, systemClock } from './time.ts'
import type { Outbox } from './webhook/outbox.ts'
import type { Receiver } from './webhook/send.ts'
import { type Webhook, webhookOf } from './webhook/webhook.ts'

export { BrokenStateError } from './state/stored-state.ts'

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
  /** How many domains there may be. */
  limit: number
  /** In the order in which they are tried. */
  authorities: readonly [AuthorityOptions, ...AuthorityOptions[]]
  /** `address:port`; empty for the system's. */
  dnsServers: readonly string[]
  /** Notified of what happens to domains. */
  webhook?: Receiver | undefined
  /** Replaced by tests. */
  clock?: Clock
  issuerAt?: (options: AcmeOptions) => Issuer
  addressPolicy?: AddressPolicy
}

type AuthorityOptions = Pick<AcmeOptions, 'directoryUrl' | 'email' | 'profile' | 'externalAccount'>

export interface Publishing {
  registry: Registry
  /** For metrics: pending messages, and the outcomes of attempts. */
  webhook: { waiting(): number; counts: Webhook['counts'] } | undefined
  /** Serves the domains at the ports and starts due attempts. */
  listen(docs: DocsServer, ports: OpenPorts): Promise<void>
  /** Leaves the ports and the storage open. */
  close(): Promise<void>
}

/** @throws with a line on what is wrong with the stored state or the configuration */
export async function publishDomains(options: PublishOptions): Promise<Publishing> {
  const {
    storage,
    platform,
    plan,
    limit,
    dnsServers,
    addressPolicy,
    clock = systemClock,
    issuerAt = acmeIssuer,
  } = options
  const accountKey: AcmeOptions['accountKey'] = {
    load: (directoryUrl) => storage.loadSecret('account', directoryUrl),
    replace: (directoryUrl, former, pem) => storage.replaceSecret('account', directoryUrl, former, pem),
  }
  const { webhook: receiver } = options
  const webhook = receiver && webhookOf({ receiver, target: platform.cnameTarget, clock })
  const newDomainOf = (host: string) => {
    const name = parseName(host, [platform.domain, platform.cnameTarget])
    if ('invalid' in name) throw new Error(`the configuration names ${host}: ${name.invalid}`)
    if (name.host !== host) throw new Error(`the configuration names ${host}: write ${name.host}`)
    return newDomain(name, 'verifying', clock.now())
  }
  const state = await loadDomainState(storage, newDomainOf, webhook?.follower)
  const { shared } = storage
  const ownChallenges = new Map<string, string>()
  const challenges = shared ? sharedChallenges(state) : ownChallenges
  const platformName = parseName(platform.domain, [])
  await adoptPlatform(state, 'invalid' in platformName ? undefined : platformName, clock.now())
  const tls = handshake(state.current)
  const certificates = certificateCache(storage, state.current)
  let docs: DocsServer | undefined
  let ports: OpenPorts | undefined
  let outbox: Outbox | undefined
  let endWatch = () => {}
  let endSaving = () => {}
  /** An authority may lose an account, or deactivate it: then the next session registers another one. */
  async function recordAccount(authority: string, account: string) {
    const former = state.current().accounts.get(authority)
    if (former === account) return
    await state.apply(({ accounts }) => accounts.set(authority, account))
    const details = { authority, account, ...(former !== undefined && { former }) }
    if (former === undefined) docs?.log.info(details, 'an account has been registered at the authority')
    else docs?.log.warn(details, 'the authority no longer accepts the former account: another one has been registered')
  }
  const authorityOf = (each: AuthorityOptions): Authority => ({
    issuer: issuerAt({
      ...each,
      accountKey,
      challenges,
      onAccount: (account) => recordAccount(each.directoryUrl, account),
    }),
    limiter: orderLimiter(each.directoryUrl, state, clock),
    account: () => state.current().accounts.get(each.directoryUrl),
  })
  const [first, ...fallbacks] = options.authorities
  const authorities = [authorityOf(first), ...fallbacks.map(authorityOf)] as const
  /** Also for a former authority, which revokes the certificates that it has issued. */
  function issuerOf(directoryUrl = first.directoryUrl) {
    const present = authorityNamed(authorities, directoryUrl)
    return present?.issuer ?? issuerAt({ email: first.email, directoryUrl, accountKey, challenges })
  }
  await restoreCertificates({ state, certificates, authorities, now: clock.now() }, tls.useCertificate)
  const worker = domainWorker({
    state: state.asLeader(),
    target: platform.cnameTarget,
    dns: dnsVerifier({ servers: dnsServers, addressPolicy }),
    caa: caaChecker({ servers: dnsServers, addressPolicy }),
    authorities,
    certificates,
    clock,
    random: Math.random,
    onStep(step, domain) {
      if (step.kind === 'live') tls.useCertificate(domain.name.host, step.pem)
      if (docs) logStep(docs.log, step, domain)
    },
  })
  let isLeader = !shared
  worker.setLeading(isLeader)
  const useNewCertificates = sharedCertificates(state, certificates, tls.useCertificate)

  /** Joins the instances that share the storage. */
  async function join({ log }: DocsServer) {
    const onHeartbeat = () => {
      useNewCertificates().catch((error) => log.warn({ reason: error.message }, 'a certificate cannot be read'))
    }
    await shared?.join({
      async onChange() {
        await state.reload()
        onHeartbeat()
        worker.wake()
      },
      async onLeadership(leads) {
        isLeader = leads
        log.info(
          {},
          leads ? 'this instance now obtains the certificates' : 'another instance may now obtain the certificates',
        )
        if (leads) await state.apply(({ challenges }) => challenges.clear()).catch(() => {}) // the former leader's
        worker.setLeading(isLeader) // it may have been lost by now
        outbox?.setLeading(isLeader)
      },
      onHeartbeat,
    })
  }

  return {
    registry: domainRegistry({
      state,
      worker,
      plan,
      platform,
      findRevocable: revoker(issuerOf, certificates),
      limit,
      isDeployed: async () => ports !== undefined && (await isDocsDeployed(ports.address, platform.domain)),
      clock,
    }),
    webhook: webhook && { waiting: () => state.current().outbox.length, counts: webhook.counts },
    async listen(server, opened) {
      docs = server
      if ('invalid' in platformName) {
        server.log.warn({ domain: platform.domain }, `the platform has no HTTPS: ${platformName.invalid}`)
      }
      opened.serve({
        routing() {
          const snapshot = state.current()
          const isCurrent = shared?.isCurrent() ?? true
          const challenges = (shared && snapshot.challenges) ?? ownChallenges
          return { snapshot, platformHosts: [platform.domain], challenges, isCurrent }
        },
        SNICallback: tls.SNICallback,
      })
      ports = opened
      outbox = webhook?.open(state.asLeader(), server.log)
      outbox?.setLeading(!shared)
      await join(server)
      worker.wake()
      const wake = () => {
        worker.wake()
        outbox?.wake()
      }
      endWatch = watchClock(clock, { onStep: (ms) => logClockStep(server.log, ms), wake })
      endSaving = saveAgain(state, clock, server.log)
    },
    async close() {
      endWatch()
      endSaving()
      await worker.close()
      await outbox?.close()
      await state.close()
    },
  }
}
