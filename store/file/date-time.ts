// Reads RFC 3339 date-times out of bytes. Date.parse accepts February 30 as March 2, and rejects leap seconds.
import { COLON, DOT, isDigit, MINUS, PLUS, SPACE, ZERO } from './cursor.ts'

const [T, LOWER_T, Z, LOWER_Z] = [...Buffer.from('TtZz')]
const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000]
const monthLengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const [earliest, latest] = [Date.parse('0000-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')]

/**
 * UTC milliseconds of the date-time that is all of bytes[start, end), or undefined. Digits beyond milliseconds are
 * dropped; a leap second, the last of a UTC day, is the first of the next.
 */
export function readDateTime(bytes: Uint8Array, start: number, end: number): number | undefined {
  const hour = twoDigits(bytes, start + 11)
  const minute = twoDigits(bytes, start + 14)
  const second = twoDigits(bytes, start + 17)
  const isTime = bytes[start + 13] === COLON && bytes[start + 16] === COLON && hour <= 23 && minute <= 59
  if (!isTime || !isSeparator(bytes[start + 10]) || !(second <= 60)) return undefined

  let at = start + 19
  let fraction = 0
  if (bytes[at] === DOT) {
    at++
    if (!isDigit(bytes[at])) return undefined
    for (let unit = SECOND / 10; isDigit(bytes[at]); at++, unit = Math.floor(unit / 10)) {
      fraction += unit * ((bytes[at] as number) - ZERO)
    }
  }
  const isLeap = second === 60
  const time = hour * HOUR + minute * MINUTE + second * SECOND + (isLeap ? 0 : fraction)
  const ms = readDate(bytes, start) + time - readOffset(bytes, at, end)
  if (isLeap && ms % DAY !== 0) return undefined
  return ms >= earliest && ms <= latest ? ms : undefined
}

/** Invalid input yields NaN here and below, which fails every comparison. */
function readDate(bytes: Uint8Array, start: number): number {
  const year = 100 * twoDigits(bytes, start) + twoDigits(bytes, start + 2)
  const month = twoDigits(bytes, start + 5)
  const day = twoDigits(bytes, start + 8)
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const length = month === 2 && !isLeapYear ? 28 : monthLengths[month - 1]
  const isDate = bytes[start + 4] === MINUS && bytes[start + 7] === MINUS && day >= 1 && day <= Number(length)
  // 400 years later, since Date.UTC takes years below 100 for those of the 20th century.
  return isDate ? Date.UTC(year + 400, month - 1, day) - 146_097 * DAY : Number.NaN
}

function readOffset(bytes: Uint8Array, at: number, end: number): number {
  const sign = bytes[at]
  if (sign === Z || sign === LOWER_Z) return at + 1 === end ? 0 : Number.NaN
  const hour = twoDigits(bytes, at + 1)
  const minute = twoDigits(bytes, at + 4)
  const isOffset = (sign === PLUS || sign === MINUS) && bytes[at + 3] === COLON && at + 6 === end
  if (!isOffset || hour > 23 || minute > 59) return Number.NaN
  return (hour * HOUR + minute * MINUTE) * (sign === PLUS ? 1 : -1)
}

function twoDigits(bytes: Uint8Array, at: number): number {
  const [tens, ones] = [bytes[at], bytes[at + 1]]
  return isDigit(tens) && isDigit(ones) ? 10 * (Number(tens) - ZERO) + Number(ones) - ZERO : Number.NaN
}

function isSeparator(byte: number | undefined): boolean {
  return byte === T || byte === LOWER_T || byte === SPACE
}
