// The index of the search, built when the search opens.
import MiniSearch from './minisearch.js'
import { entriesOf } from './search-entries.js'
import { corrected, isKnown, stem, stemsOf, wordsOf } from './search-words.js'

/** @import { Query } from 'minisearch' */
/** @import { Entry } from './search-entries.js' */
/** @typedef {Entry & { terms: string[], score: number }} Hit */

/** @returns {(phrase: string) => Hit[]} the best first */
export function searchIn(/** @type {HTMLElement} */ reference, /** @type {Parameters<typeof entriesOf>[1]} */ all) {
  const entries = entriesOf(reference, all)
  /** @type {Set<string>} */
  const vocabulary = new Set()
  const index = new MiniSearch({
    fields: ['title', 'synonyms', 'endpoint', 'id', 'text'],
    storeFields: ['title', 'kind', 'context', 'text', 'endpoint', 'synonyms', 'page'],
    processTerm(term) {
      const stems = stemsOf(term)
      for (const each of stems) vocabulary.add(each)
      return stems
    },
    searchOptions: {
      boost: { title: 8, synonyms: 6, endpoint: 4, id: 3 },
      boostDocument: (_id, _term, stored) => weights[String(stored?.kind)] ?? 1,
      prefix: true,
      fuzzy: (term) => !isKnown(term, vocabulary) && (term.length > 7 ? 2 : term.length > 3 && 1),
      tokenize: (text) => [text],
      processTerm: (term) => term,
    },
  })
  index.addAll(entries)
  return (phrase) => {
    const words = wordsOf(phrase)
    const queries = words.map((_, i) => queryOf(words, i, vocabulary))
    const all = index.search({ combineWith: 'AND', queries })
    const results = all.length > 0 ? all : index.search({ combineWith: 'OR', queries })
    const called = operationsAt(phrase, entries)
    const hits = ranked(/** @type {Hit[]} */ (/** @type {unknown} */ (results)), words)
    return [...called, ...hits.filter(({ id }) => !called.some((each) => each.id === id))]
  }
}

/** @type {Record<string, number>} */
const weights = { Guide: 3, Operation: 3, Code: 2 }

/** One of the words, which may be one with its neighbor in the page (`time out`). @returns {Query} */
function queryOf(/** @type {string[]} */ words, /** @type {number} */ i, /** @type {Set<string>} */ vocabulary) {
  const [before = '', word = '', after = ''] = [words[i - 1], words[i], words[i + 1]]
  const joined = [before && before + word, after && word + after].map(stem).filter((each) => vocabulary.has(each))
  return { combineWith: 'OR', queries: [{ combineWith: 'AND', queries: corrected(word, vocabulary) }, ...joined] }
}

/** Words that follow each other in the page as they do in the phrase count more. @returns {Hit[]} the best first */
function ranked(/** @type {Hit[]} */ hits, /** @type {string[]} */ words) {
  if (words.length < 2) return hits
  const wanted = ` ${words.map(stem).join(' ')} `
  const has = (/** @type {string} */ text) =>
    ` ${text
      .split(/[^\p{L}\p{N}]+/u)
      .map(stem)
      .join(' ')} `.includes(wanted)
  const weight = (/** @type {Hit} */ { title, synonyms, text }) => (has(`${title} ${synonyms}`) ? 3 : has(text) ? 2 : 1)
  return hits.map((hit) => ({ ...hit, score: hit.score * weight(hit) })).sort((a, b) => b.score - a.score)
}

/** The operations that a request line such as `GET /store/orders/1007` calls. @returns {Hit[]} */
function operationsAt(/** @type {string} */ phrase, /** @type {Entry[]} */ entries) {
  const [, method = '', path] = /^(?:([a-z]+) +)?(?:https?:\/\/[^/\s]+)?(\/[^\s?]*)/i.exec(phrase.trim()) ?? []
  if (!path) return []
  const segments = path.split('/').filter(Boolean)
  const matches = entries.flatMap((entry) => {
    const [itsMethod = '', itsPath = ''] = entry.endpoint.split(' ')
    const its = itsPath.split('/').filter(Boolean)
    // A base path may stand in front, `/v1`.
    const isSame =
      its.length > 0 && its.every((segment, i) => segment[0] === '{' || segment === segments.slice(-its.length)[i])
    const isCalled = isSame && segments.length >= its.length
    return isCalled && itsMethod.startsWith(method.toUpperCase()) ? [{ ...entry, terms: [], score: its.length }] : []
  })
  return matches.sort((a, b) => b.score - a.score)
}
