import type { OutgoingHttpHeader } from 'node:http'

/** The headers of every response. A route may override them. */
export const defaultHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

export function standardHeaders(id: string) {
  return { 'x-request-id': id, ...defaultHeaders }
}

/** Alternating names and values, as `writeHead` takes them. */
export type HeaderList = OutgoingHttpHeader[]

/** The constant headers of one kind of response. */
export function headerList(headers: Readonly<Record<string, string | number>>): HeaderList {
  return Object.entries({ ...defaultHeaders, ...headers }).flat()
}
