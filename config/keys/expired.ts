// Says which keys have expired: their requests get 401, which looks like a mistake of the client.

import { timeOf } from '../clock.ts'
import { endsByName, type Keys } from './key-set.ts'

/** A line for a check or the log, if any key has expired. */
export function expiredWarnings(keys: Keys, now = Date.now()): string[] {
  const ends = endsByName(keys)
  const expired = [...ends].flatMap(([name, end]) => (end <= now ? name : []))
  if (expired.length === 0) return []
  const which = expired.length === ends.size ? 'every API key has expired' : 'API keys have expired'
  return [`by the clock of this machine, ${timeOf(now)}, ${which}; their requests get 401: ${listOfNames(expired)}`]
}

const MAX_NAMES = 20

/** The first of many names for a line of the log, and how many more there are. */
export function listOfNames(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
  return `${names.slice(0, MAX_NAMES).join(' ')}${more}`
}
