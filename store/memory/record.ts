// One record of an orders file: parsed and checked, int64 exact.

export type OrderStatus = 'pending' | 'shipped' | 'cancelled'

/** `shipDate` is UTC milliseconds. */
export interface OrderRecord {
  id: bigint
  petId?: bigint
  quantity?: number
  shipDate?: number
  complete?: boolean
  status: OrderStatus
}

interface Field {
  expected: string
  /** The value to keep, or undefined when it is not as expected. `text` is the whole record. */
  read(value: unknown, text: string, name: string): unknown
}

const int64: Field = { expected: 'a 64-bit integer in plain digits', read: readInt64 }

const fields = new Map<string, Field>([
  ['id', int64],
  ['petId', int64],
  ['quantity', { expected: 'an integer', read: (value) => (Number.isSafeInteger(value) ? value : undefined) }],
  ['shipDate', { expected: 'an RFC 3339 date-time like "2026-12-04T09:00:00Z"', read: readDateTime }],
  ['complete', { expected: 'true or false', read: (value) => (typeof value === 'boolean' ? value : undefined) }],
  ['status', { expected: '"pending", "shipped" or "cancelled"', read: readStatus }],
])

/** The record that `text`, a JSON object, holds, or everything that is wrong with it. */
export function parseRecord(text: string): { record: OrderRecord } | { mistakes: string[] } {
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch (error) {
    return { mistakes: [`not JSON: ${(error as Error).message}`] }
  }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return { mistakes: ['an order must be a JSON object'] }
  }
  const mistakes: string[] = []
  const record: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(raw)) {
    const field = fields.get(name)
    const kept = field?.read(value, text, name)
    if (!field) mistakes.push(`unknown field "${name}": an order has ${[...fields.keys()].join(', ')}`)
    else if (kept === undefined) mistakes.push(`${name} must be ${field.expected}, not ${JSON.stringify(value)}`)
    record[name] = kept
  }
  if (!('id' in raw)) mistakes.push('id is missing')
  if (mistakes.length > 0) return { mistakes }
  record.status ??= record.complete ? 'shipped' : 'pending'
  return { record: record as unknown as OrderRecord }
}

/** Beyond 2^53 JSON.parse rounds, so the digits are read from the text, where the last of equal names counts. */
function readInt64(value: unknown, text: string, name: string): bigint | undefined {
  if (Number.isSafeInteger(value)) return BigInt(value as number)
  if (typeof value !== 'number') return undefined
  const digits = [...text.matchAll(new RegExp(`"${name}"\\s*:\\s*(-?\\d+)(?![\\d.eE])`, 'g'))].at(-1)?.[1]
  if (digits === undefined) return undefined
  const id = BigInt(digits)
  return BigInt.asIntN(64, id) === id ? id : undefined
}

function readStatus(value: unknown): OrderStatus | undefined {
  return value === 'pending' || value === 'shipped' || value === 'cancelled' ? value : undefined
}

const dateTime = /^(\d{4}-\d\d-(\d\d))[T ](\d\d:\d\d):(\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/i
const [earliest, latest] = [Date.parse('0000-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')]

/** UTC milliseconds of an RFC 3339 date-time; a leap second is the next second. */
function readDateTime(value: unknown): number | undefined {
  const parts = typeof value === 'string' ? dateTime.exec(value) : null
  if (!parts) return undefined
  const [, date, day, minute, second, fraction = '', zone = ''] = parts
  const isDay = new Date(`${date}T00:00:00Z`).getUTCDate() === Number(day) // Date takes February 30 for March 2
  const isLeap = second === '60'
  const ms = Date.parse(`${date}T${minute}:${isLeap ? '59' : second}${fraction.slice(0, 4)}${zone.toUpperCase()}`)
  const utc = isLeap ? Math.floor(ms / 1000) * 1000 + 1000 : ms
  return isDay && utc >= earliest && utc <= latest ? utc : undefined
}
