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
  const record = raw as Record<string, unknown>
  for (const name in record) {
    const value = record[name]
    const field = fields.get(name)
    const kept = field?.read(value, text, name)
    if (!field) mistakes.push(`unknown field "${name}": an order has ${[...fields.keys()].join(', ')}`)
    else if (kept === undefined) mistakes.push(`${name} must be ${field.expected}, not ${JSON.stringify(value)}`)
    record[name] = kept
  }
  if (!('id' in record)) mistakes.push('id is missing')
  if (mistakes.length > 0) return { mistakes }
  record.status ??= record.complete ? 'shipped' : 'pending'
  return { record: record as unknown as OrderRecord }
}

/** Beyond 2^53 JSON.parse rounds, so the digits are read from the text, where the last of equal names counts. */
function readInt64(value: unknown, text: string, name: string): bigint | undefined {
  if (Number.isSafeInteger(value)) return BigInt(value as number)
  if (typeof value !== 'number') return undefined
  const digits = /^"\w+"\s*:\s*(-?\d+)(?![\d.eE])/.exec(text.slice(text.lastIndexOf(`"${name}"`)))?.[1]
  if (digits === undefined) return undefined
  const id = BigInt(digits)
  return BigInt.asIntN(64, id) === id ? id : undefined
}

function readStatus(value: unknown): OrderStatus | undefined {
  return value === 'pending' || value === 'shipped' || value === 'cancelled' ? value : undefined
}

const dateTime = /^\d{4}-\d\d-\d\d[T ]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i
const [earliest, latest] = [Date.parse('0000-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')]
const DAY = 86_400_000

/** UTC milliseconds of an RFC 3339 date-time; a leap second, the last of a day, is the first of the next. */
function readDateTime(value: unknown): number | undefined {
  if (typeof value !== 'string' || !dateTime.test(value)) return undefined
  const text = value.toUpperCase().replace(' ', 'T')
  const isLeap = text.startsWith('60', 17)
  const ms = isLeap
    ? Date.parse(`${text.slice(0, 17)}59${text.slice(19).replace(/^\.\d+/, '')}`) + 1000
    : Date.parse(text)
  const isReal = isDay(text) && (!isLeap || ms % DAY === 0)
  return isReal && ms >= earliest && ms <= latest ? ms : undefined
}

/** Date takes February 30 for March 2. */
function isDay(text: string): boolean {
  const day = text.slice(8, 10)
  return day <= '28' || new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(day)
}
