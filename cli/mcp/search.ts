// Which of the listed orders a search finds, and how they are shown: with identifiers as text, which keeps all digits.
import type { Order } from '../../packages/client/index.ts'
import { withTexts } from './json-schema.ts'

export interface Search {
  orderId?: string | undefined
  petId?: string | undefined
  minQuantity?: number | undefined
  maxQuantity?: number | undefined
  complete?: boolean | undefined
  /** ISO 8601: at or after, and before. */
  shipsFrom?: string | undefined
  shipsBefore?: string | undefined
  offset: number
  limit: number
}

export type ShownOrder = { [Field in keyof Order]: bigint extends Order[Field] ? string : Order[Field] }

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
