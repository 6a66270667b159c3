// Delivers the messages of the outbox, each until it has arrived or its attempts are used up. Only the instance that
// works does so. What a process delivered just before it ended is delivered again, with the same id.
import type { Log } from '../maintenance/log.ts'
import type { DomainState } from '../state/domain-state.ts'
import type { Message } from '../state/message.ts'
import type { Clock } from '../time.ts'
import { hasNews } from './news.ts'
import { afterFailure, isDue, isLast, waitOf } from './retry.ts'
import type { Send } from './send.ts'

/** The time alone can make something worth telling. */
const LOOK_EVERY_MS = 3_600_000
/** As many as there can be domains; of more, the oldest are given up. */
const MOST_MESSAGES = 1000
/** What cannot be saved is not repeated at once. */
const SHORTEST_WAIT_MS = 1_000

export interface OutboxOptions {
  /** The one for the instance that works. */
  state: DomainState
  send: Send
  clock: Clock
  log: Log
  /** Told of each attempt that succeeded or failed, and of each message that is given up. */
  count(outcome: Outcome): void
  /** In [0, 1): the jitter of retries. */
  random(): number
}

export type Outcome = 'delivered' | 'failed' | 'dropped'

export interface Outbox {
  /** Delivers what is due, and sets the timer. */
  wake(): void
  /** Whether messages are delivered here: at first, they are not. */
  setWorking(works: boolean): void
  close(): Promise<void>
}

export function outboxOf({ state, send, clock, log, count, random }: OutboxOptions): Outbox {
  let controller = new AbortController()
  let cancelTimer = () => {}
  let running: Promise<void> | undefined
  let [isWorking, isAwake, isGone] = [false, false, false]

  function wake() {
    isAwake = true
    if (isWorking) running ??= run()
  }

  async function run() {
    cancelTimer()
    while (isWorking && isAwake) {
      isAwake = false
      // Aborted, or the work is another instance's, or the storage cannot be reached: there is a next time.
      await round().catch(() => {})
    }
    running = undefined
    if (!isWorking) return
    const wait = waitOf(state.current().outbox, clock.now(), LOOK_EVERY_MS)
    cancelTimer = clock.after(Math.max(wait, SHORTEST_WAIT_MS), wake)
  }

  async function round() {
    if (hasNews(state.current(), clock.now())) await state.apply(() => {}) // whoever changes the state adds the news
    while (isWorking) {
      const { outbox } = state.current()
      const [oldest] = outbox
      const due = outbox.find((message) => isDue(message, clock.now()))
      if (oldest && (isGone || outbox.length > MOST_MESSAGES)) await drop(oldest)
      else if (due) await deliver(due)
      else return
    }
  }

  async function deliver(message: Message) {
    controller = new AbortController()
    const answer = await send(message, controller.signal)
    const details = { ...detailsOf(message), reason: answer.reason }
    if (answer.outcome === 'delivered') {
      count('delivered')
      log.info(details, 'the webhook was told')
      return remove(message)
    }
    count('failed')
    if (answer.outcome === 'gone') {
      isGone = true
      return log.error(details, 'the webhook wants no more messages: it gets none until a restart')
    }
    log.warn(details, 'the webhook could not be told')
    if (isLast(message)) return drop(message)
    const failure = { id: message.id, retryAfterMs: answer.retryAfterMs, now: clock.now(), random: random() }
    await state.apply((draft) => {
      draft.outbox = afterFailure(draft.outbox, failure)
    })
  }

  async function drop(message: Message) {
    count('dropped')
    log.error(detailsOf(message), 'a message for the webhook is given up')
    await remove(message)
  }

  async function remove({ id }: Message) {
    await state.apply((draft) => {
      draft.outbox = draft.outbox.filter((message) => message.id !== id)
    })
  }

  function setWorking(works: boolean) {
    isWorking = works
    if (works) return wake()
    cancelTimer()
    controller.abort()
  }

  return {
    wake,
    setWorking,
    async close() {
      setWorking(false)
      await running
    },
  }
}

function detailsOf({ id, event }: Message) {
  return { id, type: event.type, domain: event.data.domain }
}
