// Reads the memory and the CPU time of processes from Linux's /proc.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const REST_MS = 100
/** A process is idle if it uses no more clock ticks than this in REST_MS, and does not wait for a core either. */
const REST_TICKS = 1
const LIMIT_MS = 60_000
/** The clock tick of /proc, the same on every Linux. */
const TICK_US = 10_000

/** Resident memory in MB of 10^6 bytes. @param {number} pid */
export function memoryOf(pid) {
  const [, kib] = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return (Number(kib) * 1024) / 1e6
}

/** Resolves when the process is idle: no pending responses, garbage collection or compression. @param {number} pid */
export async function atRest(pid) {
  const deadline = Date.now() + LIMIT_MS
  for (let before = ticksOf(pid); Date.now() < deadline; ) {
    await sleep(REST_MS)
    const now = ticksOf(pid)
    if (now - before <= REST_TICKS && !isRunnable(pid)) return
    before = now
  }
}

/**
 * User and system time so far, in µs, of the process alone or also of its children that have ended.
 * @param {number} pid
 */
export const cpuOf = (pid, { isWithEnded = false } = {}) => ticksOf(pid, isWithEnded) * TICK_US

/** @param {number} pid */
export const childrenOf = (pid) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

/** True if a thread runs or waits for a core. @param {number} pid */
function isRunnable(pid) {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.some((thread) => {
    const file = `/proc/${pid}/task/${thread}/stat`
    return existsSync(file) && fieldsOf(file)[0] === 'R'
  })
}

function ticksOf(pid, isWithEnded = false) {
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fieldsOf(`/proc/${pid}/stat`).slice(11, 15).map(Number)
  return user + system + (isWithEnded ? endedUser + endedSystem : 0)
}

/** From the state on, which follows the name in parentheses. @param {string} file */
function fieldsOf(file) {
  const stat = readFileSync(file, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}
