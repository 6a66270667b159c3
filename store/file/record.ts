// Reads one record of an orders file, exactly: every name occurs once, every integer in plain digits.
import {
  BACKSLASH,
  CLOSE_BRACE,
  COMMA,
  type Cursor,
  excerpt,
  isAt,
  JsonError,
  OPEN_BRACE,
  peek,
  QUOTE,
  skipByte,
  skipSpace,
  unexpected,
} from './cursor.ts'
import { readDateTime } from './date-time.ts'
import { readInt32, readInt64 } from './integer.ts'
import { skipColon, skipName, skipValue } from './json.ts'

export type OrderStatus = 'pending' | 'shipped' | 'cancelled'

/** `shipDate` is UTC milliseconds. */
export interface OrderRecord {
  id: bigint
  petId?: bigint | undefined
  quantity?: number | undefined
  shipDate?: number | undefined
  complete?: boolean | undefined
  status: OrderStatus
}

/** Called with each error; with its offset where that is not the record's. */
export type Report = (message: string, offset?: number) => void

/** The value of the JSON that is all of bytes[start, end), or undefined if it is invalid. */
type Read<Value> = (bytes: Buffer, start: number, end: number) => Value | undefined

interface Field {
  name: keyof OrderRecord
  expected: string
  read: Read<OrderRecord[keyof OrderRecord]>
}

const int64 = { expected: 'a 64-bit integer in plain digits', read: readInt64 }
const int32 = { expected: 'an integer from -2147483648 to 2147483647 in plain digits', read: readInt32 }
const dateTime = { expected: 'an RFC 3339 date-time like "2026-12-04T09:00:00Z"', read: inString(readDateTime) }
const boolean = { expected: 'true or false', read: oneOf([true, false], String) }
const statuses: readonly OrderStatus[] = ['pending', 'shipped', 'cancelled']
const status = { expected: '"pending", "shipped" or "cancelled"', read: inString(oneOf(statuses, String)) }

const fields: readonly Field[] = [
  { name: 'id', ...int64 },
  { name: 'petId', ...int64 },
  { name: 'quantity', ...int32 },
  { name: 'shipDate', ...dateTime },
  { name: 'complete', ...boolean },
  { name: 'status', ...status },
]
const fieldNames = fields.map(({ name }) => name).join(', ')
const readFieldIndex = inString(oneOf([...fields.keys()], (index) => String(fields[index]?.name)))

/** The value by field; null if it is present but invalid. */
type Values = (OrderRecord[keyof OrderRecord] | null | undefined)[]

/** The record that is all of the cursor's bytes, except whitespace; undefined if it is invalid. */
export function readRecord(cursor: Cursor, report: Report): OrderRecord | undefined {
  try {
    skipSpace(cursor)
    const isObject = peek(cursor) === OPEN_BRACE
    const record = isObject ? readObject(cursor, report) : undefined
    if (!isObject) skipValue(cursor)
    skipSpace(cursor)
    if (cursor.at < cursor.end) throw unexpected(cursor, 'the end of the order')
    if (!isObject) report('an order must be a JSON object')
    return record
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    report(error.message, error.offset)
    return undefined
  }
}

function readObject(cursor: Cursor, report: Report): OrderRecord | undefined {
  const values: Values = [undefined, undefined, undefined, undefined, undefined, undefined]
  let isSound = true
  cursor.at++
  skipSpace(cursor)
  if (peek(cursor) !== CLOSE_BRACE) isSound = readMembers(cursor, values, report)
  skipByte(cursor, CLOSE_BRACE, 'a comma or }')
  if (values[0] === undefined) report('id is missing')
  return isSound && values[0] !== undefined ? recordOf(values) : undefined
}

function recordOf(values: Values): OrderRecord {
  const [id, petId, quantity, shipDate, complete, status = complete ? 'shipped' : 'pending'] = values
  return { id, petId, quantity, shipDate, complete, status } as OrderRecord
}

/** True if all of them are valid. */
function readMembers(cursor: Cursor, values: Values, report: Report): boolean {
  let isSound = true
  for (;;) {
    const mistake = readMember(cursor, values)
    if (mistake !== undefined) {
      isSound = false
      report(mistake)
    }
    skipSpace(cursor)
    if (peek(cursor) !== COMMA) return isSound
    cursor.at++
    skipSpace(cursor)
  }
}

/** Reads a name and its value; returns what is wrong with them. */
function readMember(cursor: Cursor, values: Values): string | undefined {
  const { bytes, at: nameStart } = cursor
  skipName(cursor)
  const nameEnd = cursor.at
  skipColon(cursor)
  const start = cursor.at
  skipValue(cursor)

  const index = readFieldIndex(bytes, nameStart, nameEnd)
  const field = index === undefined ? undefined : fields[index]
  if (index === undefined || !field) {
    return `unknown field ${excerpt(bytes, nameStart, nameEnd)}: an order has ${fieldNames}`
  }
  if (values[index] !== undefined) return `${field.name} is given twice: keep one`
  const value = field.read(bytes, start, cursor.at)
  values[index] = value ?? null
  if (value !== undefined) return undefined
  return `${field.name} must be ${field.expected}, not ${excerpt(bytes, start, cursor.at)}`
}

function inString<Value>(read: Read<Value>): Read<Value> {
  return (bytes, start, end) => {
    if (bytes[start] !== QUOTE) return undefined
    const value = read(bytes, start + 1, end - 1)
    if (value !== undefined || !bytes.subarray(start, end).includes(BACKSLASH)) return value
    const text = Buffer.from(JSON.parse(bytes.toString('utf8', start, end)))
    return read(text, 0, text.length)
  }
}

/** Reads the words of these values. */
function oneOf<Value>(values: readonly Value[], wordOf: (value: Value) => string): Read<Value> {
  const words = values.map((value) => ({ value, word: Buffer.from(wordOf(value)) }))
  return (bytes, start, end) => {
    for (const { value, word } of words) {
      if (word.length === end - start && isAt(word, bytes, start)) return value
    }
    return undefined
  }
}
