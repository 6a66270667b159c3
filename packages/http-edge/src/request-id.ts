// Request ids, for responses and the log.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** @param header in lower case: a safe id that a client or a proxy sends in it is taken */
export function requestIds(header: string) {
  /** Has as many random bits as a UUID: with a counter, ids are as unique, and cost next to nothing. */
  const prefix = `${randomBytes(16).toString('base64url')}-`
  let count = 0

  function create(): string {
    count++
    return prefix + count
  }

  return {
    create,
    /** A safe inbound id, or a new one. */
    of({ headers }: IncomingMessage): string {
      const inbound = headers[header]
      return typeof inbound === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(inbound) ? inbound : create()
    },
  }
}
