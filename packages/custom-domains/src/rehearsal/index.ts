// Rehearses what may happen: the schedule of production, in virtual time, on a copy of what is stored. Nothing is sent.
import { certificateCache } from '../certificates/cache.ts'
import { parseName } from '../dns/name.ts'
import type { CertificateAuthority } from '../maintenance/certificate-authority.ts'
import { orderLimiter } from '../maintenance/order-limiter.ts'
import { DEFAULT_ORDER_LIMIT } from '../maintenance/order-limits.ts'
import { replaceForeignCertificates } from '../maintenance/startup.ts'
import type { Step } from '../maintenance/transitions.ts'
import { domainWorker } from '../maintenance/worker.ts'
import { definitionOf } from '../problems/index.ts'
import { type Domain, newDomain, type Problem } from '../state/domain.ts'
import { loadDomainState } from '../state/domain-state.ts'
import type { Snapshot } from '../state/snapshot.ts'
import type { StoredRecord } from '../state/storage.ts'
import { rehearsedIssuer } from './authority.ts'
import { copyOf, leafOf } from './copy.ts'
import { type Load, loadOf } from './load.ts'
import { virtualClock } from './virtual-time.ts'

export { storedRecords } from '../files/storage.ts'
export type { LimitLoad, Load } from './load.ts'

const DAY = 24 * 3_600_000
const LEAST_DAYS = 30
/** How long the authority is away. */
const AWAY = 5 * DAY
/** The shortest time between an announcement and a revocation (Baseline Requirements of the CA/Browser Forum, 4.9.1.1). */
const NOTICE = DAY
/** Of certificates of today, where none is stored. */
const USUAL_LIFE = 90 * DAY

export const scenarios = ['as_stored', 'authority_away', 'authority_changed', 'all_revoked', 'target_renamed'] as const

export type Scenario = (typeof scenarios)[number]

export interface RehearsalOptions {
  /** Everything that is stored but the secrets. */
  records: readonly StoredRecord[]
  /** In the order in which they are tried. */
  authorities: readonly [RehearsedDirectory, ...RehearsedDirectory[]]
  /** The CNAME target of the platform. */
  target: string
  /** The time that the records are of. */
  now: Date
}

export interface RehearsedDirectory {
  directoryUrl: string
  /** How many orders it accepts in three hours. Default: 300. */
  orderLimit?: number | undefined
}

export interface Rehearsal {
  scenario: Scenario
  /** The domains that have a valid certificate now, and lose it; `until` is when they have one again. */
  expired: Expired[]
  /** Of each authority that gets orders. */
  loads: Load[]
}

export interface Expired {
  domain: string
  at: string
  until?: string
}

/** How many days are rehearsed: until every certificate that is stored has ended. */
export function rehearsedDays({ records, now }: Pick<RehearsalOptions, 'records' | 'now'>): number {
  const ends = records.map(({ value }) => Date.parse((value as Partial<Domain> | null)?.certificate?.notAfter ?? ''))
  const last = ends.reduce((last, end) => (end > last ? end : last), 0)
  return Math.max(LEAST_DAYS, Math.ceil((last - now.getTime()) / DAY) + 1)
}

