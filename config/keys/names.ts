// Names of keys in a line of the log.

const MAX_NAMES = 20

/** The first of them, and how many more there are. */
export function listOfNames(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
  return `${names.slice(0, MAX_NAMES).join(' ')}${more}`
}
