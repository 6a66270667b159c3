// Reads a process's memory and idleness from Linux's /proc.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const REST_MS = 100
/** Clock ticks of 10 ms in which a process counts as resting. */
const REST_TICKS = 1
const LIMIT_MS = 60_000

/** MB, the SI's, resident now and at most so far. @param {number} pid */
export function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const read = (name) => (Number(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(status)?.[1]) * 1024) / 1e6
  return { resident: read('VmRSS'), peak: read('VmHWM') }
}

/** Resolves when the process is idle: no pending responses, garbage collection or compression. */
export async function atRest(pid) {
  const deadline = Date.now() + LIMIT_MS
  for (let before = ticksOf(pid); Date.now() < deadline; ) {
    await sleep(REST_MS)
    const now = ticksOf(pid)
    if (now - before <= REST_TICKS) return
    before = now
  }
}

/** A clock tick of /proc, the same on every Linux. */
const TICK_US = 10_000

/**
 * The user and system time so far, in µs, of the process alone, or also of its children that have ended.
 * @param {number} pid
 */
export const cpuOf = (pid, { isWithEnded = false } = {}) => ticksOf(pid, isWithEnded) * TICK_US

/** @param {number} pid */
export const childrenOf = (pid) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

function ticksOf(pid, isWithEnded = false) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15)
  return user + system + (isWithEnded ? endedUser + endedSystem : 0)
}
