// The commit that was built, for the log and the metrics: two versions may run side by side.
import { readFileSync } from 'node:fs'

/** Its first digits; `unknown` where the build was not in a repository. */
export function builtCommit(file = new URL(import.meta.resolve('#commit'))): string {
  try {
    return readFileSync(file, 'utf8') || 'unknown'
  } catch {
    return 'unknown'
  }
}
