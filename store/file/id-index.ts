// Finds orders by id: a hash table with linear probing, 16 to 32 bytes per id. A Map takes several times as much.

export type IdIndex = ReturnType<typeof idIndex>

export function idIndex() {
  const hashed = new BigInt64Array(1)
  const halves = new Int32Array(hashed.buffer)
  let ids = new BigInt64Array(1024)
  let slots = newSlots()
  let count = 0

  /** Twice as many slots as ids keep probes short. A slot contains a position plus one; 0 is free. */
  function newSlots() {
    return new Uint32Array(2 * ids.length)
  }

  /** The slot with this id, or the free one for it. */
  function slotOf(id: bigint): number {
    hashed[0] = id
    let hash = (halves[0] as number) ^ Math.imul(halves[1] as number, 0x9e3779b1)
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) // as MurmurHash3 does, so that any pattern of ids spreads
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    const mask = slots.length - 1
    let slot = (hash ^ (hash >>> 16)) & mask
    while (slots[slot] !== 0 && ids[(slots[slot] as number) - 1] !== id) slot = (slot + 1) & mask
    return slot
  }

  function grow() {
    const former = ids
    ids = new BigInt64Array(2 * former.length)
    ids.set(former)
    slots = newSlots()
    former.forEach((id, position) => {
      slots[slotOf(id)] = position + 1
    })
  }

  const positionAt = (slot: number) => (slots[slot] === 0 ? undefined : (slots[slot] as number) - 1)

  return {
    find: (id: bigint) => positionAt(slotOf(id)),
    /** Adds the id at the next position. If it is already there, only returns its position. */
    add(id: bigint): number | undefined {
      if (count === ids.length) grow()
      const slot = slotOf(id)
      const earlier = positionAt(slot)
      if (earlier !== undefined) return earlier
      ids[count] = id
      slots[slot] = ++count
      return undefined
    },
  }
}
