// One attempt at making a domain live, or at keeping it so: each step is saved, and whatever goes wrong is.
import type { Domain, DomainState } from '../state/domain.ts'
import type { Draft, Model } from '../state/domain-state.ts'
import { advance, expired, failed, live, type StepOptions } from './obtain.ts'
import { dueAt, hasEnded, isServed } from './schedule.ts'

export interface Log {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export interface AttemptOptions extends StepOptions {
  model: Model
  /** Called with the certificate of a domain that is live from now on. */
  onLive(host: string, pem: string): void
  log(): Log
}

type Change = (domain: Domain) => Domain

/** Ends when `signal` says so, or the domain has been removed: nothing is written of it then. It never rejects. */
export async function attempt(
  host: string,
  signal: AbortSignal,
  onStep: (step: DomainState) => void,
  options: AttemptOptions,
): Promise<void> {
  const { model, clock, onLive, log } = options
  const get = () => model.current().domains.get(host)
  const isOver = () => signal.aborted || !get()

  const changing = (change: Change) => (draft: Draft) => {
    const domain = draft.domains.get(host)
    if (domain && !signal.aborted) draft.domains.set(host, change(domain))
  }
  async function put(change: Change): Promise<Domain> {
    await model.commit(changing(change))
    if (isOver()) throw new Error(`${host} is not worked on any more`)
    return get() as Domain
  }
  function update({ state, ...others }: Partial<Domain> & { state: DomainState }): Promise<Domain> {
    onStep(state)
    return put((domain) => ({ ...domain, ...others, state: isServed(domain, clock.now()) ? 'live' : state }))
  }
  /** @returns whether the domain's next try is still to come */
  async function expire(): Promise<boolean> {
    const now = clock.now()
    if (!hasEnded(get() as Domain, now)) return false
    const domain = await put((one) => expired(one, now))
    log().error({ domain: host, problem: domain.problem, next: domain.notBefore }, 'the certificate has ended')
    const due = dueAt(domain)
    return !due || due > now
  }

  if (isOver()) return
  try {
    if (await expire()) return
    const outcome = await advance(get() as Domain, update, signal, options)
    if ('problem' in outcome) {
      const { problem, notBefore } = await put((domain) => failed(domain, outcome, options))
      return log().warn({ domain: host, problem, next: notBefore }, 'the domain has a problem')
    }
    await put((domain) => live(domain, outcome, clock.now()))
    onLive(host, outcome.pem)
    log().info({ domain: host }, 'the domain is live')
  } catch (error) {
    if (isOver()) return
    log().error({ err: error, domain: host }, 'the domain could not be worked on')
    const problem = { code: 'storage_failed', detail: (error as Error).message } as const
    const change = changing((domain) => failed(domain, { problem }, options))
    await model.commit(change).catch(() => model.assume(change))
  }
}
