// A wrong clock looks like expired keys and invalid certificates.
import { statSync } from 'node:fs'

const DAY_MS = 86_400_000

/**
 * A line for a check or the log, if the clock is before the build of this program.
 * @param now in milliseconds since the epoch
 * @param built a file that the build wrote
 */
export function clockWarnings(now = Date.now(), built = new URL(import.meta.resolve('#commit'))): string[] {
  const stat = statSync(built, { throwIfNoEntry: false })
  if (!stat || now > stat.mtimeMs - DAY_MS) return []
  return [`the clock of this machine is wrong: at ${timeOf(now)}, this program was not built yet`]
}

/** The time in UTC, to the second. */
export function timeOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+/, '')
}
