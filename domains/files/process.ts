// Tells whether a process still runs, as far as this one can see it.
import { readFile, readlink } from 'node:fs/promises'
import process from 'node:process'

/** The start of the system and the PID namespace (pid_namespaces(7)); undefined where there is no /proc. */
export async function processNamespace(): Promise<string | undefined> {
  const sources = [readFile('/proc/sys/kernel/random/boot_id', 'utf8'), readlink('/proc/self/ns/pid')]
  const parts = await Promise.all(sources).catch(() => undefined)
  return parts?.map((part) => part.trim()).join(' ')
}

/** @param began the start time, which tells a pid that was reused */
export async function runs(pid: number, began: string | undefined): Promise<boolean> {
  return isRunning(pid) && began === (await startTimeOf(pid))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Field 22 of proc_pid_stat(5), in the system's own unit; undefined when there is no such process. */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')[19]
}
