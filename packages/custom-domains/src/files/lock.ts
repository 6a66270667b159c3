// Locks a folder for one process at a time. The holder renews the lock; each holder has a higher number than the last.
import { randomUUID } from 'node:crypto'
import { link, open, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { processNamespace, runs, startTimeOf } from './process.ts'

/** How often the holder renews its lock; a lock that has not been renewed for the lease is free. */
export const HEARTBEAT_MS = 2_000
const LEASE_MS = 10_000

export interface Lock {
  /** A fencing token: a later holder has a higher number. */
  number: number
  /** @throws when another process has taken over */
  check(): Promise<void>
  renew(): Promise<void>
  release(): Promise<void>
}

interface Holder {
  id: string
  pid: number
  began: string | undefined
  /** Where the pid is valid. */
  namespace: string | undefined
  host: string
}

/**
 * Of all processes that find the lock free, exactly one creates the next.
 * @param wait replaced by tests
 * @throws with a line that names the holder
 */
export async function lockFolder(folder: string, wait: (ms: number) => Promise<unknown> = setTimeout): Promise<Lock> {
  const id = randomUUID()
  const holderFile = join(folder, `holder-${id}`)
  const lock = (number: number) => join(folder, `lock-${number}`)
  const namespace = await processNamespace()
  const holder: Holder = { id, pid: process.pid, began: await startTimeOf(process.pid), namespace, host: hostname() }
  try {
    await writeFile(holderFile, JSON.stringify(holder), { mode: 0o600 })
    for (;;) {
      const numbers = await lockNumbers(folder)
      const last = Math.max(0, ...numbers)
      const former = await read(lock(last))
      if (former?.id === id) {
        for (const number of numbers) if (number < last) await rm(lock(number), { force: true })
        return held(folder, last)
      }
      if (former && !(await hasEnded(lock(last), former, namespace, wait))) {
        throw new Error(
          `${folder} is in use by process ${former.pid} on ${former.host}: only one server at a time can use it`,
        )
      }
      await linkNew(holderFile, lock(last + 1))
    }
  } finally {
    await rm(holderFile, { force: true }).catch(() => {}) // a disk that became read-only
  }
}

function held(folder: string, number: number): Lock {
  const lock = join(folder, `lock-${number}`)
  const renew = () => utimes(lock, new Date(), new Date()).catch(() => {}) // `check` reports what matters
  const renewing = setInterval(renew, HEARTBEAT_MS).unref()
  return {
    number,
    async check() {
      const last = Math.max(0, ...(await lockNumbers(folder)))
      if (last !== number)
        throw new Error(`another server has taken over ${folder}: this one can no longer write to it`)
    },
    renew,
    async release() {
      clearInterval(renewing)
      await truncate(lock).catch(() => {}) // otherwise, the lease ends it
    },
  }
}

/** The numbers of all locks. */
export async function lockNumbers(folder: string): Promise<number[]> {
  const names = await readdir(folder)
  return names.flatMap((name) => /^lock-(\d+)$/.exec(name)?.[1] ?? []).map(Number)
}

/** Undefined for a lock that was released or deleted, or that a power failure left empty. */
async function read(lock: string): Promise<Holder | undefined> {
  const text = await readFile(lock, 'utf8').catch(unless('ENOENT'))
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

/** Creating a hard link is atomic: nobody reads a half-written lock. */
async function linkNew(holderFile: string, lock: string): Promise<void> {
  await link(holderFile, lock).catch(unless('EEXIST'))
}

/** Immediate for a process in the same namespace; for another container or machine, waits for the lease. */
async function hasEnded(
  lock: string,
  holder: Holder,
  namespace: string | undefined,
  wait: (ms: number) => Promise<unknown>,
): Promise<boolean> {
  if (holder.namespace !== undefined && holder.namespace === namespace) return !(await runs(holder.pid, holder.began))
  const seen = await stampOf(lock)
  for (let waited = 0; waited < LEASE_MS; waited += HEARTBEAT_MS) {
    await wait(HEARTBEAT_MS)
    if ((await stampOf(lock)) !== seen) return (await read(lock)) === undefined
  }
  return true
}

/** Changes with each renewal. Compared with itself alone: the clocks of two machines may differ. */
async function stampOf(lock: string): Promise<string | undefined> {
  const handle = await open(lock).catch(unless('ENOENT')) // opening it gets past the cache of a network file system
  if (!handle) return undefined
  const { mtimeMs, size } = await handle.stat().finally(() => handle.close())
  return `${mtimeMs} ${size}`
}

/** Handles errors: undefined for those with this code, any other is thrown. */
export function unless(code: string) {
  return (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== code) throw error
  }
}
