// Applies changes to a list of orders (RFC 3229).
import type { components } from '../spec/openapi.d.ts'

type Order = Readonly<components['schemas']['Order']>
type Delta = Readonly<components['schemas']['OrdersDelta']>

/** The header that asks for changes. */
export const asksForDelta = { 'a-im': 'store-orders-delta' }

/** @returns undefined if they are the changes of another list */
export function withDelta(orders: readonly Order[], delta: Delta): readonly Order[] | undefined {
  const removed = new Set<unknown>(delta.removed)
  const changed = new Map<unknown, Order>(delta.changed.map((order) => [order.id, order]))
  const sought = removed.size + changed.size
  const next: Order[] = []
  let found = 0
  let index = 0
  for (; found < sought && index < orders.length; index++) {
    const order = orders[index] as Order
    const isRemoved = removed.has(order.id)
    const replacement = changed.get(order.id)
    if (isRemoved || replacement) found++
    if (!isRemoved) next.push(replacement ?? order)
  }
  if (found < sought) return undefined
  return Object.freeze(next.concat(orders.slice(index), delta.appended))
}
