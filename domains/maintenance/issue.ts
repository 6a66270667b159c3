// Obtains a certificate from the authority: completes the pending order, or places one within the limits.
import type { CertificateCache } from '../certificates/cache.ts'
import { IssueError, type Issuer } from '../certificates/issuer.ts'
import type { OrderLimiter } from '../certificates/limiter.ts'
import { loadOrder } from '../certificates/order.ts'
import type { CaaChecker } from '../dns/caa.ts'
import type { Domain, ProblemCode } from '../state/domain.ts'
import type { Clock } from './clock.ts'
import { limitOf, recentOrders } from './limits.ts'
import type { Failed, Live, Progress } from './transitions.ts'
import { unlessAborted } from './unless-aborted.ts'

export interface IssueOptions {
  caa: CaaChecker
  issuer: Issuer
  limiter: OrderLimiter
  certificates: CertificateCache
  /** All domains, whose orders count. */
  domains(): Iterable<Domain>
  clock: Clock
}

/** After these, the order goes on: any other problem is its end. */
const passing: readonly ProblemCode[] = ['ca_unavailable', 'rate_limited']

/** Yields before an order is placed or completed. @throws IssueError */
export async function* issue(
  domain: Domain,
  signal: AbortSignal,
  { caa, issuer, limiter, certificates, domains, clock }: IssueOptions,
): AsyncGenerator<Progress, Live | Failed> {
  const { host } = domain.name

  /** The order is stored until its certificate is. */
  async function finish(ordered: Promise<string | undefined>): Promise<Live | undefined> {
    try {
      const pem = await ordered
      if (pem === undefined) return undefined
      turn.note()
      await certificates.saveCertificate(host, pem)
      await certificates.saveOrder(host, undefined).catch(() => {}) // it is older than the certificate: never completed
      return { kind: 'live', pem, issuedAt: clock.now().toISOString() }
    } catch (error) {
      turn.note(error)
      const isOver = error instanceof IssueError && !passing.includes(error.problem.code)
      if (isOver) await certificates.saveOrder(host, undefined)
      throw error
    }
  }

  /** Completes the pending order, or places one. */
  async function* order(): AsyncGenerator<Progress, Live | Failed> {
    const pending = await loadOrder(domain, issuer.authority, certificates)
    if (pending) {
      yield { kind: 'progress', state: 'issuing' }
      const completed = await finish(issuer.resume(host, pending, signal))
      if (completed) return completed
    }
    const now = clock.now()
    const limit = limitOf(domain, domains(), now)
    if (limit)
      return { kind: 'failed', problem: { code: 'rate_limited', detail: limit.detail }, retryAfterMs: limit.ms }

    const blocked = await unlessAborted(signal, caa.check(host, await issuer.identities(signal), signal))
    if (blocked) return { kind: 'failed', problem: blocked }
    yield { kind: 'progress', state: 'issuing', orderedAt: [...recentOrders(domain, now), now.toISOString()] }
    const save = (order: object) => certificates.saveOrder(host, JSON.stringify(order))
    return (await finish(issuer.issue(host, signal, save, await certificates.loadCertificate(host)))) as Live
  }

  const turn = await limiter.enter(signal)
  try {
    return yield* order()
  } finally {
    turn.end()
  }
}
