// Finds orders by id: the positions of all orders, sorted by their ids. Four bytes an order.

export interface IdIndex {
  /** Orders whose id an earlier one has. Only without any can `find` be relied on. */
  readonly duplicates: readonly Duplicate[]
  /** The position of the order with this id. */
  find(id: bigint): number | undefined
}

/** Two orders, by their positions, with the same id. */
export interface Duplicate {
  id: bigint
  earlier: number
  later: number
}

/** `idAt(position)` is the id of the order at a position from 0 to `count` - 1. */
export function idIndex(count: number, idAt: (position: number) => bigint): IdIndex {
  const positions = sortedPositions(count, idAt)
  const idOf = (rank: number) => idAt(positions[rank] as number)
  const duplicates: Duplicate[] = []
  for (let rank = 1; rank < count; rank++) {
    const id = idOf(rank)
    if (id !== idOf(rank - 1)) continue
    duplicates.push({ id, earlier: positions[rank - 1] as number, later: positions[rank] as number })
  }

  function find(id: bigint): number | undefined {
    let low = 0
    let high = count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (idOf(middle) < id) low = middle + 1
      else high = middle
    }
    return low < count && idOf(low) === id ? positions[low] : undefined
  }

  return { duplicates, find }
}

function sortedPositions(count: number, idAt: (position: number) => bigint): Uint32Array {
  const positions = Uint32Array.from({ length: count }, (_, position) => position)
  const ids = BigInt64Array.from({ length: count }, (_, position) => idAt(position))
  if (ids.every((id, position) => position === 0 || (ids[position - 1] as bigint) < id)) return positions
  // Compared in halves, since a bigint read from an array is an allocation.
  const low = new Uint32Array(ids.buffer)
  const high = new Int32Array(ids.buffer)
  return positions.sort((a, b) => {
    return (
      (high[2 * a + 1] as number) - (high[2 * b + 1] as number) ||
      (low[2 * a] as number) - (low[2 * b] as number) ||
      a - b
    )
  })
}
