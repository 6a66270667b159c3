// Random choices: reproducible from a seed, or drawn by a property, which then finds the smallest that fail.
import fc, { type GeneratorValue } from 'fast-check'

export type Random = ReturnType<typeof choices>

const LIMIT = 2 ** 31
const word = () => fc.noBias(fc.nat(LIMIT - 1))

export function randomOf(seed: number, number: number): Random {
  const [words] = fc.sample(fc.infiniteStream(word()), { seed: seed ^ Math.imul(number, 0x9e3779b9), numRuns: 1 })
  return choices(() => words?.next().value as number)
}

export const drawnBy = (draw: GeneratorValue): Random => choices(() => draw(word))

/** Of smaller words come earlier values, and less of everything. */
function choices(next: () => number) {
  /** From 0 to `limit` - 1. */
  const below = (limit: number) => Math.floor((next() / LIMIT) * limit)
  /** Inclusive. */
  const between = (from: number, to: number) => from + below(to - from + 1)

  return {
    below,
    between,
    chance: (probability: number) => next() / LIMIT >= 1 - probability,
    pick: <T>(values: readonly T[]): T => values[below(values.length)] as T,
    /** A copy in another order. */
    shuffled: <T>(values: readonly T[]): T[] =>
      values
        .map((value) => [next(), value] as const)
        .sort(([a], [b]) => a - b)
        .map(([, value]) => value),
    weighted<T>(entries: readonly (readonly [weight: number, value: T])[]): T {
      let left = (next() / LIMIT) * entries.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, value] of entries) {
        if (left < weight) return value
        left -= weight
      }
      throw new Error('there is nothing to choose from')
    },
    bytes: (length: number) => Buffer.from(Array.from({ length }, () => below(256))),
    text: (length: number, alphabet: string = 'abcdefghijklmnopqrstuvwxyz0123456789') =>
      Array.from({ length }, () => alphabet[below(alphabet.length)]).join(''),
    int64: () => BigInt.asIntN(64, (BigInt(next()) << 33n) | BigInt(next())),
  }
}
