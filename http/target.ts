// The target of a request: origin form, `/docs?a`, or absolute form, `http://host/docs?a` (RFC 9112 3.2).

/** Runs of percent-encoded octets, which may be one character, and percent signs that encode nothing. */
const escapes = /(?:%[\da-f]{2})+|%/gi

/** In origin form, with nothing to decode. */
const isPlain = (target: string) => target.startsWith('/') && !target.includes('%')

/** `path` includes the query, and is empty or begins with `?` if an absolute form has no path. */
export function splitTarget(target: string): { authority: string | undefined; path: string } {
  const [, authority, path = target] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(target) ?? []
  return { authority, path }
}

/**
 * A path and query that the router can decode. Undecodable parts of a malformed target are escaped, so that it reaches
 * CORS and authentication like any other and is then rejected by `isMalformed`; the router would reject it before any
 * hook runs.
 */
export function routable(target: string): string {
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
