// Runs due attempts, one at a time for each domain and several domains in parallel, and sets a timer for the next.
import type { Domain } from '../state/domain.ts'
import { type DomainState, publicReason } from '../state/domain-state.ts'
import type { Draft } from '../state/snapshot.ts'
import { LeadershipLostError } from '../state/storage.ts'
import { type ObtainOptions, obtain } from './obtain.ts'
import { dueAt } from './schedule.ts'
import { type Step, transition } from './transitions.ts'

/** The longest timer: clocks are adjusted, and machines sleep. */
const LONGEST_WAIT_MS = 3_600_000
/** Until the loss of the leadership is noticed, or turns out to be temporary. */
const LEADERSHIP_LOST_PAUSE_MS = 1_000

export interface WorkerOptions extends ObtainOptions {
  state: DomainState
  /** Called once a step is saved, with the domain after it. */
  onStep(step: Step, domain: Domain): void
}

export interface Worker {
  /** Starts due attempts and sets the timer. */
  wake(): void
  /** Starts an attempt, unless one is running. */
  start(host: string): void
  /** Aborts the running attempt and waits for its end. */
  stop(host: string): Promise<void>
  /** The state that the running attempt has reached. */
  progressOf(host: string): Domain['state'] | undefined
  /** Only the leader makes attempts. */
  setLeading(isLeader: boolean): void
  /** Aborts all attempts and starts no more. */
  close(): Promise<void>
}

interface Job {
  controller: AbortController
  ended: Promise<void>
  progress: Domain['state']
}

export function domainWorker(options: WorkerOptions): Worker {
  const { state, clock, random, onStep } = options
  const jobs = new Map<string, Job>()
  let cancelTimer = () => {}
  let isClosed = false
  let isLeading = true

  /** An aborted job no longer counts, although it may take time to end. */
  function running(host: string): Job | undefined {
    const job = jobs.get(host)
    return job?.controller.signal.aborted ? undefined : job
  }

  function wake() {
    cancelTimer()
    if (isClosed || !isLeading) return
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
    if (isClosed || !isLeading || running(host)) return
    const previous = jobs.get(host)?.ended
    const job: Job = { controller: new AbortController(), progress: 'verifying', ended: Promise.resolve() }
    jobs.set(host, job)
    job.ended = run(host, job, previous)
  }

  async function run(host: string, job: Job, previous: Promise<void> | undefined) {
    await previous
    const isLeadershipLost = await attempt(host, job).then(() => false, expectLeadershipLost)
    if (jobs.get(host) === job) jobs.delete(host)
    if (!isLeadershipLost) return wake()
    cancelTimer()
    cancelTimer = clock.after(LEADERSHIP_LOST_PAUSE_MS, wake)
  }

  /**
   * Ends early, and writes nothing more, once it is aborted or the domain is removed.
   * @throws LeadershipLostError
   */
  async function attempt(host: string, job: Job) {
    const { signal } = job.controller
    const addedAt = state.current().domains.get(host)?.addedAt
    /** Undefined once the attempt has ended: a domain that was removed and added again is another one. */
    const findIn = (domains: ReadonlyMap<string, Domain>) => {
      const domain = domains.get(host)
      return signal.aborted || domain?.addedAt !== addedAt ? undefined : domain
    }
    const applying = (step: Step) => (draft: Draft) => {
      const domain = findIn(draft.domains)
      if (domain) draft.domains.set(host, transition(domain, step, clock.now(), random()))
    }
    async function saveStep(step: Step) {
      if (step.kind === 'progress') job.progress = step.state
      await state.commit(applying(step))
      const saved = findIn(state.current().domains)
      if (!saved) throw new Error('the attempt has ended')
      onStep(step, saved)
    }

    const domain = findIn(state.current().domains)
    if (!domain) return
    try {
      await obtain(domain, signal, saveStep, options)
    } catch (error) {
      if (!findIn(state.current().domains)) return
      const problem = { code: 'storage_failed', detail: publicReason(error) } as const
      const step: Step = { kind: 'failed', problem, error }
      await state.apply(applying(step))
      const failed = findIn(state.current().domains)
      if (failed) onStep(step, failed)
    }
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
    setLeading(isLeader) {
      isLeading = isLeader
      if (isLeader) return wake()
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

function expectLeadershipLost(error: unknown): true {
  if (error instanceof LeadershipLostError) return true
  /* c8 ignore next -- any other error is a bug, which ends the process */
  throw error
}
