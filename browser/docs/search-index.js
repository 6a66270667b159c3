// The index of the search, read from the page itself: sections, operations, responses, fields, codes and prose.

/** @typedef {{ id: string, title: string, kind: string, context: string, text: string }} Entry */

/** @returns {Entry[]} */
export function indexOf(/** @type {Element} */ reference) {
  return Object.entries(kinds).flatMap(([selector, read]) =>
    [...reference.querySelectorAll(selector)].map((element) => {
      const { title, kind, text = textOf(element) } = read(element)
      const parent = element.parentElement
      const contexts = [headingOf(parent?.closest('[aria-labelledby]')), titleOf(parent?.closest('.response'))]
      const rest = text.startsWith(title) ? text.slice(title.length).trim() : text
      return { id: element.id, title, kind, context: contexts.filter(Boolean).join(', '), text: rest }
    }),
  )
}

/** @type {Record<string, (element: Element) => { title: string, kind: string, text?: string }>} */
const kinds = {
  '.introduction, .guide-section, section.headers, section.schemas': (element) => ({
    title: headingOf(element),
    kind: 'Guide',
  }),
  '.operation': (element) => ({
    title: headingOf(element),
    kind: 'Operation',
    text: textOf(element.querySelector('.operation-prose')),
  }),
  '.response': (element) => ({ title: titleOf(element), kind: 'Response' }),
  'tr[id]': (row) => ({
    title: textOf(row.querySelector('code')),
    kind: textOf(row.closest('table')?.querySelector('th')),
    text: [...row.children].slice(1).reverse().map(textOf).join('. '),
  }),
  '.schema': (element) => ({ title: headingOf(element), kind: 'Schema' }),
}

/** The entries that contain every word, the best first. */
export function search(/** @type {Entry[]} */ entries, /** @type {string} */ phrase) {
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry)
}

/** 0 unless every word occurs. */
function scoreOf(/** @type {Entry} */ { id, title, context, text }, /** @type {string[]} */ words) {
  const fields = [title, id, context, text].map((field) => field.toLowerCase())
  const scores = words.map((word) => Math.max(...fields.map((field, i) => placeOf(field, word) * (weights[i] ?? 1))))
  return Math.min(...scores) === 0 ? 0 : scores.reduce((sum, score) => sum + score)
}

const weights = [8, 4, 2, 1]

function placeOf(/** @type {string} */ field, /** @type {string} */ word) {
  if (field === word) return 4
  if (field.startsWith(word)) return 3
  if (field.includes(` ${word}`)) return 2
  return field.includes(word) ? 1 : 0
}

/** The part of a text around the first of the words. */
export function excerpt(/** @type {string} */ text, /** @type {string} */ phrase) {
  const [word = ''] = phrase.toLowerCase().split(/\s+/)
  const at = Math.max(0, text.toLowerCase().indexOf(word))
  const start = at < 40 ? 0 : text.lastIndexOf(' ', at - 30) + 1
  const shown = text.slice(start, start + 110).replace(text.length > start + 110 ? /\s\S*$/ : '', '')
  return `${start > 0 ? '… ' : ''}${shown}${text.length > start + shown.length ? ' …' : ''}`
}

/** The text in pieces: every second one is one of the words. */
export function split(/** @type {string} */ text, /** @type {string} */ phrase) {
  const words = phrase.split(/\s+/).filter(Boolean)
  const pattern = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')
  return text.split(new RegExp(`(${pattern})`, 'i'))
}

function headingOf(/** @type {Element | null | undefined} */ element) {
  const heading = document.getElementById(element?.getAttribute('aria-labelledby') ?? '')
  return textOf(heading)
}

function titleOf(/** @type {Element | null | undefined} */ response) {
  return textOf(response?.querySelector('.response-title'))
}

function textOf(/** @type {Element | null | undefined} */ element) {
  return (element?.textContent ?? '').replace(/\s+/g, ' ').trim()
}
