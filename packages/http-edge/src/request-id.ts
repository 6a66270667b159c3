// Request ids, for responses and the log.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Drawn once, with as many random bits as a UUID: with a counter, ids are as unique and cost next to nothing. */
const prefix = `${randomBytes(16).toString('base64url')}-`
let count = 0

export function newRequestId(): string {
  count++
  return prefix + count
}

/** A safe inbound id, or a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const inbound = headers['x-request-id']
  return typeof inbound === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(inbound) ? inbound : newRequestId()
}
