// What a client has already, and what it takes (RFC 9110 12 and 13).
import type { IncomingHttpHeaders } from 'node:http'
import Negotiator from 'negotiator'

/** A longer list of preferences is disregarded, as RFC 9110 12.5 permits: reading it would cost more than answering. */
const LENGTH_MAX = 1_000

/** Whether If-None-Match names the tag, compared weakly (RFC 9110 13.1.2). */
export function isKnown(etag: string, { 'if-none-match': ifNoneMatch = '' }: IncomingHttpHeaders): boolean {
  if (ifNoneMatch.trim() === '*') return true
  const tags: string[] = ifNoneMatch.match(/"[\x21\x23-\x7e\x80-\xff]*"/g) ?? []
  return tags.includes(etag.replace(/^W\//, ''))
}

/** Whether Accept admits a media type, alone or with `charset=utf-8`. Without the header, or an empty one, any is. */
export function accepts({ accept = '' }: IncomingHttpHeaders, type: string): boolean {
  if (accept === '*/*' || accept.length > LENGTH_MAX || accept.trim() === '') return true
  return new Negotiator({ headers: { accept } }).mediaType([type, `${type}; charset=utf-8`]) !== undefined
}

/**
 * Of the encodings that the client takes, the one that it likes best; of equal ones, the first. Without the header,
 * identity; undefined where the client excludes all of them, identity included (RFC 9110 12.5.3).
 */
export function preferredEncoding<Encoding extends string>(
  { 'accept-encoding': accepted = '' }: IncomingHttpHeaders,
  available: readonly Encoding[],
): Encoding | 'identity' | undefined {
  if (accepted.trim() === '' || accepted.length > LENGTH_MAX) return 'identity'
  const headers = { 'accept-encoding': accepted.replace(/\bx-gzip\b/gi, 'gzip') } // RFC 9110 8.4.1.3
  const negotiator: WithPreference = new Negotiator({ headers })
  return negotiator.encoding([...available, 'identity'], { preferred: available }) as Encoding | undefined
}

/** The value of Vary with more names of request headers behind those that it has. */
export function varying(present: unknown, ...names: string[]): string {
  return [...(present === undefined ? [] : [String(present)]), ...names].join(', ')
}

/** Its published types know no options. */
interface WithPreference {
  encoding(available: string[], options: { preferred: readonly string[] }): string | undefined
}
