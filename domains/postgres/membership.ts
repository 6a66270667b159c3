// This instance's leases: one to serve, and an exclusive one to run maintenance. Each heartbeat renews both.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Listener } from 'custom-domains'
import type { Session, Sessions } from '../../store/postgres/sessions.ts'
import { queryRow } from '../../store/postgres/sessions.ts'
import * as queries from './queries.ts'

const HEARTBEAT_MS = 2_000
const LEASE_S = 10
/** An instance stops before the database lets another one take over. */
const MARGIN_MS = 1_000
const POLL_MS = 200

interface MemberOptions {
  /** The revision that this instance serves. */
  served(): bigint
  /** The ids of its encryption keys, the newest first. */
  keyIds: readonly string[]
}

/** Joins the other instances. */
export interface Member extends Listener {
  /** Called every few seconds, while what this instance serves is current. */
  onHeartbeat(): Promise<void>
}

export function membership(sessions: Sessions, id: string, { served, keyIds }: MemberOptions) {
  let listener: Member | undefined
  let token: string | undefined
  let sharedKey: string | undefined
  let [currentUntil, latest] = [0, 0n]
  let running: Promise<void> | undefined
  let isBeatRequested = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  function setToken(next: string | undefined) {
    if (next === token) return
    if (token !== undefined) listener?.onLeadership(false)
    token = next
    if (next !== undefined) listener?.onLeadership(true)
  }

  /** A revision that this instance knows of but cannot serve ends its lease. */
  async function catchUp() {
    if (latest > served()) await listener?.onChange()
  }

  async function renew() {
    const begin = performance.now()
    const values = [id, String(served()), LEASE_S, keyIds]
    const row = await sessions.run((session) =>
      queryRow<{ revision: string; token: string | null; key: string | null }>(session, queries.heartbeat, values),
    )
    latest = BigInt(row.revision)
    sharedKey = row.key ?? undefined
    // Changes made after a lease had lapsed did not wait for this instance.
    const isServed = latest <= served() || performance.now() < currentUntil
    if (isServed) currentUntil = begin + LEASE_S * 1000 - MARGIN_MS
    return row.token ?? undefined
  }

  async function beat() {
    await catchUp()
    const before = served()
    let next = await renew()
    if (latest > before) {
      await catchUp()
      next = await renew()
      await sessions.run((session: Session) => session.query(queries.notify))
    }
    setToken(next)
    await listener?.onHeartbeat()
  }

  async function run() {
    do {
      isBeatRequested = false
      await beat().catch(() => {
        if (performance.now() > currentUntil) setToken(undefined)
      })
    } while (isBeatRequested && !isClosed)
    running = undefined
    if (!isClosed) timer = setTimeout(beatNow, HEARTBEAT_MS).unref()
  }

  function beatNow() {
    clearTimeout(timer)
    isBeatRequested = true
    running ??= run()
  }

  return {
    /** The leader's fencing token; undefined while this instance does not lead. */
    token: () => token,
    /** The newest of its keys that all live instances have; undefined before the first heartbeat, or if there is none. */
    sharedKey: () => sharedKey,
    /** A write with this token was rejected: another instance leads, unless this one has gained a newer token since. */
    loseLeadership(rejected: string) {
      if (rejected === token) setToken(undefined)
    },
    isCurrent: () => performance.now() < currentUntil,
    beatNow,
    async join(joining: Member) {
      listener = joining
      beatNow()
      await running
    },
    async whenAcknowledged() {
      const revision = String(served())
      for (;;) {
        const { instances } = await sessions.run((session) =>
          queryRow<{ instances: number }>(session, queries.instancesBehind, [id, revision]),
        )
        if (instances === 0) return
        await sleep(POLL_MS)
      }
    },
    async leave() {
      isClosed = true
      clearTimeout(timer)
      await running
      if (listener) await sessions.run((session) => session.query(queries.leave, [id])).catch(() => {}) // then the leases expire
    },
  }
}
