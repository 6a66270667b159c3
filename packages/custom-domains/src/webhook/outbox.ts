// Delivers the messages of the outbox, on the leader only: each until it arrives or its attempts run out. A message that
// was delivered just before a crash is delivered again, with the same id.
import type { Log } from '../maintenance/log.ts'
import type { DomainState } from '../state/domain-state.ts'
import type { Message } from '../state/message.ts'
import type { Clock } from '../time.ts'
import { hasDueEvents, touchDueDomains } from './events.ts'
import { afterFailure, isDue, isLast, waitOf } from './retry.ts'
import type { Send } from './send.ts'

/** The passage of time alone can make an event due. */
const CHECK_EVERY_MS = 3_600_000
/** As many messages as there can be domains; beyond that, the oldest are dropped. */
const MAX_MESSAGES = 1000
/** A change that cannot be saved is not repeated at once. */
const SHORTEST_WAIT_MS = 1_000

export interface OutboxOptions {
  /** The leader's. */
  state: DomainState
  send: Send
  clock: Clock
  log: Log
  /** Called for each attempt that succeeded or failed, and for each message that is dropped. */
  count(outcome: Outcome): void
  /** In [0, 1): the jitter of retries. */
  random(): number
}

export type Outcome = 'delivered' | 'failed' | 'dropped'

export interface Outbox {
  /** Delivers what is due, and sets the timer. */
  wake(): void
  /** Only the leader delivers messages; at first, this instance does not lead. */
  setLeading(isLeader: boolean): void
  close(): Promise<void>
}

export function outboxOf({ state, send, clock, log, count, random }: OutboxOptions): Outbox {
  let controller = new AbortController()
  let cancelTimer = () => {}
  let running: Promise<void> | undefined
  let [isLeading, isAwake, isGone] = [false, false, false]
  /** When events that the passage of time makes due were last looked for. */
  let checkedAt: number | undefined

  function wake() {
    isAwake = true
    if (isLeading) running ??= run()
  }

  async function run() {
    cancelTimer()
    while (isLeading && isAwake) {
      isAwake = false
      // Aborted, or another instance leads, or the storage is unreachable: the next round tries again.
      await round().catch(() => {})
    }
    running = undefined
    if (!isLeading) return
    const wait = waitOf(state.current().outbox.values(), clock.now(), CHECK_EVERY_MS)
    cancelTimer = clock.after(Math.max(wait, SHORTEST_WAIT_MS), wake)
  }

  async function round() {
    const now = clock.now()
    if (checkedAt === undefined || Math.abs(now.getTime() - checkedAt) >= CHECK_EVERY_MS) {
      if (hasDueEvents(state.current(), now)) await state.apply((draft) => touchDueDomains(draft, now))
      checkedAt = now.getTime()
    }
    while (isLeading) {
      const { outbox } = state.current()
      const [oldest] = outbox.values()
      const due = [...outbox.values()].find((message) => isDue(message, clock.now()))
      if (oldest && isGone) await drop(oldest, 'the receiver is gone')
      else if (oldest && outbox.size > MAX_MESSAGES) await drop(oldest, 'the outbox is full')
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
      log.info(details, 'webhook delivered')
      return remove(message)
    }
    count('failed')
    if (answer.outcome === 'gone') {
      isGone = true
      return log.error(details, 'webhook receiver answered 410; delivery is off until the next restart')
    }
    log.warn(details, 'webhook delivery failed')
    if (isLast(message)) return drop(message, 'the last attempt failed')
    const failure = { id: message.id, retryAfterMs: answer.retryAfterMs, now: clock.now(), random: random() }
    await state.apply((draft) => {
      for (const [id, message] of draft.outbox) draft.outbox.set(id, afterFailure(message, failure))
    })
  }

  async function drop(message: Message, reason: string) {
    count('dropped')
    log.error({ ...detailsOf(message), reason }, 'webhook message dropped')
    await remove(message)
  }

  async function remove({ id }: Message) {
    await state.apply(({ outbox }) => outbox.delete(id))
  }

  function setLeading(isLeader: boolean) {
    isLeading = isLeader
    checkedAt = undefined
    if (isLeader) return wake()
    cancelTimer()
    controller.abort()
  }

  return {
    wake,
    setLeading,
    async close() {
      setLeading(false)
      await running
    },
  }
}

function detailsOf({ id, event: { type, data } }: Message) {
  return { id, type, ...('domain' in data ? { domain: data.domain } : { authority: data.authority }) }
}
