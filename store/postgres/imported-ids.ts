// The ids of a file with their lines: 12 bytes per order, so that duplicate ids are found without a large Map.

export interface Duplicate {
  id: bigint
  earlier: number
  later: number
}

export function importedIds() {
  let ids = new BigInt64Array(1024)
  let lines = new Uint32Array(1024)
  let count = 0

  function grow() {
    const [more, moreLines] = [new BigInt64Array(2 * count), new Uint32Array(2 * count)]
    more.set(ids)
    moreLines.set(lines)
    ids = more
    lines = moreLines
  }

  return {
    get count() {
      return count
    },
    add(id: bigint, line: number) {
      if (count === ids.length) grow()
      ids[count] = id
      lines[count++] = line
    },
    /** The line of an id that has been added. */
    lineOf: (id: bigint) => lines[ids.indexOf(id)] as number,
    /** Each order with the id of an earlier one, and that earlier one. */
    duplicates(): Duplicate[] {
      const sorted = ids.slice(0, count).sort()
      const twice = new Set(sorted.filter((id, index) => index > 0 && id === sorted[index - 1]))
      if (twice.size === 0) return []
      const last = new Map<bigint, number>()
      const found: Duplicate[] = []
      ids.subarray(0, count).forEach((id, index) => {
        if (!twice.has(id)) return
        const later = lines[index] as number
        const earlier = last.get(id)
        if (earlier !== undefined) found.push({ id, earlier, later })
        last.set(id, later)
      })
      return found
    },
  }
}
