// ACME Renewal Information (RFC 9773): how a certificate is named there, and the window that is suggested for it.
import { X509Certificate } from 'node:crypto'
import type { RenewalWindow } from '../certificates/issuer.ts'

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

/** Section 4.2. Undefined where the answer names no valid window. */
export function windowIn(answer: { suggestedWindow?: Partial<RenewalWindow> }): RenewalWindow | undefined {
  const { start, end } = answer.suggestedWindow ?? {}
  if (start === undefined || end === undefined || !(Date.parse(start) <= Date.parse(end))) return undefined
  return { start: new Date(start).toISOString(), end: new Date(end).toISOString() }
}
