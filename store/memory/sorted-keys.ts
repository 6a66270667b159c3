// Finds 64-bit keys among sorted ones: eight bytes per key, twenty comparisons among a million.

/** Keys in ascending order, and the position that each had before. */
export interface Sorted {
  keys: BigInt64Array
  positions: Uint32Array
}

const RADIX = 0x10000
const DIGITS_A_KEY = 4

/** Equal keys stay in the order of their positions. */
export function sorted(keys: BigInt64Array): Sorted {
  const positions = sortedPositions(keys)
  const ascending = new BigInt64Array(keys.length)
  for (let rank = 0; rank < keys.length; rank++) ascending[rank] = keys[positions[rank] as number] as bigint
  return { keys: ascending, positions }
}

/** The rank of the key, of equal ones the lowest; undefined when it is not among the keys. */
export function rankOf(keys: BigInt64Array, key: bigint): number | undefined {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] as bigint) < key) low = middle + 1
    else high = middle
  }
  return keys[low] === key ? low : undefined
}

/** The keys in ascending order, each once. Sorts them where they are. */
export function distinct(keys: BigInt64Array): BigInt64Array {
  const ascending = keys.sort()
  let count = 0
  for (let rank = 0; rank < ascending.length; rank++) {
    const key = ascending[rank] as bigint
    if (rank === 0 || key !== ascending[rank - 1]) ascending[count++] = key
  }
  return ascending.slice(0, count)
}

/** A radix sort, 16 bits at a time: comparing bigints in a callback takes several times as long. */
function sortedPositions(keys: BigInt64Array): Uint32Array {
  const digits = new Uint16Array(keys.buffer, keys.byteOffset, DIGITS_A_KEY * keys.length)
  let from = new Uint32Array(keys.length)
  let to = new Uint32Array(keys.length)
  for (let position = 0; position < keys.length; position++) from[position] = position
  for (let digit = 0; digit < DIGITS_A_KEY; digit++) {
    const flip = digit === DIGITS_A_KEY - 1 ? 0x8000 : 0 // negative keys come first
    const places = placesOf(digits, digit, flip)
    if (!places) continue
    for (let rank = 0; rank < from.length; rank++) {
      const position = from[rank] as number
      const value = (digits[DIGITS_A_KEY * position + digit] as number) ^ flip
      const place = places[value] as number
      to[place] = position
      places[value] = place + 1
    }
    ;[from, to] = [to, from]
  }
  return from
}

/** The start of the keys with each value of a digit; undefined if all keys have the same value. */
function placesOf(digits: Uint16Array, digit: number, flip: number): Uint32Array | undefined {
  const counts = new Uint32Array(RADIX)
  for (let at = digit; at < digits.length; at += DIGITS_A_KEY) {
    const value = (digits[at] as number) ^ flip
    counts[value] = (counts[value] as number) + 1
  }
  if (counts.includes(digits.length / DIGITS_A_KEY)) return undefined
  let next = 0
  for (let value = 0; value < RADIX; value++) {
    const count = counts[value] as number
    counts[value] = next
    next += count
  }
  return counts
}
