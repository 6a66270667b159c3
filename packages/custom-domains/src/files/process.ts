// Checks whether a process is still running, as far as this one can tell.
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
  return isRunning(pid) && began === (await startTimeOf(pid)) && !(await isEnding(pid))
}

/** PF_EXITING of the kernel, and the bit of the signal. */
const [EXITING, SIGKILL] = [0x4, 0x100n]

/** True for a zombie, and for a killed process that is still exiting: neither executes any more code. */
async function isEnding(pid: number): Promise<boolean> {
  const [state, , , , , , flags] = await statOf(pid)
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const pending = Array.from(status.matchAll(/^S\w+Pnd:\s*(\w+)$/gm), ([, mask]) => BigInt(`0x${mask}`))
  return (
    state === 'Z' || state === 'X' || (Number(flags) & EXITING) > 0 || pending.some((mask) => (mask & SIGKILL) > 0n)
  )
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** When a process started, in the system's own unit; undefined when there is none with this id. */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  return (await statOf(pid))[19]
}

/** The fields of proc_pid_stat(5) from the third one on; empty when there is no such process. */
async function statOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}
