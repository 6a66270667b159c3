// Reads integers out of bytes, exactly. Only plain digits are accepted, not 1.0 or 1e3.
import { isDigit, MINUS, ZERO } from './cursor.ts'

/** The 64-bit integer that is all of bytes[start, end), or undefined. */
export function readInt64(bytes: Buffer, start: number, end: number): bigint | undefined {
  const number = readNumber(bytes, start, end)
  if (Number.isSafeInteger(number)) return BigInt(number)
  if (Number.isNaN(number)) return undefined
  const id = BigInt(bytes.toString('latin1', start, end))
  return BigInt.asIntN(64, id) === id ? id : undefined
}

/** The 32-bit integer that is all of bytes[start, end), or undefined. */
export function readInt32(bytes: Buffer, start: number, end: number): number | undefined {
  const number = readNumber(bytes, start, end)
  return number === (number | 0) ? number | 0 : undefined
}

/** The value of an optional minus and digits, rounded if there are many; NaN for anything else. */
function readNumber(bytes: Buffer, start: number, end: number): number {
  const isNegative = bytes[start] === MINUS
  let number = 0
  for (let at = isNegative ? start + 1 : start; at < end; at++) {
    const byte = bytes[at]
    if (!isDigit(byte)) return Number.NaN
    number = 10 * number + Number(byte) - ZERO
  }
  return isNegative ? -number : number
}
