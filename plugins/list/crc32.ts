// Combines the CRC-32s (RFC 1952) of adjacent chunks without rereading them, like zlib's `crc32_combine`. Numbers represent
// polynomials over GF(2), with the coefficient of x^0 in the highest bit.
import { crc32 } from 'node:zlib'

const POLYNOMIAL = 0xedb88320
const ONE = 1 << 31
const X = 1 << 30

/** The CRC of a chunk. `shift` is x^(8 * length): the factor for the CRC of what precedes it. */
export interface Crc {
  readonly value: number
  readonly shift: number
}

export const emptyCrc: Crc = { value: 0, shift: ONE }

export function crcOf(chunk: Buffer): Crc {
  return { value: crc32(chunk), shift: power(8 * chunk.length) }
}

/** The CRC of `first` followed by `second`. */
export function combine(first: Crc, second: Crc): Crc {
  return {
    value: (multiply(second.shift, first.value) ^ second.value) >>> 0,
    shift: multiply(second.shift, first.shift),
  }
}

/** a * b modulo the polynomial. */
function multiply(a: number, b: number): number {
  let product = 0
  for (let bit = ONE, rest = b; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= rest
    rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1
  }
  return product
}

/** x^n modulo the polynomial, by squaring. */
function power(n: number): number {
  let [result, square] = [ONE, X]
  for (let rest = n; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = multiply(square, result)
    square = multiply(square, square)
  }
  return result
}
