// A deterministic scheduler: whatever an instance waits for is a task, which runs when the schedule says so.
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../src/time.ts'
import { begin, SECOND } from '../fixtures/clock.ts'

/** What may be killed: none of its tasks runs afterwards, and its promises remain unsettled. */
export interface Owner {
  name: string
}

interface Task {
  owner: Owner
  label: string
  isReady(): boolean
  run(): void | Promise<void>
}

export interface CallOptions {
  /** Rejects once it aborts, as a request does, whether or not that has had its effect. */
  signal?: AbortSignal | undefined
  isReady?: () => boolean
}

export type Scheduler = ReturnType<typeof scheduler>

const always = () => true

export function scheduler() {
  /** The oldest first. */
  let tasks: Task[] = []
  const killed = new WeakSet<Owner>()
  let elapsed = 0
  const trace: string[] = []

  function add(task: Task): () => void {
    if (!killed.has(task.owner)) tasks.push(task)
    return () => {
      tasks = tasks.filter((other) => other !== task)
    }
  }

  /** Has its effect in one task, and returns in another: the owner may be killed before, between and after them. */
  function call<T>(
    owner: Owner,
    label: string,
    effect: () => T | Promise<T>,
    { signal, isReady = always }: CallOptions = {},
  ) {
    return new Promise<T>((resolve, reject) => {
      const settle = (action: () => void) => {
        const run = () => (signal?.aborted ? reject(signal.reason) : action())
        add({ owner, label: `${label} returns`, isReady: always, run })
      }
      async function run() {
        try {
          const value = await effect()
          settle(() => resolve(value))
        } catch (error) {
          settle(() => reject(error))
        }
      }
      if (signal?.aborted) reject(signal.reason)
      else add({ owner, label, isReady, run })
    })
  }

  /** @returns false if no task is ready */
  async function runOne(choice: number): Promise<boolean> {
    const ready = tasks.filter((task) => task.isReady())
    const task = ready[choice % ready.length]
    if (!task) return false
    tasks.splice(tasks.indexOf(task), 1)
    elapsed++
    trace.push(`${task.owner.name}: ${task.label}`)
    await task.run()
    await setImmediate() // then every continuation waits for a task
    return true
  }

  return {
    call,
    /** A task that only has an effect. */
    add: (owner: Owner, label: string, run: () => void, isReady = always) => add({ owner, label, isReady, run }),
    runOne,
    /** What has run, in order. */
    trace,
    kill(owner: Owner) {
      killed.add(owner)
      tasks = tasks.filter((task) => task.owner !== owner)
    },
    now: () => new Date(begin.getTime() + elapsed),
    /** Timers that become due fire once, late, as after a machine has slept. */
    pass(ms: number) {
      elapsed += ms
    },
    clockOf: (owner: Owner): Clock => ({
      now: () => new Date(begin.getTime() + elapsed),
      elapsed: () => elapsed,
      after(ms, callback) {
        const at = elapsed + ms
        const isReady = () => elapsed >= at || ms < SECOND // a short pause may end next: then time passes
        function run() {
          elapsed = Math.max(elapsed, at)
          callback() // what it waits for is another task
        }
        return add({ owner, label: 'timer', isReady, run })
      },
    }),
  }
}
