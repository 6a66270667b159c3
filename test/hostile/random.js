// Random choices, reproducible from a seed and a number: each connection has its own source.

/** @typedef {ReturnType<typeof randomOf>} Random */

/** @param {number} seed @param {number} number */
export function randomOf(seed, number) {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(number + 1, 0xc2b2ae35)) >>> 0

  /** mulberry32 */
  function next() {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  /** From 0 to `limit` - 1. @param {number} limit */
  const below = (limit) => Math.floor((next() / 2 ** 32) * limit)
  /** Inclusive. @param {number} from @param {number} to */
  const between = (from, to) => from + below(to - from + 1)

  return {
    below,
    between,
    /** @param {number} probability */
    chance: (probability) => next() / 2 ** 32 < probability,
    /** @template T @param {readonly T[]} values @returns {T} */
    pick: (values) => /** @type {T} */ (values[below(values.length)]),
    /** Weighted. @template T @param {readonly (readonly [weight: number, value: T])[]} entries @returns {T} */
    weighted(entries) {
      let left = (next() / 2 ** 32) * entries.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, value] of entries) {
        if (left < weight) return value
        left -= weight
      }
      throw new Error('there is nothing to choose from')
    },
    /** @param {number} length */
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
    /** @param {number} length @param {string} alphabet */
    text: (length, alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789') =>
      Array.from({ length }, () => alphabet[below(alphabet.length)]).join(''),
    int64: () => BigInt.asIntN(64, (BigInt(next()) << 32n) | BigInt(next())),
  }
}
