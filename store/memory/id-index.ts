// Finds orders by id: the positions of all orders, sorted by their ids. Four bytes an order.

export interface IdIndex {
  /** The position of the order with this id. */
  find(id: bigint): number | undefined
}

/** Two orders, by their positions, with the same id. */
export interface Duplicate {
  id: bigint
  earlier: number
  later: number
}

export class DuplicateIds extends Error {
  readonly duplicates: readonly Duplicate[]

  constructor(duplicates: readonly Duplicate[]) {
    super(`${duplicates.length} orders have an id that an earlier one has`)
    this.duplicates = duplicates
  }
}

/**
 * `idAt(position)` is the id of the order at a position from 0 to `count` - 1.
 * @throws DuplicateIds
 */
export function idIndex(count: number, idAt: (position: number) => bigint): IdIndex {
  const positions = sortedPositions(count, idAt)
  const idOf = (rank: number) => idAt(positions[rank] as number)
  const duplicates: Duplicate[] = []
  for (let rank = 1; rank < count; rank++) {
    const [id, earlier, later] = [idOf(rank), positions[rank - 1] as number, positions[rank] as number]
    if (id === idOf(rank - 1)) duplicates.push({ id, earlier, later })
  }
  if (duplicates.length > 0) throw new DuplicateIds(duplicates)

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

  return { find }
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
