// The commit that was built, for the log and the metrics: two versions may run side by side. And when: packing and unpacking
// change the times of files.
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
