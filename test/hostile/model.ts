// The orders that the server starts with, generated from the seed, and their expected state, according to the responses.
import type { Outcome } from './judge.ts'
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
export function pendingOrder({ world, random, number }: Source) {
  const { pending } = world.orders
  return pending[(number + random.below(64)) % pending.length] as bigint
}

export type Model = ReturnType<typeof orderModel>

export function orderModel({ placed, pending, shipped }: Orders) {
  const open = new Set(pending)
  const known = new Set(placed)
  /** Responses that never came: cancelled or not */
  const unsure: Set<bigint> = new Set()
  /** Of which a response said that they had been cancelled before */
  const claimed: Set<bigint> = new Set()

  /** @returns what is wrong with it */
  function follow({ order, status, code }: Outcome): string | undefined {
    if (status === 0) {
      if (open.has(order)) unsure.add(order)
    } else if (status === 204) {
      if (!known.has(order) || shipped.has(order)) return `204 for order ${order}, which is not pending`
      if (!open.delete(order)) return `a second 204 for order ${order}`
    } else if (status === 409) {
      if (code !== 'order_already_shipped' || !shipped.has(order)) return `409 ${code} for order ${order}`
    } else if (status === 404) {
      if (code !== expectedCode(order)) return `404 ${code} for order ${order}`
      if (known.has(order)) claimed.add(order)
    }
    return undefined
  }

  function expectedCode(order: bigint) {
    if (!known.has(order)) return 'order_not_found'
    return shipped.has(order) ? 'none: it has shipped' : 'order_already_cancelled'
  }

  /** Compares with the server's list while no request is running, and resolves unknown states. */
  function compare(json: string): { message: string; order?: bigint }[] {
    const listed = Array.from(json.matchAll(/"id":(-?\d+)/g), ([, digits]) => BigInt(digits as string))
    const present = new Set(listed)
    const problems: { message: string; order?: bigint }[] = []
    for (const order of unsure) if (!present.has(order)) open.delete(order)
    unsure.clear()
    for (const order of placed) {
      const isExpected = open.has(order) || shipped.has(order)
      if (isExpected && !present.has(order))
        problems.push({ message: `order ${order} left the list without a 204`, order })
      if (!isExpected && present.has(order)) problems.push({ message: `order ${order} is listed after its 204`, order })
      if (!present.has(order)) open.delete(order) // each is reported once
    }
    for (const order of claimed) {
      if (open.has(order)) problems.push({ message: `order ${order} was called cancelled, and is listed`, order })
    }
    claimed.clear()
    const expected = placed.filter((order) => present.has(order))
    if (expected.join() !== listed.join()) problems.push({ message: 'the list is not in the order of placement' })
    return problems
  }

  return { follow, compare, /** The number of orders that can still be cancelled. */ left: () => open.size }
}
