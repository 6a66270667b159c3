// Does what is due: one attempt at a time for a domain, several domains side by side, and a timer for what comes next.

import type { DomainState } from '../state/domain.ts'
import { type AttemptOptions, attempt } from './attempt.ts'
import { dueAt } from './schedule.ts'

/** The timer is set anew at least so often: clocks are changed, and machines sleep. */
const LONGEST_WAIT_MS = 3_600_000

export interface Worker {
  /** Does what is due, and sets the timer. */
  wake(): void
  /** Begins an attempt, unless one is under way. */
  attempt(host: string): void
  /** Ends the attempt that is under way. */
  stop(host: string): Promise<void>
  /** Where the attempt that is under way stands. */
  stepOf(host: string): DomainState | undefined
  /** Ends all that is under way; nothing is begun any more. */
  close(): Promise<void>
}

interface Job {
  controller: AbortController
  ended: Promise<void>
  step: DomainState
}

export function domainWorker(options: AttemptOptions): Worker {
  const { model, clock } = options
  const jobs = new Map<string, Job>()
  let cancelTimer = () => {}
  let isClosed = false

  /** One that has been stopped counts no more, although it may need time to end. */
  function running(host: string): Job | undefined {
    const job = jobs.get(host)
    return job?.controller.signal.aborted ? undefined : job
  }

  function wake() {
    cancelTimer()
    if (isClosed) return
    const now = clock.now().getTime()
    let wait = LONGEST_WAIT_MS
    for (const domain of model.current().domains.values()) {
      const { host } = domain.name
      const due = dueAt(domain)?.getTime()
      if (due === undefined || running(host)) continue
      if (due <= now) begin(host)
      else wait = Math.min(wait, due - now)
    }
    cancelTimer = clock.after(wait, wake)
  }

  function begin(host: string) {
    if (isClosed || running(host)) return
    const former = jobs.get(host)?.ended
    const job: Job = { controller: new AbortController(), step: 'verifying', ended: Promise.resolve() }
    jobs.set(host, job)
    job.ended = work(host, job, former)
  }

  async function work(host: string, job: Job, former: Promise<void> | undefined) {
    await former
    const onStep = (step: DomainState) => {
      job.step = step
    }
    await attempt(host, job.controller.signal, onStep, options)
    if (jobs.get(host) === job) jobs.delete(host)
    wake()
  }

  async function stop(host: string) {
    const job = jobs.get(host)
    job?.controller.abort()
    await job?.ended
  }

  return {
    wake,
    attempt: begin,
    stop,
    stepOf: (host) => running(host)?.step,
    async close() {
      isClosed = true
      cancelTimer()
      await Promise.all([...jobs.keys()].map(stop))
    },
  }
}
