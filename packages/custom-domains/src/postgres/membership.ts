// This instance's leases: one to serve, and an exclusive one to run maintenance. Each heartbeat renews both.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Listener, StorageUnavailableError } from '../state/storage.ts'
import { type Clock, systemClock } from '../time.ts'
import { RETRY_AFTER_S, type Run, rowOf } from './database.ts'
import type { Queries } from './queries.ts'

const HEARTBEAT_MS = 2_000
const LEASE_S = 10
/** An instance stops before the database lets another one take over. */
const MARGIN_MS = 1_000
const POLL_MS = 200

export interface Time extends Pick<Clock, 'elapsed' | 'after'> {
  /** Keeps the process alive, unlike the timers: a caller waits for it. */
  sleep(ms: number): Promise<void>
}

export const systemTime: Time = { ...systemClock, sleep: (ms) => sleep(ms) }

interface MemberOptions {
  run: Run
  queries: Pick<Queries, 'heartbeat' | 'notify' | 'instancesBehind' | 'leave'>
  /** The save that this instance serves. */
  served(): string
  /** The ids of its encryption keys, the newest first. */
  keyIds: readonly string[]
  clock: Time
}

interface Heartbeat {
  save: string
  server: string
  token: string | null
  key: string | null
}

interface Acknowledgment {
  instances: number
  kept: boolean
  server: string
}

/** Joins the other instances. */
export interface Member extends Listener {
  /** Called every few seconds, while what this instance serves is current. */
  onHeartbeat(): Promise<void>
}

export function membership(id: string, { run: query, queries, served, keyIds, clock }: MemberOptions) {
  let listener: Member | undefined
  let token: string | undefined
  /** How often a write has shown that this instance leads no more. */
  let losses = 0
  let sharedKey: string | undefined
  let currentUntil = 0
  /** The database has a save that this instance does not serve. */
  let isBehind = false
  /** When the server has started: after a failover, it is another one, which may lack the latest leases. */
  let server: string | undefined
  let leasesKnownFrom = 0
  let running: Promise<void> | undefined
  let isBeatRequested = false
  let isClosed = false
  let cancelTimer = () => {}

  function setToken(next: string | undefined) {
    if (next === token) return
    if (token !== undefined) listener?.onLeadership(false)
    token = next
    if (next !== undefined) listener?.onLeadership(true)
  }

  function distrustLeases() {
    leasesKnownFrom = clock.elapsed() + LEASE_S * 1000
  }

  function noteServer(present: string) {
    if (server !== undefined && present !== server) distrustLeases()
    server = present
  }

  /** A save that this instance knows of but cannot serve ends its lease. */
  async function catchUp() {
    if (isBehind) await listener?.onChange()
    isBehind = false
  }

  async function renew() {
    const begin = clock.elapsed()
    const before = served()
    const known = losses
    const row = await rowOf<Heartbeat>(query, queries.heartbeat, [id, before, LEASE_S, keyIds])
    noteServer(row.server)
    sharedKey = row.key ?? undefined
    // This instance may have saved something since.
    isBehind = row.save !== before && row.save !== served()
    // Changes made after a lease had lapsed did not wait for this instance.
    if (!isBehind || clock.elapsed() < currentUntil) currentUntil = begin + LEASE_S * 1000 - MARGIN_MS
    // The response may be older than a rejection that has arrived meanwhile; the next heartbeat knows.
    return known === losses ? (row.token ?? undefined) : undefined
  }

  async function beat() {
    await catchUp()
    let next = await renew()
    if (isBehind) {
      await catchUp()
      next = await renew()
      await query(queries.notify)
    }
    setToken(next)
    await listener?.onHeartbeat()
  }

  async function run() {
    do {
      isBeatRequested = false
      await beat().catch(() => {
        if (clock.elapsed() > currentUntil) setToken(undefined)
      })
    } while (isBeatRequested && !isClosed)
    running = undefined
    if (!isClosed) cancelTimer = clock.after(HEARTBEAT_MS, beatNow)
  }

  function beatNow() {
    cancelTimer()
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
      if (rejected !== token) return
      losses++
      setToken(undefined)
    },
    isCurrent: () => clock.elapsed() < currentUntil,
    beatNow,
    async join(joining: Member) {
      listener = joining
      beatNow()
      await running
    },
    distrustLeases,
    async whenAcknowledged() {
      const save = served()
      for (;;) {
        const { instances, kept, server } = await rowOf<Acknowledgment>(query, queries.instancesBehind, [id, save])
        noteServer(server)
        if (!kept) throw new StorageUnavailableError('the database has lost the change', RETRY_AFTER_S)
        if (instances === 0 && clock.elapsed() >= leasesKnownFrom) return
        await clock.sleep(POLL_MS)
      }
    },
    async leave() {
      isClosed = true
      cancelTimer()
      await running
      if (listener) await query(queries.leave, [id]).catch(() => {}) // then the leases expire
    },
  }
}
