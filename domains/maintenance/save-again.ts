// Saves what could not be saved, once the storage takes changes again.
import type { DomainState } from '../state/domain-state.ts'
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

const INTERVAL_MS = 60_000

/** @returns a function that ends it */
export function saveAgain(state: DomainState, clock: Clock, log: Log): () => void {
  let cancel = () => {}
  let isEnded = false
  let reported: string | undefined

  async function look() {
    const before = state.unsaved()
    const error = before && (await state.apply(() => {}).catch(() => before))
    if (error && error.message !== reported)
      log.error({ reason: error.message }, 'the domains cannot be changed at present')
    if (!error && reported !== undefined) log.info({}, 'the domains can be changed again')
    reported = error?.message
    if (!isEnded) cancel = clock.after(INTERVAL_MS, look)
  }

  look()
  return () => {
    isEnded = true
    cancel()
  }
}
