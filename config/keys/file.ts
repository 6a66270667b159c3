// The file of API keys: a line for each, with the SHA-256 digest of the key.

export interface KeyEntry {
  name: string
  /** SHA-256 in lower-case hexadecimal. */
  digest: string
  isReadOnly: boolean
  /** Times in milliseconds since the epoch. */
  created: number | undefined
  expires: number | undefined
  /** The end of a rotated key. */
  grace: number | undefined
}

/** A line, with its entry unless it is blank or a comment. */
export interface KeyLine {
  text: string
  entry?: KeyEntry
}

const malformed = 'must be "name sha256:HEX", HEX being the 64 digits that sha256sum prints'
// The line is not quoted: it could contain a key, and errors are logged.
const attributes =
  'after the digest, only read-only, created=, expires= and grace= may follow, the last three with a time like 2027-01-31T12:00:00Z'
export const keyName = /^[\w.-]+$/

/** The lines of a file without errors. */
export function linesIn(text: string): KeyLine[] {
  return text.split(/\r?\n/).map((line) => {
    const entry = parseLine(line)
    return typeof entry === 'object' ? { text: line, entry } : { text: line }
  })
}

/** @returns the entry, undefined for a blank line or a comment, or what is wrong with the line */
export function parseLine(line: string): KeyEntry | string | undefined {
  if (/^\s*(#.*)?$/.test(line)) return undefined
  const [, name, digest, rest = ''] = /^\s*([\w.-]+)\s+sha256:([0-9a-f]{64})(?:\s+(.*?))?\s*$/i.exec(line) ?? []
  if (!name || !digest) return malformed
  const times: Record<string, number> = {}
  let isReadOnly = false
  for (const word of rest.split(/\s+/).filter(Boolean)) {
    const [, attribute, value] = /^(created|expires|grace)=(.+)$/.exec(word) ?? []
    const time = value === undefined ? undefined : parseTime(value)
    if (attribute && time !== undefined) times[attribute] = time
    else if (word === 'read-only') isReadOnly = true
    else return attributes
  }
  const { created, expires, grace } = times
  return { name, digest: digest.toLowerCase(), isReadOnly, created, expires, grace }
}

/** A UTC time or date (RFC 3339). */
function parseTime(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{1,3})?Z)?$/.test(text)) return undefined
  const time = Date.parse(text)
  // Date.parse accepts February 30 as March 2.
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, 10))
  return isReal ? time : undefined
}

export function formatEntry({ name, digest, isReadOnly, created, expires, grace }: KeyEntry): string {
  const times = Object.entries({ created, expires, grace })
  return [
    name,
    `sha256:${digest}`,
    ...(isReadOnly ? ['read-only'] : []),
    ...times.flatMap(([attribute, time]) => (time === undefined ? [] : `${attribute}=${formatTime(time)}`)),
  ].join(' ')
}

/** The time in UTC, with milliseconds only if there are any. */
function formatTime(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z')
}

export function endOf({ expires = Infinity, grace = Infinity }: KeyEntry): number {
  return Math.min(expires, grace)
}
