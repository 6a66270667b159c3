// The leases of one instance: to serve what it knows, and, one instance at a time, to work. Renewed in every beat.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Session, Sessions } from '../../store/postgres/sessions.ts'
import { queryRow } from '../../store/postgres/sessions.ts'
import type { Listener } from '../state/storage.ts'
import * as queries from './queries.ts'

const BEAT_MS = 2_000
const LEASE_S = 10
/** An instance stops before the database lets another one take over. */
const MARGIN_MS = 1_000
const LOOK_AGAIN_MS = 200

export interface Membership {
  /** The fence of the work, while this instance holds it. */
  fence(): string | undefined
  /** Gives up the work: a write was refused. */
  lose(): void
  isCurrent(): boolean
  /** Beats now. */
  ring(): void
  join(listener: Listener): Promise<void>
  whenAcknowledged(): Promise<void>
  leave(): Promise<void>
}

/** @param served the revision that this instance serves */
export function membership(sessions: Sessions, id: string, served: () => bigint): Membership {
  let listener: Listener | undefined
  let fence: string | undefined
  let [currentUntil, latest] = [0, 0n]
  let running: Promise<void> | undefined
  let isRung = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  function setFence(next: string | undefined) {
    if (next === fence) return
    if (fence !== undefined) listener?.onLeadership(false)
    fence = next
    if (next !== undefined) listener?.onLeadership(true)
  }

  /** A revision that this instance knows of, and cannot serve, ends its lease. */
  async function catchUp() {
    if (latest > served()) await listener?.onChange()
  }

  async function renew() {
    const begin = performance.now()
    const row = await sessions.run((session) =>
      queryRow<{ revision: string; fence: string | null }>(session, queries.beat, [id, String(served()), LEASE_S]),
    )
    latest = BigInt(row.revision)
    // Changes made after a lease had lapsed did not wait for this instance.
    const isServed = latest <= served() || performance.now() < currentUntil
    if (isServed) currentUntil = begin + LEASE_S * 1000 - MARGIN_MS
    return row.fence ?? undefined
  }

  async function beat() {
    await catchUp()
    const before = served()
    let next = await renew()
    if (latest > before) {
      await catchUp()
      next = await renew()
      await sessions.run((session: Session) => session.query(queries.ring))
    }
    setFence(next)
    listener?.onHeartbeat()
  }

  async function run() {
    do {
      isRung = false
      await beat().catch(() => {
        if (performance.now() > currentUntil) setFence(undefined)
      })
    } while (isRung && !isClosed)
    running = undefined
    if (!isClosed) timer = setTimeout(ring, BEAT_MS).unref()
  }

  function ring() {
    clearTimeout(timer)
    isRung = true
    running ??= run()
  }

  return {
    fence: () => fence,
    lose: () => setFence(undefined),
    isCurrent: () => performance.now() < currentUntil,
    ring,
    async join(joining) {
      listener = joining
      ring()
      await running
    },
    async whenAcknowledged() {
      const revision = String(served())
      for (;;) {
        const { instances } = await sessions.run((session) =>
          queryRow<{ instances: number }>(session, queries.behind, [id, revision]),
        )
        if (instances === 0) return
        await sleep(LOOK_AGAIN_MS)
      }
    },
    async leave() {
      isClosed = true
      clearTimeout(timer)
      await running
      if (listener) await sessions.run((session) => session.query(queries.leave, [id])).catch(() => {}) // then the leases end
    },
  }
}
