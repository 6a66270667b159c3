// The format of a key: so_, 256 random bits as 43 base62 digits, _, and a checksum of 6, so that scanners can find leaks.
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE = BigInt(DIGITS.length)

export function makeKey(): string {
  const random = `so_${base62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43)}`
  return `${random}_${checksumOf(random)}`
}

/** True if a key has this format but a wrong checksum. Other formats have no checksum. */
export function isMistyped(key: string): boolean {
  const [, random, checksum] = /^(so_[0-9A-Za-z]{43})_([0-9A-Za-z]{6})$/.exec(key) ?? []
  return random !== undefined && checksum !== checksumOf(random)
}

/** SHA-256 in lower-case hexadecimal. */
export function digestOf(key: string): string {
  return hash('sha256', key, 'hex')
}

function checksumOf(random: string): string {
  return base62(BigInt(crc32(random)), 6)
}

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; rest > 0n; rest /= BASE) text = DIGITS.charAt(Number(rest % BASE)) + text
  return text.padStart(length, '0')
}
