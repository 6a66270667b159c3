// The headers of every response.
import type { OutgoingHttpHeader } from 'node:http'

/** Those that a route may give a value of its own. */
export const defaultHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

export function standardHeaders(id: string) {
  return { 'x-request-id': id, ...defaultHeaders }
}

/** Names and values in turn, as `writeHead` takes them. */
export type Head = OutgoingHttpHeader[]

/** The head of one kind of response, but for what differs in each: made once. */
export function headWith(headers: Readonly<Record<string, string | number>>): Head {
  return Object.entries({ ...defaultHeaders, ...headers }).flat()
}
