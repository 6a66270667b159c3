// The target of a request, in origin form (`/docs?a`) or absolute form (`http://host/docs?a`), and its Host header
// (RFC 9112, section 3.2).
import type { IncomingMessage } from 'node:http'
import { valuesOf } from './headers.ts'

/** Runs of percent-encoded octets, which may form one character, and stray percent signs. */
const escapes = /(?:%[\da-f]{2})+|%/gi

/** The path in origin form, without percent-encoding. */
const isPlain = (target: string) => target.startsWith('/') && !target.includes('%')

/** `path` includes the query; for an absolute form without a path, it is empty or begins with `?`. */
export function splitTarget(target: string): { authority: string | undefined; path: string } {
  const [, authority, path = target] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(target) ?? []
  return { authority, path }
}

/**
 * A path and query that the router can decode. Undecodable parts of a malformed target are escaped, so that CORS and
 * authentication run before `isMalformed` rejects it; the router would reject it before any hook.
 */
export function decodableTarget(target: string): string {
  if (isPlain(target)) return target
  const { authority, path } = splitTarget(target)
  const rooted = path.startsWith('/') ? path : `${authority === undefined ? '//' : '/'}${path}`
  return isDecodable(path)
    ? rooted
    : rooted.replace(escapes, (run) => (isDecodable(run) ? run : run.replaceAll('%', '%25')))
}

export function isMalformed(target: string): boolean {
  if (isPlain(target)) return false
  const { authority, path } = splitTarget(target)
  return (authority === undefined && !path.startsWith('/')) || !isDecodable(path)
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path.replace(/[?#].*/s, ''))
    return true
  } catch {
    return false
  }
}

/** All Host headers. A valid request has exactly one. */
export const hostHeaders = (request: IncomingMessage): string[] => valuesOf(request, 'host')

/** `uri-host [ ":" port ]` (RFC 3986): an address in brackets, or a name, which may be empty. */
const hostPattern = /^(\[[\da-f:.]+\]|([\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(:\d*)?$/i

/** @returns a function that tells whether a Host header is valid; it remembers the last one, as most requests have the same */
export function hostCheck(): (value: string) => boolean {
  let validHost = ''
  return (value) => {
    if (value === validHost) return true
    if (!hostPattern.test(value)) return false
    validHost = value
    return true
  }
}