export async function rehearse(scenario: Scenario, options: RehearsalOptions): Promise<Rehearsal> {
  const { records, target, now: begin } = options
  const days = rehearsedDays(options)
  const clock = virtualClock(begin)
  const { storage, orders } = copyOf(records)
  const state = await loadDomainState(storage, (host) => newDomain(nameOf(host), 'verifying', begin))
  const { domains } = state.current()
  const life = lifeIn(domains)
  const problemOf = lastingProblems(domains)
  const directories = scenario === 'authority_changed' ? ([another] as const) : options.authorities

  function refusal(host: string, directoryUrl: string): Problem | undefined {
    const isAway = scenario === 'authority_away' && directoryUrl === directories[0].directoryUrl
    if (isAway && clock.now().getTime() < begin.getTime() + AWAY)
      return { code: 'ca_unavailable', detail: 'It is away.' }
    return problemOf(host, 'certificate')
  }

  const authorityOf = ({ directoryUrl, orderLimit }: RehearsedDirectory): CertificateAuthority => ({
    issuer: rehearsedIssuer({
      directoryUrl,
      clock,
      domains,
      lifeFor: (host) => life(host),
      refusal: (host) => refusal(host, directoryUrl),
      ...(scenario === 'all_revoked' && directoryUrl === directories[0].directoryUrl && { revokesAt: begin }),
    }),
    limiter: orderLimiter(directoryUrl, state, clock, orderLimit),
    account: () => undefined,
  })
  const [first, ...fallbacks] = directories
  const authorities = [authorityOf(first), ...fallbacks.map(authorityOf)] as const

  const expired = new Map<string, Expired>()
  function onStep(step: Step, { name: { host }, certificate }: Domain) {
    const known = expired.get(host)
    if (step.kind === 'live' && step.issuedAt && known) known.until ??= step.issuedAt
    if (step.kind === 'expired' && !known) expired.set(host, { domain: host, at: String(certificate?.notAfter) })
  }

  const worker = domainWorker({
    state,
    targets: [target],
    allow: async (host) => {
      const problem = problemOf(host, 'certificate')
      return problem?.code === 'not_allowed' ? problem.reason : true
    },
    dns: {
      async verify({ host }) {
        const { isPlatform, target: ownTarget } = domains.get(host) as Domain
        const isRenamed = scenario === 'target_renamed' && !isPlatform && ownTarget === undefined
        const renamed = { code: 'cname_mismatch', found: target, expected: '', isZoneAppended: false } as const
        return { problem: isRenamed ? renamed : problemOf(host, 'dns') }
      },
      hasText: async () => true,
    },
    caa: { check: async (host) => problemOf(host, 'caa') },
    authorities,
    certificates: certificateCache(storage, state.current),
    readCertificate: leafOf,
    clock,
    random: () => 0.5,
    onStep,
  })
  await replaceForeignCertificates(state, authorities, begin)
  worker.setLeading(true)
  if (scenario === 'all_revoked') {
    await clock.passUntil(new Date(begin.getTime() + NOTICE))
    for (const each of revokedIn(state.current(), { authority: first.directoryUrl, begin, now: clock.now() }))
      expired.set(each.domain, each)
  }
  await clock.passUntil(new Date(begin.getTime() + days * DAY))
  await worker.close()
  await storage.close()

  const zoneOf = (host: string) => (domains.get(host) as Domain).name.zone
  const loads = directories.flatMap(({ directoryUrl: authority, orderLimit = DEFAULT_ORDER_LIMIT }) => {
    const placed = orders.filter((order) => order.authority === authority)
    return placed.length > 0 ? loadOf(placed, { authority, orderLimit, begin, days, zoneOf }) : []
  })
  return { scenario, expired: [...expired.values()].sort((a, b) => a.at.localeCompare(b.at)), loads }
}

/** An authority that has issued nothing yet, with the limits of Let's Encrypt. */
const another: RehearsedDirectory = { directoryUrl: 'https://another-authority.invalid/directory' }

const nameOf = (host: string) => parseName(host, []) as Domain['name']

/** New certificates are valid for as long as the last one of the domain, or as most of the others. */
function lifeIn(domains: ReadonlyMap<string, Domain>): (host: string) => number {
  const lifeOf = ({ certificate }: Domain) =>
    certificate ? Date.parse(certificate.notAfter) - Date.parse(certificate.notBefore) : 0
  const lives = [...domains.values()]
    .map(lifeOf)
    .filter(Boolean)
    .sort((a, b) => a - b)
  const usual = lives[Math.floor(lives.length / 2)] ?? USUAL_LIFE
  return (host) => lifeOf(domains.get(host) as Domain) || usual
}

/** What is wrong with a domain stays so, unless it ends by itself. */
function lastingProblems(domains: ReadonlyMap<string, Domain>) {
  return (host: string, about: 'dns' | 'caa' | 'certificate'): Problem | undefined => {
    const { problem } = domains.get(host) as Domain
    if (!problem || problem.code === 'certificate_expired') return undefined
    const { isTransient, about: subject } = definitionOf(problem)
    return isTransient || subject !== about ? undefined : problem
  }
}

/** The certificates that have not been replaced when the authority revokes them. */
function revokedIn(
  { domains }: Snapshot,
  { authority, begin, now }: { authority: string; begin: Date; now: Date },
): Expired[] {
  return [...domains.values()]
    .filter(({ state, certificate }) => {
      const isOld = certificate?.authority === authority && Date.parse(certificate.notBefore) < begin.getTime()
      return state === 'live' && isOld
    })
    .map(({ name }) => ({ domain: name.host, at: now.toISOString() }))
}
