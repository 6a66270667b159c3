// ACME Renewal Information (RFC 9773): the identifier of a certificate, and the window that the authority suggests.
import { X509Certificate } from 'node:crypto'
import type { RenewalWindow } from '../certificates/issuer.ts'
import type { Resource } from './client.ts'
import { linkIn } from './problem.ts'

/** id-ce-authorityKeyIdentifier, 2.5.29.35, in DER. */
const authorityKeyIdentifier = Buffer.from('0603551d23', 'hex')

/** Section 4.1. Undefined for a certificate without a key identifier of its authority. */
export function certificateId(pem: string): string | undefined {
  const { raw, serialNumber } = new X509Certificate(pem)
  const keyId = keyIdOf(raw)
  if (keyId === undefined) return undefined
  const serial = Buffer.from(serialNumber, 'hex')
  const isNegative = (serial[0] as number) > 0x7f // as DER would read it, without a leading zero
  const number = isNegative ? Buffer.concat([Buffer.of(0), serial]) : serial
  return `${keyId.toString('base64url')}.${number.toString('base64url')}`
}

/** OCTET STRING { SEQUENCE { [0] keyIdentifier, … } } (RFC 5280, section 4.2.1.1) */
function keyIdOf(der: Buffer): Buffer | undefined {
  const at = der.indexOf(authorityKeyIdentifier)
  if (at < 0) return undefined
  const [octets, , sequence, , keyId, length = 0] = der.subarray(at + authorityKeyIdentifier.length)
  if (octets !== 0x04 || sequence !== 0x30 || keyId !== 0x80) return undefined
  const begin = at + authorityKeyIdentifier.length + 6
  return der.subarray(begin, begin + length)
}

const [SHORTEST_RETRY_MS, LONGEST_RETRY_MS] = [60_000, 24 * 3_600_000]
const USUAL_RETRY_MS = 6 * 3_600_000

/** Section 4.2 and 4.3.2. Undefined where the response names no valid window. */
export function windowIn({ body, retryAfterMs }: Pick<Resource, 'body' | 'retryAfterMs'>): RenewalWindow | undefined {
  const { start = '', end = '' } = (body.suggestedWindow ?? {}) as Partial<RenewalWindow>
  const explanationUrl = linkIn(body.explanationURL)
  if (!(Date.parse(start) <= Date.parse(end))) return undefined
  const wait = Math.min(Math.max(retryAfterMs || USUAL_RETRY_MS, SHORTEST_RETRY_MS), LONGEST_RETRY_MS)
  return {
    start: new Date(start).toISOString(),
    end: new Date(end).toISOString(),
    retryAfterMs: wait,
    ...(explanationUrl && { explanationUrl }),
  }
}
