// One attempt at obtaining a certificate: each step is saved before the next one begins.
import type { Domain } from '../state/domain.ts'
import type { DomainState, Draft } from '../state/domain-state.ts'
import { type ObtainOptions, obtain } from './obtain.ts'
import { type Failed, type Progress, type Step, transition } from './transitions.ts'

export interface AttemptOptions extends ObtainOptions {
  state: DomainState
  /** Called once a step is saved, with the domain after it. */
  onStep(step: Step, domain: Domain): void
}

/**
 * Yields each state that the domain reaches on its way to live. Never throws; ends early, and writes nothing more, when
 * `signal` aborts or the domain is removed.
 */
export async function* attempt(
  host: string,
  signal: AbortSignal,
  options: AttemptOptions,
): AsyncGenerator<Progress['state'], void> {
  const { state, clock, random, onStep } = options
  const addedAt = state.current().domains.get(host)?.addedAt
  /** Undefined when the attempt is over: a domain that was removed and added again is another one. */
  const among = (domains: ReadonlyMap<string, Domain>) => {
    const domain = domains.get(host)
    return signal.aborted || domain?.addedAt !== addedAt ? undefined : domain
  }
  const find = () => among(state.current().domains)

  const applying = (step: Step) => (draft: Draft) => {
    const domain = among(draft.domains)
    if (domain) draft.domains.set(host, transition(domain, step, clock.now(), random()))
  }

  /** @returns whether the attempt goes on */
  function report(step: Step): boolean {
    const saved = find()
    if (saved) onStep(step, saved)
    return saved !== undefined
  }

  const domain = find()
  if (!domain) return
  try {
    for await (const step of obtain(domain, signal, options)) {
      if (step.kind === 'progress') yield step.state
      await state.commit(applying(step))
      if (!report(step)) return
    }
  } catch (error) {
    if (!find()) return
    const step: Failed = {
      kind: 'failed',
      problem: { code: 'storage_failed', detail: (error as Error).message },
      error,
    }
    await state.apply(applying(step))
    report(step)
  }
}
