// The leases of one instance, which each heartbeat renews: one to serve, and the leader's.
import { LeadershipLostError, type Listener, type SharedStorage } from '../../src/state/storage.ts'
import type { Database, Member } from './database.ts'
import type { Owner, Scheduler } from './scheduler.ts'

const HEARTBEAT_MS = 2_000

export function membership(owner: Owner, db: Database, scheduler: Scheduler, served: () => number) {
  const { call, add } = scheduler
  const clock = scheduler.clockOf(owner)
  let cancelTimer = () => {}
  let latest = 0
  let [isCurrent, lapses] = [false, 0]
  /** The leader's fencing token. */
  let token: number | undefined
  let listener: Listener | undefined
  let beating: Promise<void> | undefined
  let isBeatRequested = false

  function setToken(next: number | undefined) {
    if (next === token) return
    if (token !== undefined) listener?.onLeadership(false)
    token = next
    if (next !== undefined) listener?.onLeadership(true)
  }

  function renewLeases() {
    Object.assign(db.members.get(owner) as Member, { isLeased: true, served: served() })
    const { holder, hasLapsed, fence } = db.leader
    if (holder === owner) db.leader.hasLapsed = false
    else if (holder === undefined || hasLapsed) db.leader = { holder: owner, hasLapsed: false, fence: fence + 1 }
    return { revision: db.revision, fence: db.leader.holder === owner ? db.leader.fence : undefined }
  }

  async function renew() {
    const before = lapses
    const { revision, fence } = await call(owner, 'heartbeat', renewLeases)
    latest = revision
    if (latest <= served() && lapses === before) isCurrent = true
    return fence
  }

  async function catchUp() {
    if (latest > served()) await listener?.onChange()
  }

  async function beat() {
    await catchUp()
    const before = served()
    let fence = await renew()
    if (latest > before) {
      await catchUp()
      fence = await renew()
    }
    setToken(fence)
  }

  async function beatUntilQuiet() {
    do {
      isBeatRequested = false
      await beat()
    } while (isBeatRequested)
    beating = undefined
    cancelTimer = clock.after(HEARTBEAT_MS, beatNow)
  }

  function beatNow() {
    cancelTimer()
    isBeatRequested = true
    beating ??= beatUntilQuiet()
  }

  const shared: SharedStorage = {
    async join(joining) {
      listener = joining
      db.members.set(owner, {
        isLeased: false,
        served: served(),
        onNotify: () => add(owner, 'notification', beatNow),
        onLapse() {
          isCurrent = false
          lapses++
        },
      })
      beatNow()
      await beating
    },
    async whenAcknowledged() {
      const revision = served()
      const isBehind = ([other, member]: [Owner, Member]) =>
        other !== owner && member.isLeased && member.served < revision
      await call(owner, 'acknowledged by every instance', () => {}, {
        isReady: () => ![...db.members].some(isBehind),
      })
    },
    isCurrent: () => isCurrent,
  }

  return {
    shared,
    /** Has an effect only while this instance leads. @throws LeadershipLostError, and then it knows that it does not */
    async asLeader<T>(label: string, effect: () => T): Promise<T> {
      const fence = token
      if (fence === undefined) throw new LeadershipLostError('this instance does not lead')
      return call(owner, label, () => {
        if (db.leader.holder === owner && db.leader.fence === fence) return effect()
        throw new LeadershipLostError('another instance leads')
      }).catch((error) => {
        if (error instanceof LeadershipLostError && fence === token) setToken(undefined)
        throw error
      })
    },
  }
}
