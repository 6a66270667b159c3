import type { IncomingMessage, OutgoingHttpHeader } from 'node:http'

/** The headers of every response. A route may override them. */
export const defaultHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

/** Alternating names and values, as `writeHead` takes them. */
export type HeaderList = OutgoingHttpHeader[]

/** The constant headers of one kind of response. */
export function headerList(headers: Readonly<Record<string, string | number>>): HeaderList {
  return Object.entries({ ...defaultHeaders, ...headers }).flat()
}

/** All values of a request's header, whose name is in lower case. Node's `headers` show only the first of some. */
export function valuesOf({ rawHeaders }: IncomingMessage, header: string): string[] {
  const values: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === header.length && name.toLowerCase() === header) values.push(rawHeaders[i + 1] as string)
  }
  return values
}

/** True if the request has a body (RFC 9112, section 6). */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined
}
