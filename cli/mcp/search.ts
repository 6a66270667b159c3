// Searches the listed orders, and shows identifiers as text, which keeps all digits.
import type { Schema } from 'exact-openapi/model'
import * as z from 'zod'
import type { Order } from '../../packages/client/index.ts'
import { int64Message, isInt64, withTexts } from './json-schema.ts'

const LIMIT_MAX = 100
const int64 = z.string().refine(isInt64, int64Message)
/** Without an offset, a time could mean any zone. */
const isoTime = z.union([
  z.iso.date(),
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ offset: true, precision: -1 }),
])
/** Refined text: the patterns of the union would be most of what an agent reads. */
const time = z
  .string()
  .refine(
    (text) => isoTime.safeParse(text).success,
    'must be a date such as 2026-10-05, or a date and time with its offset (RFC 3339)',
  )

/** Without its full stop: more may follow. */
const textOf = (schema?: Schema) => String(schema?.description).replace(/\.$/, '')

export type Search = z.infer<ReturnType<typeof searchOf>>

/** The fields of a search. */
export function searchOf({ properties = {} }: Schema) {
  const { id, petId, quantity, complete, shipDate } = properties
  const when = 'a date, which begins at 00:00 UTC, or a date and time (RFC 3339)'
  return z.strictObject({
    orderId: int64.optional().describe(textOf(id)),
    petId: int64.optional().describe(textOf(petId)),
    minQuantity: z
      .int()
      .optional()
      .describe(`${textOf(quantity)}: at least this many`),
    maxQuantity: z
      .int()
      .optional()
      .describe(`${textOf(quantity)}: at most this many`),
    complete: z.boolean().optional().describe(textOf(complete)),
    shipsFrom: time.optional().describe(`${textOf(shipDate)}: at this time or later; ${when}`),
    shipsBefore: time.optional().describe(`${textOf(shipDate)}: before this time; ${when}`),
    offset: z.int().min(0).default(0).describe('how many of the matching orders to skip'),
    limit: z.int().min(1).max(LIMIT_MAX).default(20).describe('how many orders to return at most'),
  })
}

type ShownOrder = { [Field in keyof Order]: bigint extends Order[Field] ? string : Order[Field] }

export interface Found {
  /** How many orders match, shown or not. */
  total: number
  orders: ShownOrder[]
}

/** An order without a field does not match a search for it. */
export function search(orders: readonly Order[], wanted: Search): Found {
  const { orderId, petId, minQuantity, maxQuantity, complete, shipsFrom, shipsBefore, offset, limit } = wanted
  const [from, before] = [shipsFrom, shipsBefore].map((text) => (text === undefined ? undefined : Date.parse(text)))
  const matching = orders.filter((order) => {
    const ships = order.shipDate === undefined ? undefined : Date.parse(order.shipDate)
    return (
      isSame(order.id, orderId) &&
      isSame(order.petId, petId) &&
      (complete === undefined || order.complete === complete) &&
      isWithin(order.quantity, minQuantity, maxQuantity) &&
      isWithin(ships, from, before === undefined ? undefined : before - 1)
    )
  })
  return {
    total: matching.length,
    orders: matching.slice(offset, offset + limit).map((order) => withTexts(order) as ShownOrder),
  }
}

const isSame = (id: bigint | undefined, wanted: string | undefined) => wanted === undefined || String(id) === wanted

function isWithin(value: number | undefined, least: number | undefined, most: number | undefined): boolean {
  if (least === undefined && most === undefined) return true
  return value !== undefined && value >= (least ?? value) && value <= (most ?? value)
}
