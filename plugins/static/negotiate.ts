// What a client has already, and which encoding it takes.
import type { IncomingHttpHeaders } from 'node:http'
import Negotiator from 'negotiator'

/** Whether If-None-Match names the tag, compared weakly (RFC 9110 13.1.2). */
export function isKnown(etag: string, { 'if-none-match': ifNoneMatch = '' }: IncomingHttpHeaders): boolean {
  if (ifNoneMatch.trim() === '*') return true
  const tags: string[] = ifNoneMatch.match(/"[\x21\x23-\x7e\x80-\xff]*"/g) ?? []
  return tags.includes(etag.replace(/^W\//, ''))
}

/**
 * Of the encodings that the client takes, the one that it likes best; of equal ones, the first. Without the header, none
 * (RFC 9110 12.5.3).
 */
export function preferredEncoding<Encoding extends string>(
  headers: IncomingHttpHeaders,
  available: readonly Encoding[],
): Encoding | 'identity' {
  const negotiator: WithPreference = new Negotiator({ headers })
  const encoding = negotiator.encoding([...available, 'identity'], { preferred: available })
  return (encoding as Encoding | undefined) ?? 'identity'
}

/** Its published types know no options. */
interface WithPreference {
  encoding(available: string[], options: { preferred: readonly string[] }): string | undefined
}
