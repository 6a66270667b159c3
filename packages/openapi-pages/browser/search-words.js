// The words of the search: stems, the parts of names, and what a reader has mistyped.

const stopWords = new Set(
  'a an and are be by can do does for from get got how i if in is it me my of on or should that the there this to was we what when where which why will with you your'.split(
    ' ',
  ),
)

/** @returns {string[]} without those that say nothing, unless there are no others */
export function wordsOf(/** @type {string} */ phrase) {
  const words = phrase.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const telling = words.filter((word) => !stopWords.has(word.toLowerCase()))
  return telling.length > 0 ? telling : words
}

/** Scripts that write no spaces between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
const LONGEST_ENDING = 12

/** `orderId` as `orderid`, `order` and `id`: stems. Where no spaces part words, one may begin at every character. */
export function stemsOf(/** @type {string} */ word) {
  const parts = unspaced.test(word)
    ? [...word].map((_, at, all) => all.slice(at, at + LONGEST_ENDING).join(''))
    : word.split(/(?<=[a-z])(?=[A-Z])/)
  return [...new Set([word, ...parts].map(stem))]
}

/** `cancelled` and `cancellation` as `cancel`; `retries` as `retri`, like `retry`; `keys` as `kei`, like `key`. */
export function stem(/** @type {string} */ text) {
  const word = text.toLowerCase()
  const root = word.length < 4 ? word : word.replace(/(?:ations?|ings?|ed|enc[ye]|ents?|e?s|e)$/, '')
  return root.replace(/([b-df-hj-np-tv-z])\1$/, '$1').replace(/y$/, 'i')
}

/**
 * The word as the page has it: itself, in two words (`ratelimit`), or with two letters swapped (`oredr`).
 * @returns {string[]} stems
 */
export function corrected(/** @type {string} */ word, /** @type {Set<string>} */ vocabulary) {
  const whole = stem(word)
  if (isKnown(whole, vocabulary)) return [whole]
  const places = [...word].map((_, at) => at).slice(1)
  const halves = places.map((at) => [word.slice(0, at), word.slice(at)].map(stem))
  const swaps = places.map((at) => [stem(word.slice(0, at - 1) + word[at] + word[at - 1] + word.slice(at + 1))])
  const isLong = (/** @type {string[]} */ stems) => stems.every(({ length }) => length > 1)
  return [...halves, ...swaps].find((stems) => isLong(stems) && stems.every((each) => vocabulary.has(each))) ?? [whole]
}

/** @returns whether a word of the page begins with the stem */
export function isKnown(/** @type {string} */ stem, /** @type {Set<string>} */ vocabulary) {
  return vocabulary.has(stem) || [...vocabulary].some((each) => each.startsWith(stem))
}
