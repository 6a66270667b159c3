// Issues a certificate: completes a pending order, or places one at the first authority that has none and accepts it.
import type { CertificateCache } from '../certificates/cache.ts'
import { IssueError, OrderEndedError, type PendingOrder } from '../certificates/issuer.ts'
import type { CaaChecker } from '../dns/caa.ts'
import { definitionOf } from '../problems/index.ts'
import type { Domain } from '../state/domain.ts'
import type { Clock } from '../time.ts'
import { authorityNamed, type CertificateAuthority } from './certificate-authority.ts'
import { endOf, noIssuanceBefore } from './schedule.ts'
import type { Failed, Live, Step } from './transitions.ts'

export interface IssueOptions {
  /** The authorities in the order in which they are tried. */
  authorities: readonly [CertificateAuthority, ...CertificateAuthority[]]
  caa: CaaChecker
  certificates: CertificateCache
  clock: Pick<Clock, 'now' | 'after'>
}

const HOUR = 3_600_000
/** How long an order is kept although it cannot be completed: replicas of an authority may lag behind. */
const patience = { lost: HOUR, unfinished: 24 * HOUR }

/** Saves a step before it resolves. @throws when the attempt has ended, or nothing can be saved */
export type SaveStep = (step: Step) => Promise<void>

/** Orders nothing at a second authority for a problem that it would find as well. */
export async function issue(
  domain: Domain,
  signal: AbortSignal,
  saveStep: SaveStep,
  options: IssueOptions,
): Promise<Live | Failed> {
  const { authorities, certificates, clock } = options
  const failures = new Map<CertificateAuthority, IssueError>()

  /** Undefined if another authority, or another order, may succeed. */
  async function tryAt(authority: CertificateAuthority, pending?: PendingOrder): Promise<Live | Failed | undefined> {
    try {
      const pem = await orderAt(authority, domain, pending, signal, saveStep, options)
      if (pem === undefined) return undefined
      // The certificate of an old order may be due already: its age counts, not that it was fetched just now.
      const issuedAt = pending?.begunAt ?? clock.now().toISOString()
      return { kind: 'live', pem, issuedAt, failures: failuresOf(failures.keys()) }
    } catch (error) {
      if (!(error instanceof IssueError)) throw error
      const { problem, retryAfterMs } = error
      if (!definitionOf(problem).authority)
        return { kind: 'failed', problem, retryAfterMs, failures: failuresOf(failures.keys()) }
      failures.set(authority, error)
      return undefined
    }
  }
  const failuresOf = (some: Iterable<CertificateAuthority>) =>
    Array.from(some, (authority) => ({
      authority: authority.issuer.authority,
      problem: (failures.get(authority) as IssueError).problem,
    }))

  for (const pending of await certificates.loadOrders(domain)) {
    const orderedFrom = authorityNamed(authorities, pending.authority)
    const outcome = orderedFrom && (await tryAt(orderedFrom, pending))
    if (outcome) return outcome
  }

  const wait = noIssuanceBefore(domain, clock.now()) - clock.now().getTime()
  if (wait > 0) {
    const detail = 'No certificate is ordered within a day of the last one issued.'
    return { kind: 'failed', problem: { code: 'rate_limited', detail }, retryAfterMs: wait, isOwnLimit: true }
  }
  for (const authority of authorities.filter((each) => !failures.has(each))) {
    const outcome = await tryAt(authority)
    if (outcome) return outcome
  }
  const [first, ...fallbacks] = authorities
  const { problem, retryAfterMs } = failures.get(first) as IssueError
  const waits = [...failures.values()].filter(isBusy)
  const soonest = Math.min(...waits.map((error) => error.retryAfterMs))
  return {
    kind: 'failed',
    problem,
    retryAfterMs: waits.length > 0 ? soonest : retryAfterMs,
    failures: failuresOf(fallbacks),
  }
}

const isBusy = ({ problem }: IssueError) => definitionOf(problem).authority === 'busy'

/** @returns the certificate, which is saved; undefined if the pending order is gone @throws IssueError */
async function orderAt(
  { issuer, limiter, account }: CertificateAuthority,
  domain: Domain,
  pending: PendingOrder | undefined,
  signal: AbortSignal,
  saveStep: SaveStep,
  { caa, certificates, clock }: IssueOptions,
): Promise<string | undefined> {
  const { host } = domain.name

  async function save(order: PendingOrder, isExempt = false) {
    await certificates.saveOrder(host, order)
    await limiter.record(domain, isExempt)
  }

  /** An order that stays as it is for too long is given up: the next attempt places another one. */
  async function noteStall(order: PendingOrder, { stall: reason }: IssueError) {
    if (reason === undefined) return
    const now = clock.now()
    const since = order.stalled?.reason === reason ? order.stalled.since : now.toISOString()
    const isGivenUp = endOf(since, patience[reason], now) <= now.getTime()
    if (isGivenUp) await certificates.dropOrders(host, order.authority)
    else await certificates.saveOrder(host, { ...order, stalled: { reason, since } })
  }

  async function order(release: () => void): Promise<string | undefined> {
    if (pending) {
      await saveStep({ kind: 'progress', state: 'issuing' })
      return issuer.resume(host, pending, signal, release)
    }
    const caaIssuer = { identities: await issuer.identities(signal), account: account() }
    const blocked = await caa.check(host, caaIssuer, signal)
    if (blocked) throw new IssueError(blocked)
    await saveStep({ kind: 'progress', state: 'issuing' })
    return issuer.issue(host, signal, save, await certificates.loadCertificate(host), release)
  }

  return limiter.run(domain, pending === undefined, signal, async (release) => {
    try {
      const pem = await order(release)
      if (pem === undefined) return undefined
      await certificates.saveCertificate(host, pem)
      await certificates.dropOrders(host).catch(() => {}) // what stays is older than the certificate, so unused
      return pem
    } catch (error) {
      if (error instanceof OrderEndedError) await certificates.dropOrders(host, issuer.authority)
      else if (pending && error instanceof IssueError) await noteStall(pending, error)
      throw error
    }
  })
}
