// An order at one authority, in its turn: the pending one, or a new one if the CAA records allow it.
import type { Authority } from '../certificates/authorities.ts'
import type { CertificateCache } from '../certificates/cache.ts'
import { IssueError } from '../certificates/issuer.ts'
import type { Turn } from '../certificates/limiter.ts'
import type { PendingOrder } from '../certificates/order.ts'
import type { CaaChecker } from '../dns/caa.ts'
import type { Domain, ProblemCode } from '../state/domain.ts'
import type { Clock } from './clock.ts'
import { recentOrders } from './limits.ts'
import type { Live, Progress } from './transitions.ts'
import { unlessAborted } from './unless-aborted.ts'

export interface OrderOptions {
  caa: CaaChecker
  certificates: CertificateCache
  clock: Clock
}

/** After these, the order goes on: any other problem is its end. */
export const passing: readonly ProblemCode[] = ['ca_unavailable', 'rate_limited']

/** @returns undefined if the pending order is gone @throws IssueError */
export async function* orderAt(
  { issuer, limiter }: Authority,
  pending: PendingOrder | undefined,
  domain: Domain,
  signal: AbortSignal,
  { caa, certificates, clock }: OrderOptions,
): AsyncGenerator<Progress, Live | undefined> {
  const { host } = domain.name
  let isStored = pending !== undefined

  /** The order is stored until its certificate is. */
  async function save(order: PendingOrder) {
    await certificates.saveOrder(host, JSON.stringify(order))
    isStored = true
  }

  async function* ordered(): AsyncGenerator<Progress, string | undefined> {
    if (pending) {
      yield { kind: 'progress', state: 'issuing' }
      return issuer.resume(host, pending, signal)
    }
    const blocked = await unlessAborted(signal, caa.check(host, await issuer.identities(signal), signal))
    if (blocked) throw new IssueError(blocked)
    const now = clock.now()
    yield { kind: 'progress', state: 'issuing', orderedAt: [...recentOrders(domain, now), now.toISOString()] }
    return issuer.issue(host, signal, save, await certificates.loadCertificate(host))
  }

  async function* noted(turn: Turn): AsyncGenerator<Progress, Live | undefined> {
    try {
      const pem = yield* ordered()
      if (pem === undefined) return undefined
      await certificates.saveCertificate(host, pem)
      await certificates.saveOrder(host, undefined).catch(() => {}) // it is older than the certificate: never completed
      await turn.note()
      return { kind: 'live', pem, issuedAt: clock.now().toISOString() }
    } catch (error) {
      await turn.note(error)
      const isOver = error instanceof IssueError && !passing.includes(error.problem.code)
      if (isOver && isStored) await certificates.saveOrder(host, undefined)
      throw error
    }
  }

  const turn = await limiter.enter(signal)
  try {
    return yield* noted(turn)
  } finally {
    turn.end()
  }
}
