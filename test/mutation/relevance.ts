// How much tests have to do with lines of code: by the words that they share, of which a rare one says more than a common one.
import { readFileSync } from 'node:fs'

/** Lines before and after that belong to a changed one. */
const AROUND = 7
/** A word of the rest of the file, beside one of these lines. */
const REST_WEIGHT = 0.15

/** Of the names and comments, without endings. */
function wordsOf(text: string): Set<string> {
  const parts =
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]{3,}/g) ?? []
  return new Set(parts.map((word) => word.replace(/(ies|es|s|ed|ing|e)$/, '')).filter(({ length }) => length > 2))
}

/**
 * @param lines the changed ones, from 1; all, if there are none
 * @returns the tests, those first that have most to do with them
 */
export function byRelevance(file: string, lines: Iterable<number>, tests: readonly string[]): string[] {
  const source = readFileSync(file, 'utf8').split('\n')
  const changed = [...lines].flatMap((line) => source.slice(Math.max(0, line - 1 - AROUND), line + AROUND))
  const near = wordsOf([file, ...changed].join('\n'))
  const whole = wordsOf(source.join('\n'))
  const known = new Map(tests.map((test) => [test, wordsOf(`${test}\n${readFileSync(test, 'utf8')}`)]))
  const counts = new Map<string, number>()
  for (const words of known.values()) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const rarity = (word: string) => Math.log(tests.length / (counts.get(word) ?? tests.length))
  const weigh = (some: Set<string>, words: Set<string>) =>
    [...some].reduce((sum, word) => sum + (words.has(word) ? rarity(word) : 0), 0)
  const scored = Array.from(known, ([test, words]) => {
    const shared = weigh(near, words) + REST_WEIGHT * weigh(whole, words)
    return { test, score: shared / words.size ** 0.25 } // a long test has words of everything
  })
  return scored.sort((one, other) => other.score - one.score).map(({ test }) => test)
}
