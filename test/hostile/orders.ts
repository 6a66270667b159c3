// The orders that the server starts with, generated from the seed.
import { randomOf } from './random.ts'
import type { Orders, Source } from './types.ts'

const PETS = 500
const SHIPPED_PART = 0.2
/** The identifiers include the ends of int64 and values around 2^53. */
const edges = [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n, 2n ** 53n, 2n ** 53n - 1n]

export function makeOrders(seed: number, count: number): Orders {
  const random = randomOf(seed, -1)
  const ids = new Set(edges)
  while (ids.size < count) ids.add(random.int64())
  const placed = [...ids]
  const shipped = new Set(placed.filter(() => random.chance(SHIPPED_PART)))
  const lines = placed.map((id) => {
    const status = shipped.has(id) ? 'shipped' : 'pending'
    return `{"id":${id},"petId":${random.below(PETS)},"quantity":${random.below(100)},"status":"${status}"}\n`
  })
  return { placed, pending: placed.filter((id) => !shipped.has(id)), shipped, text: lines.join('') }
}

/**
 * A pending order. The choice advances with the connections' numbers, so that some are still pending, and neighboring
 * connections race for the same one.
 */
export function pendingOrder({ world, random, number, touches }: Source) {
  const { pending } = world.orders
  const order = pending[(number + random.below(64)) % pending.length] as bigint
  touches.push(order)
  return order
}
