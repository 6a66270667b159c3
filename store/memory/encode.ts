// Writes orders as JSON into bytes. Building strings takes three times as long, and loading is mostly this.
import type { OrderRecord } from '../file/record.ts'

/** No order is longer: an object with all fields, each at its longest. */
export const ORDER_BYTES = 160

const [open, petId, quantity, shipDate, complete] = [
  ',{"id":',
  ',"petId":',
  ',"quantity":',
  ',"shipDate":"',
  ',"complete":',
].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer, Buffer, Buffer]
const [yes, no] = [Buffer.from('true'), Buffer.from('false')]
const [MINUS, ZERO, QUOTE, CLOSE, T, COLON, DOT, Z] = [...Buffer.from('-0"}T:.Z')] as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
]
const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000]
const DAYS_IN_400_YEARS = 146_097
const EIGHT_DIGITS = 100_000_000

/** Writes the order with a comma before it, and returns the offset after it. */
export function writeOrder(order: OrderRecord, bytes: Buffer, start: number): number {
  let at = writeInt64(order.id, bytes, write(open, bytes, start))
  if (order.petId !== undefined) at = writeInt64(order.petId, bytes, write(petId, bytes, at))
  if (order.quantity !== undefined) at = writeInteger(order.quantity, bytes, write(quantity, bytes, at))
  if (order.shipDate !== undefined) at = writeDate(order.shipDate, bytes, write(shipDate, bytes, at))
  if (order.complete !== undefined) at = write(order.complete ? yes : no, bytes, write(complete, bytes, at))
  bytes[at] = CLOSE
  return at + 1
}

function write(text: Buffer, bytes: Buffer, start: number): number {
  for (let index = 0; index < text.length; index++) bytes[start + index] = text[index] as number
  return start + text.length
}

function writeInt64(value: bigint, bytes: Buffer, at: number): number {
  const number = Number(value)
  return Number.isSafeInteger(number) ? writeInteger(number, bytes, at) : at + bytes.write(String(value), at, 'latin1')
}

/** A safe integer, split in two so that 32-bit arithmetic suffices. */
function writeInteger(value: number, bytes: Buffer, start: number): number {
  let at = start
  if (value < 0) bytes[at++] = MINUS
  const rest = Math.abs(value)
  if (rest < EIGHT_DIGITS) return writeDigits(rest, lengthOf(rest), bytes, at)
  const high = Math.floor(rest / EIGHT_DIGITS)
  at = writeDigits(high, lengthOf(high), bytes, at)
  return writeDigits(rest - high * EIGHT_DIGITS, 8, bytes, at)
}

function lengthOf(value: number): number {
  let length = 1
  for (let limit = 10; limit <= value; limit *= 10) length++
  return length
}

/** The last `length` digits before the point. */
function writeDigits(value: number, length: number, bytes: Buffer, start: number): number {
  let rest = value | 0
  for (let at = start + length - 1; at >= start; at--) {
    const tenth = (rest / 10) | 0
    bytes[at] = ZERO + rest - 10 * tenth
    rest = tenth
  }
  return start + length
}

/** "2026-12-04T09:00:00.000Z", for the years 0 to 9999 of RFC 3339. */
function writeDate(ms: number, bytes: Buffer, start: number): number {
  const days = Math.floor(ms / DAY)
  const time = ms - days * DAY
  let at = writeDay(days, bytes, start)
  bytes[at++] = T
  at = writeDigits(time / HOUR, 2, bytes, at)
  bytes[at++] = COLON
  at = writeDigits((time / MINUTE) % 60, 2, bytes, at)
  bytes[at++] = COLON
  at = writeDigits((time / SECOND) % 60, 2, bytes, at)
  bytes[at++] = DOT
  at = writeDigits(time % SECOND, 3, bytes, at)
  bytes[at++] = Z
  bytes[at++] = QUOTE
  return at
}

/** The date so many days after 1970-01-01, in years that begin in March: a leap day is then the last of its year. */
function writeDay(days: number, bytes: Buffer, start: number): number {
  const sinceYear0 = days + 719_468
  const cycle = Math.floor(sinceYear0 / DAYS_IN_400_YEARS)
  const inCycle = sinceYear0 - cycle * DAYS_IN_400_YEARS
  const leaps = ((inCycle / 1460) | 0) - ((inCycle / 36_524) | 0) + ((inCycle / 146_096) | 0)
  const yearInCycle = ((inCycle - leaps) / 365) | 0
  const inYear = inCycle - (365 * yearInCycle + (yearInCycle >> 2) - ((yearInCycle / 100) | 0))
  const fromMarch = ((5 * inYear + 2) / 153) | 0
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  const year = 400 * cycle + yearInCycle + (month <= 2 ? 1 : 0)
  let at = writeDigits(year, 4, bytes, start)
  bytes[at++] = MINUS
  at = writeDigits(month, 2, bytes, at)
  bytes[at++] = MINUS
  return writeDigits(inYear - (((153 * fromMarch + 2) / 5) | 0) + 1, 2, bytes, at)
}
