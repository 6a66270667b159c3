// Reads the commit and the time of the build, for the log and the metrics. Packing changes the times of files, so the build
// records its own.
import { readFileSync } from 'node:fs'

/** The first digits of the commit; `unknown` where the build was not in a repository. */
export const builtCommit = (file?: URL): string => readBuild(file).commit || 'unknown'

/** When it was built, in milliseconds since the epoch; NaN if that is not known. */
export const builtAt = (file?: URL): number => readBuild(file).at

function readBuild(file = new URL(import.meta.resolve('#commit'))) {
  try {
    const [commit = '', at] = readFileSync(file, 'utf8').split(' ')
    return { commit, at: Date.parse(String(at)) }
  } catch {
    return { commit: '', at: Number.NaN }
  }
}
