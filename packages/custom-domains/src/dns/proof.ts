// The proof of ownership: a text that only who controls the zone can put there.
import { createHash } from 'node:crypto'

/**
 * The value of the record: one for each platform, host and owner, so that a record admits nobody else, and a rejected claim
 * can name it without being stored. It is no secret.
 */
export function proofToken(target: string, host: string, owner: string | undefined): string {
  const claim = JSON.stringify([target, host, owner ?? null])
  return createHash('sha256').update(claim).digest('hex').slice(0, 32)
}
