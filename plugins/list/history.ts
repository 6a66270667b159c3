// The last changes of the list, for clients that ask for them: in bounded memory, and only while anyone asks.
import type { OrderPage } from '../../store/page.ts'
import { type Delta, deltaBetween, emptyDelta, extend, jsonOf } from './delta.ts'

export interface Version {
  etag: string
  pages: readonly OrderPage[]
}

export interface History {
  /** To be called with each list that goes to a client that may ask for its changes later. */
  add(version: Version): void
  /** What changed from the list with this ETag to the one added last, as JSON; undefined if it is not known. */
  since(etag: string): string | undefined
  close(): void
}

export interface HistoryOptions {
  /** How many changed lists are remembered, and how many bytes their changes may take. */
  steps?: number
  bytes?: number
  /** Without a call of `add` for this long, everything is forgotten, in milliseconds. */
  idleMs?: number
}

interface Step {
  /** The ETag of the list before. */
  from: string
  delta: Delta
  bytes: number
}

export function listHistory({ steps = 1_000, bytes = 1024 * 1024, idleMs = 600_000 }: HistoryOptions = {}): History {
  let last: Version | undefined
  let known: Step[] = []
  let size = 0
  /** What clients of the last list were sent, by the ETag they had. */
  const sent = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined

  function forget() {
    last = undefined
    known = []
    size = 0
    sent.clear()
  }

  function remember(step: Step) {
    known.push(step)
    size += step.bytes
    while (known.length > steps || size > bytes) size -= (known.shift() as Step).bytes
  }

  return {
    add(version) {
      timer ??= setTimeout(forget, idleMs).unref()
      timer.refresh()
      if (last?.etag === version.etag) return
      const before = last
      const delta = before && deltaBetween(before.pages, version.pages)
      sent.clear()
      if (before && delta) remember({ from: before.etag, delta, bytes: bytesOf(delta) })
      else forget()
      last = version
    },
    since(etag) {
      const answer = sent.get(etag)
      if (answer !== undefined) return answer
      const first = known.findLastIndex(({ from }) => from === etag)
      if (first === -1) return undefined
      const whole = emptyDelta()
      for (const { delta } of known.slice(first)) extend(whole, delta)
      const json = jsonOf(whole)
      sent.set(etag, json)
      return json
    },
    close() {
      clearTimeout(timer)
      forget()
    },
  }
}

/** Roughly what it takes in memory. */
const ENTRY_BYTES = 64

function bytesOf({ removed, changed, appended }: Delta): number {
  const orders = [...changed.values(), ...appended.values()]
  return orders.reduce((sum, { length }) => sum + length + ENTRY_BYTES, removed.size * ENTRY_BYTES)
}
