// A wrong clock looks like expired keys and invalid certificates.
import { builtAt } from './commit.ts'

const DAY_MS = 86_400_000

/**
 * A line for a check or the log, if the clock is before the build of this program.
 * @param now in milliseconds since the epoch
 * @param built when the build ended, in the same unit
 */
export function clockWarnings(now = Date.now(), built = builtAt()): string[] {
  if (!(now < built - DAY_MS)) return []
  return [`the clock of this machine is wrong: at ${timeOf(now)}, this program was not built yet`]
}

/** The time in UTC, to the second. */
export function timeOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+/, '')
}
