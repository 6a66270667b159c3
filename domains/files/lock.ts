// One process at a time holds a folder. What a killed process left does not hold it.
import { randomUUID } from 'node:crypto'
import { link, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

interface Holder {
  id: string
  pid: number
  /** When the process began, in the system's own count, so that a pid that was given out again is told apart. */
  began: string | undefined
  host: string
}

/**
 * Locks have numbers, and the highest one counts. However many find its holder gone, one of them makes the next one.
 * @returns what lets go of the folder
 * @throws with a line that names the holder
 */
export async function holdFolder(folder: string): Promise<() => Promise<void>> {
  const id = randomUUID()
  const own = join(folder, `holder-${id}`)
  const lock = (number: number) => join(folder, `lock-${number}`)
  const holder: Holder = { id, pid: process.pid, began: await beganOf(process.pid), host: hostname() }
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
        const advice = `one server at a time holds it. If that one is gone, delete ${lock(last)}`
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

/** Undefined for one that was let go of or cleared away, or that the power went off with. */
async function read(lock: string): Promise<Holder | undefined> {
  const text = await readFile(lock, 'utf8').catch(unless('ENOENT'))
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

/** A link is made whole or not at all: nobody reads half a lock. */
async function linkNew(own: string, lock: string): Promise<void> {
  await link(own, lock).catch(unless('EEXIST'))
}

/** On another host nobody can tell: its lock holds. */
async function isAlive({ pid, began, host }: Holder): Promise<boolean> {
  return host !== hostname() || (isThere(pid) && began === (await beganOf(pid)))
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** proc_pid_stat(5), field 22; undefined where there is no /proc. */
async function beganOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(unless('ENOENT'))
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')[19]
}

function unless(code: string) {
  return (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== code) throw error
  }
}
