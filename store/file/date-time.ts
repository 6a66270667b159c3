// Parses RFC 3339 date-times. Date.parse alone accepts February 30 as March 2, and rejects leap seconds.

const format =
  /^(\d{4}-\d\d-(\d\d))[Tt ]((?:[01]\d|2[0-3]):[0-5]\d:)([0-5]\d|60)(\.\d+)?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/
/** A time in UTC on a day that every month has is valid as it is. Most times are such, and this is much faster. */
const plain = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?Z$/
const [SECOND, DAY] = [1000, 86_400_000]
const [earliest, latest] = [Date.parse('0000-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')]

/**
 * The time in UTC, like 2026-12-04T09:00:00.000Z, or undefined if the text is not a date-time. Digits beyond milliseconds
 * are dropped; a leap second, which ends a UTC day, counts as the first second of the next day.
 */
export function parseDateTime(text: string): string | undefined {
  if (plain.test(text)) return text.includes('.') ? text : `${text.slice(0, -1)}.000Z`
  const [, date = '', day, minutes, second, fraction = '', zone = ''] = format.exec(text) ?? []
  const isRealDay = Number(day) <= 28 || new Date(date).getUTCDate() === Number(day)
  const isLeap = second === '60'
  const time = isLeap ? `${minutes}59` : `${minutes}${second}${fraction.slice(0, 4)}`
  const ms = Date.parse(`${date}T${time}${zone.toUpperCase()}`) + (isLeap ? SECOND : 0)
  const isValid = isRealDay && ms >= earliest && ms <= latest && (!isLeap || ms % DAY === 0)
  return isValid ? new Date(ms).toISOString() : undefined
}
