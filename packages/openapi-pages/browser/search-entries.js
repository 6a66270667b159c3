// What the search finds, read from the page itself: guide, operations, codes, fields, headers, schemas. Of other pages, the
// server says it.
import { pathOf } from './lines.js'

/**
 * @typedef {object} Entry
 * @property {string} id
 * @property {string} title
 * @property {string} kind
 * @property {string} context the heading that it stands under
 * @property {string} text
 * @property {string} endpoint of an operation: `GET /store/orders`
 * @property {string} synonyms
 * @property {string} page its address, if it is on another page
 */

/** @returns {Entry[]} */
export function entriesOf(
  /** @type {HTMLElement} */ reference,
  /** @type {readonly (Partial<Entry> & Pick<Entry, 'id' | 'title' | 'kind' | 'text' | 'page'>)[]} of all pages, by their paths */ all,
) {
  const synonyms = JSON.parse(reference.dataset.searchTerms ?? '{}')
  const here = Object.entries(readers).flatMap(([selector, read]) =>
    /** @type {HTMLElement[]} */ ([...reference.querySelectorAll(selector)]).map((element) => {
      const { title, kind, text = textOf(element), endpoint = '' } = read(element)
      const context = contextOf(element)
      const rest = text.startsWith(title) ? text.slice(title.length).trim() : text
      return {
        id: element.id,
        title,
        kind,
        context,
        text: rest,
        endpoint,
        synonyms: synonyms[element.id] ?? '',
        page: '',
      }
    }),
  )
  const known = new Set(here.map(({ id }) => id))
  const root = new URL(String(document.body.dataset.root), location.href)
  const path = location.pathname.replace(/\/$/, '')
  const elsewhere = all.flatMap((entry) => {
    const { href, pathname } = new URL(entry.page.slice(1), root)
    const isHere = known.has(entry.id) || pathname === path
    return isHere ? [] : [{ context: '', endpoint: '', synonyms: '', ...entry, page: href }]
  })
  return [...here, ...elsewhere]
}

/** @type {Record<string, (element: HTMLElement) => { title: string, kind: string, text?: string, endpoint?: string }>} */
const readers = {
  '.introduction, .guide-section, section.shared-responses': (element) => ({
    title: headingOf(element),
    kind: 'Guide',
    text: element.matches('.shared-responses') ? '' : [...element.children].filter(isProse).map(textOf).join(' '),
  }),
  '.guide-section :is(h3, h4, h5, h6)[id]': (heading) => ({
    title: textOf(heading),
    kind: 'Guide',
    text: textBelow(heading),
  }),
  '.group': (element) => ({ title: headingOf(element), kind: 'Group', text: '' }),
  '.operation': (element) => ({
    title: headingOf(element),
    kind: 'Operation',
    text: [element.querySelector('.operation-prose'), ...element.querySelectorAll('.samples > label')]
      .map(textOf)
      .join(' '),
    endpoint: `${element.dataset.method} ${element.dataset.path}`,
  }),
  '.response[id]': (element) => ({ title: textOf(element.querySelector('.response-title')), kind: 'Response' }),
  'tr[id]': (row) => ({
    title: textOf(row.querySelector('code')),
    kind: textOf(row.closest('table')?.querySelector('th')),
    text: [...row.children].slice(1).reverse().map(textOf).join('. '),
  }),
  '.fields > [id]': (element) => ({
    title: pathOf(element).join('.'),
    kind: element.parentElement?.dataset.kind ?? 'Field',
    text: ['.about', '.facts', '.place'].map((part) => textOf(element.querySelector(`:scope > ${part}`))).join(' '),
  }),
  '.schema': (element) => ({ title: headingOf(element), kind: 'Schema', text: '' }),
}

const isProse = (/** @type {Element} */ element) => !element.matches('h1, h2, .steps, .links, noscript')

/** Until the next heading. */
function textBelow(/** @type {Element} */ heading) {
  const texts = []
  for (let next = heading.nextElementSibling; next && !/^H\d$/.test(next.tagName); next = next.nextElementSibling) {
    texts.push(textOf(next))
  }
  return texts.join(' ')
}

function headingOf(/** @type {Element} */ element) {
  return textOf(document.getElementById(`${element.id}-heading`))
}

/** The heading that the element stands under. @returns {string} */
function contextOf(/** @type {Element} */ element) {
  const part = element.parentElement?.closest('section[id], article[id]')
  return part ? headingOf(part) || contextOf(part) : ''
}

/** As it is laid out, with spaces between blocks. */
function textOf(/** @type {Element | null | undefined} */ element) {
  return element instanceof HTMLElement ? element.innerText.replace(/\s+/g, ' ').trim() : ''
}
