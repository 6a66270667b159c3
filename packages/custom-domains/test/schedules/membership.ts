// The leases of one instance, which each heartbeat renews: one to serve, and the leader's.
import {
  LeadershipLostError,
  type Listener,
  type SharedStorage,
  StorageUnavailableError,
} from '../../src/state/storage.ts'
import type { Database, Member } from './database.ts'
import type { Owner, Scheduler } from './scheduler.ts'

const HEARTBEAT_MS = 2_000

export function membership(owner: Owner, db: Database, scheduler: Scheduler, served: () => string) {
  const { call, add } = scheduler
  const clock = scheduler.clockOf(owner)
  let cancelTimer = () => {}
  let isBehind = false
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
    if (holder === owner) db.setLeader({ holder, hasLapsed: false, fence })
    else if (holder === undefined || hasLapsed) db.setLeader({ holder: owner, hasLapsed: false, fence: fence + 1 })
    return { latest: db.saves.at(-1), fence: db.leader.holder === owner ? db.leader.fence : undefined }
  }

  async function renew() {
    const [before, sent] = [lapses, served()]
    const { latest, fence } = await call(owner, 'heartbeat', renewLeases)
    isBehind = latest !== sent && latest !== served()
    if (!isBehind && lapses === before) isCurrent = true
    return fence
  }

  async function catchUp() {
    if (isBehind) await listener?.onChange()
    isBehind = false
  }

  async function beat() {
    await catchUp()
    let fence = await renew()
    if (isBehind) {
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
      const save = served()
      const lacksIt = ([other, member]: [Owner, Member]) =>
        other !== owner && member.isLeased && db.saves.indexOf(member.served) < db.saves.indexOf(save)
      function checkKept() {
        if (!db.saves.includes(save)) throw new StorageUnavailableError('the database has lost the change', 2)
      }
      await call(owner, 'acknowledged by every instance', checkKept, {
        isReady: () => !db.saves.includes(save) || ![...db.members].some(lacksIt),
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
