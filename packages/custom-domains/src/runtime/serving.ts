// Serves the domains at the open ports. From here on there is a log, and the webhook is notified.
import { watchClock } from '../maintenance/clock-watch.ts'
import { type Log, logClockStep } from '../maintenance/log.ts'
import { saveAgain } from '../maintenance/save-again.ts'
import type { Worker } from '../maintenance/worker.ts'
import type { OpenPorts, Served } from '../ports/listeners.ts'
import type { DomainState } from '../state/domain-state.ts'
import type { Clock } from '../time.ts'
import type { Webhook } from '../webhook/webhook.ts'

export interface Serving {
  log: Log
  /** Only the leader obtains certificates and delivers messages. */
  setLeading(isLeader: boolean): void
  /** Leaves the ports open. */
  end(): Promise<void>
}

export interface ServingOptions {
  served: Served
  state: DomainState
  worker: Worker
  webhook: Webhook | undefined
  clock: Clock
}

export function startServing(
  ports: Pick<OpenPorts, 'serve'>,
  log: Log,
  { served, state, worker, webhook, clock }: ServingOptions,
): Serving {
  ports.serve(served)
  const outbox = webhook?.open(state.asLeader(), log)

  function wake() {
    worker.wake()
    outbox?.wake()
  }
  const endWatch = watchClock(clock, { onStep: (ms) => logClockStep(log, ms), wake })
  const endSaving = saveAgain(state, clock, log)

  return {
    log,
    setLeading(isLeader) {
      worker.setLeading(isLeader)
      outbox?.setLeading(isLeader)
    },
    async end() {
      endWatch()
      endSaving()
      await outbox?.close()
    },
  }
}
