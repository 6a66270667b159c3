// Publishes the documentation under custom domains: wires the modules to storage, DNS and an ACME server.
import type { EventEmitter } from 'node:events'
import type { RequestListener } from 'node:http'
import { type AcmeOptions, acmeIssuer } from './acme/issuer.ts'
import type { Authority } from './certificates/authorities.ts'
import { certificateCache } from './certificates/cache.ts'
import type { Issuer } from './certificates/issuer.ts'
import { orderLimiter } from './certificates/limiter.ts'
import { revoker } from './certificates/revoke.ts'
import { caaChecker } from './dns/caa.ts'
import { parseName } from './dns/name.ts'
import type { Reach } from './dns/reach.ts'
import { dnsVerifier } from './dns/verify.ts'
import { type Clock, systemClock } from './maintenance/clock.ts'
import { watchClock } from './maintenance/clock-watch.ts'
import { certificateFollower, sharedChallenges } from './maintenance/follow.ts'
import { type Log, logClockStep, logStep } from './maintenance/log.ts'
import { adoptPlatform } from './maintenance/platform.ts'
import { restoreCertificates } from './maintenance/restore.ts'
import { saveAgain } from './maintenance/save-again.ts'
import { domainWorker } from './maintenance/worker.ts'
import { answersDocs } from './ports/answers-docs.ts'
import { handshake } from './ports/handshake.ts'
import type { OpenPorts } from './ports/open.ts'
import { domainRegistry, type Plan, type Platform, type Registry } from './registry.ts'
import { newDomain } from './state/domain.ts'
import { loadDomainState } from './state/domain-state.ts'
import type { DomainStorage } from './state/storage.ts'
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
  /** How many domains there may be; default: 100. */
  limit?: number | undefined
  /** In the order in which they are tried. */
  authorities: readonly [AuthorityOptions, ...AuthorityOptions[]]
  /** `address:port`; empty for the system's. */
  dnsServers: readonly string[]
  /** Who is told of what happens to domains. */
  webhook?: Receiver | undefined
  /** Replaced by tests. */
  clock?: Clock
  issuerAt?: (options: AcmeOptions) => Issuer
  reach?: Reach
}

type AuthorityOptions = Pick<AcmeOptions, 'directoryUrl' | 'email' | 'profile' | 'externalAccount'>

export interface Publishing {
  registry: Registry
  /** For metrics: the messages that wait, and what became of the others. */
  webhook: { waiting(): number; counts: Webhook['counts'] } | undefined
  /** Serves the domains at the ports, and starts the attempts that are due. */
  listen(docs: DocsServer, ports: OpenPorts): Promise<void>
  /** Leaves the ports and the storage open. */
  close(): Promise<void>
}

/** @throws with a line that says what is wrong with the stored state or the configuration */
export async function publishDomains(options: PublishOptions): Promise<Publishing> {
  const { storage, platform, plan, limit, dnsServers, reach, clock = systemClock, issuerAt = acmeIssuer } = options
  const accountKey = { load: storage.loadAccountKey, save: storage.saveAccountKey }
  const { webhook: receiver } = options
  const webhook = receiver && webhookOf({ receiver, target: platform.cnameTarget, clock })
  const configured = (host: string) => {
    const name = parseName(host, [platform.domain, platform.cnameTarget])
    if ('invalid' in name) throw new Error(`the configuration names ${host}: ${name.invalid}`)
    if (name.host !== host) throw new Error(`the configuration names ${host}: write ${name.host}`)
    return newDomain(name, 'verifying', clock.now())
  }
  const state = await loadDomainState(storage, configured, webhook?.follower)
  const { shared } = storage
  const local = new Map<string, string>()
  const challenges = shared ? sharedChallenges(state) : local
  const own = parseName(platform.domain, [])
  await adoptPlatform(state, 'invalid' in own ? undefined : own, clock.now())
  const tls = handshake(state.current)
  const certificates = certificateCache(storage)
  let docs: DocsServer | undefined
  let ports: OpenPorts | undefined
  let outbox: Outbox | undefined
  let endWatch = () => {}
  let endSaving = () => {}
  const authorityOf = (each: AuthorityOptions): Authority => ({
    issuer: issuerAt({ ...each, accountKey, challenges }),
    limiter: orderLimiter(each.directoryUrl, state, clock),
  })
  const [first, ...fallbacks] = options.authorities
  const authorities = [authorityOf(first), ...fallbacks.map(authorityOf)] as const
  await restoreCertificates({ state, certificates, authorities, now: clock.now() }, tls.useCertificate)
  const worker = domainWorker({
    state: state.forWork(),
    target: platform.cnameTarget,
    domains: () => state.current().domains.values(),
    dns: dnsVerifier({ servers: dnsServers, reach }),
    caa: caaChecker({ servers: dnsServers, reach }),
    authorities,
    certificates,
    clock,
    random: Math.random,
    onStep(step, domain) {
      if (step.kind === 'live') tls.useCertificate(domain.name.host, step.pem)
      if (docs) logStep(docs.log, step, domain)
    },
  })
  let works = !shared
  worker.setWorking(works)
  const follow = certificateFollower(state, certificates, tls.useCertificate)

  /** Takes part with the instances that share the storage. */
  async function join({ log }: DocsServer) {
    const onBeat = () => {
      follow().catch((error) => log.warn({ reason: error.message }, 'a certificate cannot be read'))
    }
    await shared?.join({
      async onChange() {
        await state.reload()
        onBeat()
        worker.wake()
      },
      async onWork(isWorking) {
        works = isWorking
        log.info(
          {},
          works ? 'this instance now obtains the certificates' : 'another instance may now obtain the certificates',
        )
        if (works) await state.apply(({ challenges }) => challenges.clear()).catch(() => {}) // those of the last one
        worker.setWorking(works) // it may have been lost by now
        outbox?.setWorking(works)
      },
      onBeat,
    })
  }

  return {
    registry: domainRegistry({
      state,
      worker,
      plan,
      platform,
      revoke: revoker(
        (directoryUrl) => issuerAt({ email: first.email, directoryUrl, accountKey, challenges }),
        authorities,
        certificates,
      ),
      limit,
      isDeployed: async () => ports !== undefined && (await answersDocs(ports.address, platform.domain)),
      clock,
    }),
    webhook: webhook && { waiting: () => state.current().outbox.length, counts: webhook.counts },
    async listen(server, opened) {
      docs = server
      if ('invalid' in own) server.log.warn({ domain: platform.domain }, `the platform has no HTTPS: ${own.invalid}`)
      opened.serve({
        routing() {
          const snapshot = state.current()
          const isCurrent = shared?.isCurrent() ?? true
          const challenges = (shared && snapshot.challenges) ?? local
          return { snapshot, platformHosts: [platform.domain], challenges, isCurrent }
        },
        SNICallback: tls.SNICallback,
      })
      ports = opened
      outbox = webhook?.open(state.forWork(), server.log)
      outbox?.setWorking(!shared)
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
