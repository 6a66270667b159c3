// Random choices, reproducible from a seed and a number: each connection has its own source.

export type Random = ReturnType<typeof randomOf>

export function randomOf(seed: number, number: number) {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(number + 1, 0xc2b2ae35)) >>> 0

  /** mulberry32 */
  function next() {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  /** From 0 to `limit` - 1. */
  const below = (limit: number) => Math.floor((next() / 2 ** 32) * limit)
  /** Inclusive. */
  const between = (from: number, to: number) => from + below(to - from + 1)

  return {
    below,
    between,
    chance: (probability: number) => next() / 2 ** 32 < probability,
    pick: <T>(values: readonly T[]): T => values[below(values.length)] as T,
    /** A copy in another order: Fisher and Yates. */
    shuffled<T>(values: readonly T[]): T[] {
      const result = [...values]
      for (let last = result.length - 1; last > 0; last--) {
        const other = below(last + 1)
        ;[result[last], result[other]] = [result[other] as T, result[last] as T]
      }
      return result
    },
    /** Weighted. */
    weighted<T>(entries: readonly (readonly [weight: number, value: T])[]): T {
      let left = (next() / 2 ** 32) * entries.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, value] of entries) {
        if (left < weight) return value
        left -= weight
      }
      throw new Error('there is nothing to choose from')
    },
    bytes: (length: number) => Buffer.from(Array.from({ length }, () => below(256))),
    text: (length: number, alphabet: string = 'abcdefghijklmnopqrstuvwxyz0123456789') =>
      Array.from({ length }, () => alphabet[below(alphabet.length)]).join(''),
    int64: () => BigInt.asIntN(64, (BigInt(next()) << 32n) | BigInt(next())),
  }
}
