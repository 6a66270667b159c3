// CRC-32 of joined pieces from the CRC-32 of each, without their bytes. The polynomial is that of RFC 1952; numbers
// represent polynomials over GF(2) with the coefficient of x^0 in the highest bit, as in the CRC itself.
import { crc32 } from 'node:zlib'

const POLYNOMIAL = 0xedb88320
const ONE = 1 << 31
const X = 1 << 30

/** The CRC of a piece. `shift` is x^(8 * length), by which a CRC before it is multiplied. */
export interface Crc {
  readonly value: number
  readonly shift: number
}

export const emptyCrc: Crc = { value: 0, shift: ONE }

export function crcOf(piece: Buffer): Crc {
  return { value: crc32(piece), shift: power(8 * piece.length) }
}

/** The CRC of `first` followed by `second`. */
export function joined(first: Crc, second: Crc): Crc {
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
