// Runs the attempts that are due: one at a time for each domain, several domains in parallel, and a timer for the next.
import type { Domain } from '../state/domain.ts'
import { type AttemptOptions, attempt } from './attempt.ts'
import { dueAt } from './schedule.ts'

/** The longest timer: clocks are adjusted, and machines sleep. */
const LONGEST_WAIT_MS = 3_600_000

export interface Worker {
  /** Starts what is due, and sets the timer. */
  wake(): void
  /** Starts an attempt, unless one is running. */
  start(host: string): void
  /** Aborts the running attempt and waits for its end. */
  stop(host: string): Promise<void>
  /** The state that the running attempt has reached. */
  progressOf(host: string): Domain['state'] | undefined
  /** Whether attempts are made here: another instance may be the one that works. */
  setWorking(works: boolean): void
  /** Aborts all attempts and starts no more. */
  close(): Promise<void>
}

interface Job {
  controller: AbortController
  ended: Promise<void>
  progress: Domain['state']
}

export function domainWorker(options: AttemptOptions): Worker {
  const { state, clock } = options
  const jobs = new Map<string, Job>()
  let cancelTimer = () => {}
  let isClosed = false
  let isWorking = true

  /** An aborted job no longer counts, although it may take time to end. */
  function running(host: string): Job | undefined {
    const job = jobs.get(host)
    return job?.controller.signal.aborted ? undefined : job
  }

  function wake() {
    cancelTimer()
    if (isClosed || !isWorking) return
    for (const [host, { controller }] of jobs) if (!state.current().domains.has(host)) controller.abort()
    const now = clock.now()
    let wait = LONGEST_WAIT_MS
    for (const domain of state.current().domains.values()) {
      const { host } = domain.name
      const due = dueAt(domain, now)?.getTime()
      if (due === undefined || running(host)) continue
      if (due <= now.getTime()) start(host)
      else wait = Math.min(wait, due - now.getTime())
    }
    cancelTimer = clock.after(wait, wake)
  }

  function start(host: string) {
    if (isClosed || !isWorking || running(host)) return
    const previous = jobs.get(host)?.ended
    const job: Job = { controller: new AbortController(), progress: 'verifying', ended: Promise.resolve() }
    jobs.set(host, job)
    job.ended = run(host, job, previous)
  }

  async function run(host: string, job: Job, previous: Promise<void> | undefined) {
    await previous
    for await (const state of attempt(host, job.controller.signal, options)) job.progress = state
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
    start,
    stop,
    progressOf: (host) => running(host)?.progress,
    setWorking(works) {
      isWorking = works
      if (works) return wake()
      cancelTimer()
      for (const { controller } of jobs.values()) controller.abort()
    },
    async close() {
      isClosed = true
      cancelTimer()
      await Promise.all([...jobs.keys()].map(stop))
    },
  }
}
