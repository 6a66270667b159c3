// The index of the search, built from the page itself when the search opens: guide, operations, codes, fields, headers.
import MiniSearch from './minisearch.js'

/** @typedef {{ id: string, title: string, kind: string, context: string, text: string }} Entry */
/** @typedef {Entry & { terms: string[] }} Hit */

/** @returns {(phrase: string) => Hit[]} the best first */
export function searchIn(/** @type {Element} */ reference) {
  const index = new MiniSearch({
    fields: ['title', 'id', 'text'],
    storeFields: ['title', 'kind', 'context', 'text'],
    processTerm: termsOf,
    searchOptions: {
      boost: { title: 8, id: 3 },
      boostDocument: (_id, _term, stored) => weights[String(stored?.kind)] ?? 1,
      combineWith: 'AND',
      prefix: true,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      processTerm: (term) => stem(term.toLowerCase()),
    },
  })
  index.addAll(entriesOf(reference))
  return (phrase) => /** @type {any} */ (index.search(phrase))
}

/** @type {Record<string, number>} */
const weights = { Guide: 3, Operation: 3, Code: 2 }

/** @returns {Entry[]} */
function entriesOf(/** @type {Element} */ reference) {
  return Object.entries(readers).flatMap(([selector, read]) =>
    [...reference.querySelectorAll(selector)].map((element) => {
      const { title, kind, text = textOf(element) } = read(element)
      const context = headingOf(element.parentElement?.closest('[aria-labelledby]'))
      const rest = text.startsWith(title) ? text.slice(title.length).trim() : text
      return { id: element.id, title, kind, context, text: rest }
    }),
  )
}

/** @type {Record<string, (element: Element) => { title: string, kind: string, text?: string }>} */
const readers = {
  '.introduction, .guide-section, section.shared-responses': (element) => ({
    title: headingOf(element),
    kind: 'Guide',
    text: element.matches('.shared-responses') ? '' : textOf(element),
  }),
  '.operation': (element) => ({
    title: headingOf(element),
    kind: 'Operation',
    text: [element.querySelector('.operation-prose'), ...element.querySelectorAll('.samples > label')]
      .map(textOf)
      .join(' '),
  }),
  '.response': (element) => ({ title: textOf(element.querySelector('.response-title')), kind: 'Response' }),
  'tr[id]': (row) => ({
    title: textOf(row.querySelector('code')),
    kind: textOf(row.closest('table')?.querySelector('th')),
    text: [...row.children].slice(1).reverse().map(textOf).join('. '),
  }),
  '.schema': (element) => ({ title: headingOf(element), kind: 'Schema', text: '' }),
}

/** A term of the page: its stem, the parts of a camel-case name, and what readers call it. */
function termsOf(/** @type {string} */ term) {
  const parts = term.split(/(?<=[a-z])(?=[A-Z])/)
  const stems = [...new Set([term, ...(parts.length > 1 ? parts : [])].map((part) => stem(part.toLowerCase())))]
  return [...stems, ...stems.flatMap((each) => synonyms[each] ?? [])]
}

/** `cancelled`, `canceled` and `cancellation` as `cancel`; `retries` as `retri`, like `retry`. */
function stem(/** @type {string} */ word) {
  if (word.length < 4) return word
  return word
    .replace(/(?:ations?|ings?|ed|enc[ye]|ents?|e?s|e)$/, '')
    .replace(/([^aeiou])\1$/, '$1')
    .replace(/y$/, 'i')
}

/** Stems, each with stems that readers search for instead. @type {Record<string, string[]>} */
const synonyms = {
  etag: ['poll', 'cach'],
  bit: ['int64', 'bigint', 'long'],
  retri: ['idempot'],
  delet: ['cancel'],
  kei: ['token', 'auth'],
  unauthoriz: ['auth'],
  rat: ['throttl', 'quota'],
}

/** The part of a text around the first of the terms. */
export function excerpt(/** @type {string} */ text, /** @type {string[]} */ terms) {
  const places = terms.map((term) => text.toLowerCase().indexOf(term)).filter((at) => at >= 0)
  const at = Math.min(...places, text.length)
  const start = at < 40 || at === text.length ? 0 : text.lastIndexOf(' ', at - 30) + 1
  const shown = text.slice(start, start + 110).replace(text.length > start + 110 ? /\s\S*$/ : '', '')
  return `${start > 0 ? '… ' : ''}${shown}${text.length > start + shown.length ? ' …' : ''}`
}

/** The text in parts: every second one begins with one of the terms. */
export function split(/** @type {string} */ text, /** @type {string[]} */ terms) {
  if (terms.length === 0) return [text]
  const pattern = terms.map((term) => term.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')
  return text.split(new RegExp(`(?<!\\p{L})((?:${pattern})[\\p{L}\\p{N}]*)`, 'iu'))
}

function headingOf(/** @type {Element | null | undefined} */ element) {
  return textOf(document.getElementById(element?.getAttribute('aria-labelledby') ?? ''))
}

/** As it is laid out, with spaces between blocks. */
function textOf(/** @type {Element | null | undefined} */ element) {
  return element instanceof HTMLElement ? element.innerText.replace(/\s+/g, ' ').trim() : ''
}
