// Parses one record of an orders file from its text: JSON.parse would round integers and hide repeated names.
import { type OrderStatus, orderStatuses } from '../order-store.ts'
import { parseDateTime } from './date-time.ts'

export interface OrderRecord {
  id: bigint
  petId?: bigint | undefined
  quantity?: number | undefined
  /** A time in UTC, to the millisecond: `2026-12-04T09:00:00.000Z`. */
  shipDate?: string | undefined
  complete?: boolean | undefined
  status: OrderStatus
}

type Value = OrderRecord[keyof OrderRecord]

interface Field {
  expected: string
  /** Undefined if the field cannot have this value. A string is in quotes and without escapes. */
  parse(json: string): Value
}

const int64: Field = {
  expected: 'a 64-bit integer in plain digits',
  parse(json) {
    const value = /^-?\d{1,19}$/.test(json) ? BigInt(json) : undefined
    return value !== undefined && BigInt.asIntN(64, value) === value ? value : undefined
  },
}

const int32: Field = {
  expected: 'an integer from -2147483648 to 2147483647 in plain digits',
  parse(json) {
    const value = /^-?\d{1,10}$/.test(json) ? Number(json) : Number.NaN
    return value === (value | 0) ? value | 0 : undefined // 0 for -0
  },
}

const dateTime: Field = {
  expected: 'an RFC 3339 date-time like "2026-12-04T09:00:00Z"',
  parse: (json) => (json.startsWith('"') ? parseDateTime(json.slice(1, -1)) : undefined),
}

function oneOf(expected: string, ...values: (boolean | OrderStatus)[]): Field {
  const byJson = new Map(values.map((value) => [JSON.stringify(value), value]))
  return { expected, parse: (json) => byJson.get(json) }
}

/** Without a comma before the last. */
const either = new Intl.ListFormat('en-GB', { type: 'disjunction' })

const fields = {
  id: int64,
  petId: int64,
  quantity: int32,
  shipDate: dateTime,
  complete: oneOf('true or false', true, false),
  status: oneOf(either.format(orderStatuses.map((status) => `"${status}"`)), ...orderStatuses),
} satisfies Record<keyof OrderRecord, Field>
const fieldNames = Object.keys(fields).join(', ')
const fieldByJson = new Map(Object.entries(fields).map(([name, field]) => [`"${name}"`, { name, ...field }]))

const space = String.raw`[\t\n\r ]*`
const string = String.raw`"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\x00-\x1f]*)*"`
const number = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`
/** A member of a JSON object. The value is neither an array nor an object. */
const member = new RegExp(`${space}(${string})${space}:${space}(${string}|${number}|true|false|null)${space}`, 'y')

const EXCERPT_LENGTH = 60

/**
 * The record that is all of the text, which has no space around it.
 * @param report is called with each error
 * @returns undefined if there are errors
 */
export function parseRecord(text: string, report: (message: string) => void): OrderRecord | undefined {
  const values: Record<string, Value> = {}
  let isValid = true
  readMembers(text, values, (error) => {
    report(error)
    isValid = false
  })
  const { id, petId, quantity, shipDate, complete, status = complete ? 'shipped' : 'pending' } = values
  return isValid ? ({ id, petId, quantity, shipDate, complete, status } as OrderRecord) : undefined
}

/** Adds the values to `values`. */
function readMembers(text: string, values: Record<string, Value>, reject: (error: string) => void): void {
  const plain = text.includes('\\') ? withoutEscapes : (json: string) => json
  let at = 0
  do {
    member.lastIndex = at + 1
    const match = member.exec(text)
    if (!match) break
    at = member.lastIndex
    const error = addMember(plain(match[1] as string), plain(match[2] as string), values)
    if (error !== undefined) reject(error)
  } while (text[at] === ',')
  const isObject = text.startsWith('{') && text[at] === '}' && at === text.length - 1
  if (!isObject) reject(formatError(text))
  else if (!('id' in values)) reject('id is missing')
}

function addMember(nameJson: string, json: string, values: Record<string, Value>): string | undefined {
  const field = fieldByJson.get(nameJson)
  if (!field) return `unknown field ${excerpt(nameJson)}: an order has ${fieldNames}`
  const { name, expected, parse } = field
  if (name in values) return `${name} is given twice: keep one`
  values[name] = parse(json)
  return values[name] === undefined ? `${name} must be ${expected}, not ${excerpt(json)}` : undefined
}

/** What is wrong with a text that is not an object of plain members. */
function formatError(text: string): string {
  try {
    JSON.parse(text)
  } catch (error) {
    return oneLine((error as Error).message)
  }
  if (!text.startsWith('{')) return 'an order must be a JSON object'
  return /^{\s*}$/.test(text) ? 'id is missing' : 'no field of an order can be an array or an object'
}

function withoutEscapes(json: string): string {
  return json.startsWith('"') ? `"${JSON.parse(json)}"` : json
}

function excerpt(json: string): string {
  return oneLine(json.slice(0, EXCERPT_LENGTH)) + (json.length > EXCERPT_LENGTH ? '...' : '')
}

/** Control characters could harm a terminal. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ')
}
