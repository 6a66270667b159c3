// The attempts that users request: verification, and a new certificate.
import { canRequestAt } from '../maintenance/schedule.ts'
import type { Domain } from '../state/domain.ts'
import { hostOf } from '../state/domain.ts'
import { type Domains, unknown } from './domains.ts'
import type { Registry, RegistryOptions } from './types.ts'

export function requests(
  { state, worker, clock }: RegistryOptions,
  { get, has, find, view, progressOf }: Domains,
): Pick<Registry, 'verify' | 'reissue'> {
  /** Starts an attempt. */
  async function request(host: string, changesAt: (time: string) => Partial<Domain>): ReturnType<Registry['verify']> {
    const domain = get(host)
    if (!domain) return unknown
    if (progressOf(domain)) return view(domain)
    const now = clock.now()
    const time = now.toISOString()
    const wait = canRequestAt(domain, now).getTime() - now.getTime()
    if (wait > 0) {
      const retryAfterSeconds = Math.ceil(wait / 1000)
      return { refused: 'rate_limited', message: `Try again in ${retryAfterSeconds} seconds.`, retryAfterSeconds }
    }
    await state.commit(({ domains }) => {
      const current = domains.get(host)
      if (current) domains.set(host, { ...current, askedAt: time, isRequested: true, ...changesAt(time) })
    })
    if (has(host)) worker.start(host)
    return find(host)
  }

  return {
    verify: (typed) => request(hostOf(typed), () => ({})),
    reissue: (typed) => request(hostOf(typed), (time) => ({ reissueAt: time })),
  }
}
