// Reports when the process stood still. Requests that arrive meanwhile wait, which no other metric shows: each begins when the
// process reads the request.
import { readFileSync } from 'node:fs'
import process from 'node:process'

/** Milliseconds. Shorter ones are `nodejs_eventloop_lag_seconds`. */
const INTERVAL_MS = 250
const LONGEST_MS = 1_000
/** More page faults than these explain a stall by swapping. */
const MANY_FAULTS = 500

interface StallOptions {
  report(message: string): void
  /** How often the process is checked, and how long it may stand still; in milliseconds. */
  interval?: number
  longest?: number
  /** The file in which Linux counts how long the CPU limit of a control group held it up. */
  cpuStat?: string | undefined
}

export function watchStalls({ report, interval = INTERVAL_MS, longest = LONGEST_MS, ...options }: StallOptions) {
  const { cpuStat = cpuStatOfGroup() } = options
  let stalledMs = 0
  let last = measure(cpuStat)
  const timer = setInterval(() => {
    const now = measure(cpuStat)
    const ms = now.at - last.at - interval
    if (ms > longest) {
      stalledMs += ms
      report(`the process stood still for ${seconds(ms)} s: ${reasonFor(ms, last, now)}`)
    }
    last = now
  }, interval).unref()
  return {
    /** The length of all stalls since startup. */
    seconds: () => stalledMs / 1_000,
    close: () => clearInterval(timer),
  }
}

type Measurement = ReturnType<typeof measure>

/** In milliseconds, and the number of page faults that waited for a disk. */
function measure(cpuStat: string | undefined) {
  const { userCPUTime, systemCPUTime, majorPageFault } = process.resourceUsage()
  const cpu = (userCPUTime + systemCPUTime) / 1_000
  return { at: performance.now(), cpu, faults: majorPageFault, throttled: cpuStat ? throttledMs(cpuStat) : 0 }
}

function reasonFor(ms: number, last: Measurement, now: Measurement): string {
  if (now.throttled - last.throttled > ms / 2) return 'the CPU limit of its container or unit throttled it'
  if (now.faults - last.faults > MANY_FAULTS) return 'its memory was swapped out, or its disk is slow'
  const cpu = now.cpu - last.cpu
  const work = `its own work took ${seconds(cpu)} s of CPU`
  return cpu > ms / 2 ? work : `${work}; else it was paused, waited for a disk, or its machine had no CPU for it`
}

const seconds = (ms: number) => (ms / 1_000).toFixed(1)

function throttledMs(cpuStat: string): number {
  /* c8 ignore next -- depends on the system */
  return Number(/^throttled_usec (\d+)$/m.exec(textOf(cpuStat))?.[1] ?? 0) / 1_000
}

/** Control groups of version 2, which may be hidden. */
function cpuStatOfGroup(): string | undefined {
  /* c8 ignore next 3 -- depends on the system */
  const [, group] = /^0::(.*)$/m.exec(textOf('/proc/self/cgroup')) ?? []
  const file = `/sys/fs/cgroup${group === '/' ? '' : group}/cpu.stat`
  return group !== undefined && textOf(file) !== '' ? file : undefined
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
