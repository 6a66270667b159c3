// A lock on a folder for one process at a time. The lock of a process that was killed is stale and does not count.
import { randomUUID } from 'node:crypto'
import { link, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

interface Holder {
  id: string
  pid: number
  /** The start time of the process in the system's own unit: it detects a pid that was reused. */
  began: string | undefined
  host: string
}

/**
 * Locks are numbered, and the highest one counts. Of all processes that find it stale, exactly one creates the next.
 * @returns a function that releases the lock
 * @throws with a line that names the holder
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const id = randomUUID()
  const own = join(folder, `holder-${id}`)
  const lock = (number: number) => join(folder, `lock-${number}`)
  const holder: Holder = { id, pid: process.pid, began: await startTimeOf(process.pid), host: hostname() }
  await writeFile(own, JSON.stringify(holder), { mode: 0o600 })
  try {
    for (;;) {
      const numbers = await numbersIn(folder)
      const last = Math.max(0, ...numbers)
      const found = await read(lock(last))
      if (found?.id === id) {
        for (const number of numbers) if (number < last) await rm(lock(number), { force: true })
        return () => truncate(lock(last)).catch(unless('ENOENT'))
      }
      if (found && (await isAlive(found))) {
        const advice = `only one server at a time can use it. If that one no longer runs, delete ${lock(last)}`
        throw new Error(`${folder} is in use by process ${found.pid} on ${found.host}: ${advice}`)
      }
      await linkNew(own, lock(last + 1))
    }
  } finally {
    await rm(own)
  }
}

async function numbersIn(folder: string): Promise<number[]> {
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
async function linkNew(own: string, lock: string): Promise<void> {
  await link(own, lock).catch(unless('EEXIST'))
}

/** A process on another host cannot be checked, so its lock counts. */
async function isAlive({ pid, began, host }: Holder): Promise<boolean> {
  return host !== hostname() || (isRunning(pid) && began === (await startTimeOf(pid)))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Field 22 of proc_pid_stat(5); undefined where there is no /proc. */
async function startTimeOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(unless('ENOENT'))
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')[19]
}

function unless(code: string) {
  return (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== code) throw error
  }
}
