// Retries unsaved changes every minute.
import type { DomainState } from '../state/domain-state.ts'
import type { Clock } from '../time.ts'
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
    const reason = (error?.cause as Error | undefined)?.message
    if (reason !== undefined && reason !== reported) log.error({ reason }, 'changes to the domains cannot be saved')
    if (!error && reported !== undefined) log.info({}, 'the domains can be changed again')
    reported = reason
    if (!isEnded) cancel = clock.after(INTERVAL_MS, look)
  }

  void look()
  return () => {
    isEnded = true
    cancel()
  }
}
