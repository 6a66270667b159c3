// Joins the instances that share the storage: each serves all domains, and one of them leads.
import type { Worker } from '../maintenance/worker.ts'
import type { DomainState } from '../state/domain-state.ts'
import type { SharedStorage } from '../state/storage.ts'
import type { Serving } from './serving.ts'

export interface InstanceOptions {
  state: DomainState
  worker: Worker
  serving: Serving
}

export async function joinInstances(shared: SharedStorage, options: InstanceOptions): Promise<void> {
  const { state, worker, serving } = options
  const { log } = serving
  let isLeader = false

  await shared.join({
    async onChange() {
      await state.reload()
      worker.wake()
    },
    async onLeadership(leads) {
      isLeader = leads
      log.info(
        {},
        leads ? 'this instance now obtains the certificates' : 'another instance may now obtain the certificates',
      )
      if (leads) await state.reload().catch(() => {}) // what the former leader saved last may not have been read yet
      serving.setLeading(isLeader) // it may have been lost by now
    },
  })
}
