// The expected state of the orders, according to the responses.
import type { Outcome } from './judge.ts'
import type { Orders } from './types.ts'

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
