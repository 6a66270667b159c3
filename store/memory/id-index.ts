// Finds orders by id. 12 bytes per order.
import { rankOf, sorted } from './sorted-keys.ts'

export interface IdIndex {
  /** Orders with the id of an earlier one. `find` is reliable only if there are none. */
  readonly duplicates: Iterable<Duplicate>
  /** The position of the order with this id. */
  find(id: bigint): number | undefined
}

/** Two orders, by their positions, with the same id. */
export interface Duplicate {
  id: bigint
  earlier: number
  later: number
}

/** `ids` are those of the orders, by position. */
export function idIndex(ids: BigInt64Array): IdIndex {
  const { keys, positions } = sorted(ids)

  function* duplicates(): Generator<Duplicate> {
    for (let rank = 1; rank < keys.length; rank++) {
      const id = keys[rank] as bigint
      if (id !== keys[rank - 1]) continue
      yield { id, earlier: positions[rank - 1] as number, later: positions[rank] as number }
    }
  }

  return {
    duplicates: { [Symbol.iterator]: duplicates },
    find(id) {
      const rank = rankOf(keys, id)
      return rank === undefined ? undefined : positions[rank]
    },
  }
}
