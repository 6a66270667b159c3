// Runs due attempts, one at a time for each domain and several domains in parallel, and sets a timer for the next.
import type { Domain } from '../state/domain.ts'
import { type DomainState, isOfStorage, publicReason } from '../state/domain-state.ts'
import type { Draft } from '../state/snapshot.ts'
import { LeadershipLostError } from '../state/storage.ts'
import { agendaFrom, type Upcoming } from './agenda.ts'
import { sortedByNeed } from './need.ts'
import { type ObtainOptions, obtain } from './obtain.ts'
import { isServed } from './schedule.ts'
import { isUnchanged, type Step, transition } from './transitions.ts'

/** The longest timer: clocks are adjusted, and machines sleep. */
const LONGEST_WAIT_MS = 3_600_000
/** Other domains that are due wait, except for those that a user requests. Orders have limits of their own. */
const VERIFICATIONS_AT_A_TIME = 50
/** Until the loss of the leadership is noticed, or turns out to be temporary. */
const LEADERSHIP_LOST_PAUSE_MS = 1_000

export interface WorkerOptions extends ObtainOptions {
  state: DomainState
  /** Called once a step is saved, or need not be, with the domain after it. */
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
  /** Undefined once it has a result. */
  progress: Domain['state'] | undefined
}

export function domainWorker(options: WorkerOptions): Worker {
  const { state, clock, random, readCertificate, onStep } = options
  const jobs = new Map<string, Job>()
  const agenda = agendaFrom(clock.now())
  let cancelTimer = () => {}
  let isClosed = false
  let isLeading = true

  /** An aborted job no longer counts, although it may take time to end. */
  function running(host: string): Job | undefined {
    const job = jobs.get(host)
    return job?.controller.signal.aborted ? undefined : job
  }

  const verifications = () => [...jobs.values()].filter(({ progress }) => progress !== 'issuing').length

  function wake() {
    cancelTimer()
    if (isClosed || !isLeading) return
    for (const [host, { controller }] of jobs) if (!state.current().domains.has(host)) controller.abort()
    clearChallenges()
    const now = clock.now()
    const { domains } = state.current()
    const upcoming = agenda.upcoming(domains, now)
    const isDue = ({ at }: Upcoming) => at <= now.getTime()
    const isIdle = ({ host }: Upcoming) => !running(host)
    const begun = upcoming.findIndex((each) => !isDue(each))
    const due = upcoming.slice(0, begun < 0 ? upcoming.length : begun).filter(isIdle)
    const first = sortedByNeed(due, ({ host }) => domains.get(host) as Domain, now)
    for (const { host } of first.slice(0, Math.max(0, VERIFICATIONS_AT_A_TIME - verifications()))) start(host)
    const next = upcoming.find((each) => !isDue(each) && isIdle(each))
    const wait = next ? next.at - now.getTime() : LONGEST_WAIT_MS
    cancelTimer = clock.after(Math.min(wait, LONGEST_WAIT_MS), wake)
  }

  /** Those of a former leader, and of attempts whose ends could not be saved. */
  function clearChallenges() {
    if (jobs.size > 0 || state.current().challenges.size === 0) return
    state.apply(({ challenges }) => challenges.clear()).catch(expectLeadershipLost)
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
    /** These have not changed the domain in a way that is worth a write: they are saved with the next one that does. */
    let unsaved: Step[] = []
    const after = (domain: Domain) =>
      unsaved.reduce((domain, step) => transition(domain, step, clock.now(), random(), readCertificate), domain)
    const applySteps = ({ domains }: Draft) => {
      const domain = findIn(domains)
      if (domain) domains.set(host, after(domain))
    }

    /** @returns the domain after the step */
    async function take(step: Step): Promise<Domain | undefined> {
      unsaved.push(step)
      const before = findIn(state.current().domains)
      if (!before) return undefined
      if (step.kind === 'progress' && isServed(before, clock.now())) return before
      const checked = after(before)
      if (isUnchanged(before, checked)) {
        agenda.noteCheck(before, checked, clock.now())
        return checked
      }
      await state.commit(applySteps)
      unsaved = []
      return findIn(state.current().domains)
    }

    async function saveStep(step: Step) {
      if (step.kind === 'progress') job.progress = step.state
      const domain = await take(step)
      if (!domain) throw new Error('the attempt has ended')
      if (step.kind !== 'progress') job.progress = undefined
      onStep(step, domain)
      if (step.kind === 'progress' && step.state === 'issuing') wake() // it no longer counts as a verification
    }

    const domain = findIn(state.current().domains)
    if (!domain) return
    try {
      await obtain(agenda.latest(domain), signal, saveStep, options)
    } catch (error) {
      if (!findIn(state.current().domains)) return
      const code = isOfStorage(error) ? 'storage_failed' : 'internal_error'
      const problem = { code, detail: publicReason(error) } as const
      const step: Step = { kind: 'failed', problem, error }
      unsaved.push(step)
      await state.apply(applySteps)
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
      if (isLeader) {
        agenda.restart(clock.now())
        return wake()
      }
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
