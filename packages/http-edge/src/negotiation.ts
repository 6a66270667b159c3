// Content negotiation and conditional requests (RFC 9110, sections 12 and 13).
import type { IncomingHttpHeaders } from 'node:http'
import Negotiator from 'negotiator'

/** Longer preferences are ignored (RFC 9110, section 12.5): parsing them would cost more than responding. */
const MAX_LENGTH = 1_000

/** True if If-None-Match lists the tag, by weak comparison (RFC 9110, section 13.1.2). */
export function isNotModified(etag: string, { 'if-none-match': ifNoneMatch }: IncomingHttpHeaders): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.trim() === '*' || tagsIn(ifNoneMatch).includes(etag.replace(/^W\//, ''))
}

const tagsIn = (list: string): string[] => list.match(/"[\x21\x23-\x7e\x80-\xff]*"/g) ?? []

/** True if Accept allows a media type, alone or with `charset=utf-8`. A missing or empty header allows any. */
export function accepts({ accept = '' }: IncomingHttpHeaders, type: string): boolean {
  if (accept === '*/*' || accept.length > MAX_LENGTH || accept.trim() === '') return true
  return new Negotiator({ headers: { accept } }).mediaType([type, `${type}; charset=utf-8`]) !== undefined
}

/** The media type that the client prefers; the first one in a tie, or if the client excludes all. */
export function preferredType<Type extends string>(
  { accept = '' }: IncomingHttpHeaders,
  available: readonly [Type, ...Type[]],
): Type {
  if (accept.length > MAX_LENGTH || accept.trim() === '') return available[0]
  return (new Negotiator({ headers: { accept } }).mediaType([...available]) as Type | undefined) ?? available[0]
}

/**
 * The encoding that the client prefers; the first one in a tie. Identity without the header; undefined if the client
 * excludes all, identity included (RFC 9110, section 12.5.3).
 */
export function preferredEncoding<Encoding extends string>(
  { 'accept-encoding': accepted = '' }: IncomingHttpHeaders,
  available: readonly Encoding[],
): Encoding | 'identity' | undefined {
  if (accepted === '' || accepted.trim() === '' || accepted.length > MAX_LENGTH) return 'identity'
  const headers = { 'accept-encoding': accepted.replace(/\bx-gzip\b/gi, 'gzip') } // RFC 9110 8.4.1.3
  const negotiator: WithPreference = new Negotiator({ headers })
  return negotiator.encoding([...available, 'identity'], { preferred: available }) as Encoding | undefined
}

/** The value of Vary with more request header names appended. */
export function appendVary(present: unknown, ...names: string[]): string {
  return [...(present === undefined ? [] : [String(present)]), ...names].join(', ')
}

/** The published types lack the options. */
interface WithPreference {
  encoding(available: string[], options: { preferred: readonly string[] }): string | undefined
}
