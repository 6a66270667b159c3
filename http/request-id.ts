// Identifies requests in responses and in the log.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** As many random bits as a UUID has, drawn once: with a count, its ids are as unique and cost next to nothing. */
const prefix = `${randomBytes(16).toString('base64url')}-`
let count = 0

export function newRequestId(): string {
  count++
  return prefix + count
}

/** Takes a safe inbound id, else generates one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const inbound = headers['x-request-id']
  return typeof inbound === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(inbound) ? inbound : newRequestId()
}
