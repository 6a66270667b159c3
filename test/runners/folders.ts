// Paths, each ending in a slash.
import { fileURLToPath } from 'node:url'

export const here = fileURLToPath(new URL('.', import.meta.url))
export const project = fileURLToPath(new URL('../../', import.meta.url))
/** Where the runners are installed. */
export const cache = `${here}.cache/`
/** A folder for each runner's own report. */
export const reports = `${project}reports/contract/`
