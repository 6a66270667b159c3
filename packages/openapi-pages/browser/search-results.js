// What the search shows: the best results, as options of its list.
import { searchIn } from './search-index.js'
import { excerpt, foundIn, split } from './search-text.js'

/** @import { Hit } from './search-index.js' */

const most = 30

/** @param all what the pages of the reference have, if the page is one of several */
export function resultsIn(
  /** @type {HTMLElement} */ reference,
  /** @type {Parameters<typeof searchIn>[1]} */ all = [],
) {
  const search = searchIn(reference, all)
  return (/** @type {string} */ phrase) => {
    const results = search(phrase)
    return { options: results.slice(0, most).map(optionOf), count: phrase.trim() && countOf(results.length) }
  }
}

function countOf(/** @type {number} */ count) {
  if (count === 0) return 'Nothing found'
  return count > most ? `The first ${most} of ${count} results` : `${count} ${count === 1 ? 'result' : 'results'}`
}

function optionOf(/** @type {Hit} */ hit, /** @type {number} */ index) {
  const { id, title, kind, context, endpoint, terms, page } = hit
  const [method = '', path = context] = endpoint === '' ? [] : endpoint.split(' ')
  const option = document.createElement('li')
  option.id = `search-${index}`
  option.role = 'option'
  option.dataset.target = page ? `${page}#${id}` : id
  const line = (/** @type {string} */ name, /** @type {string} */ content) => {
    const span = document.createElement('span')
    span.className = name
    span.append(...split(content, terms).map((part, i) => (i % 2 === 0 ? part : marked(part))))
    return span
  }
  option.append(
    method ? line(`search-kind method method-${method.toLowerCase()}`, method) : line('search-kind', kind),
    line('search-title', title),
    line(`search-context${method && ' path'}`, path),
    line('search-text', excerpt(foundIn(hit), terms)),
  )
  return option
}

function marked(/** @type {string} */ text) {
  return Object.assign(document.createElement('mark'), { textContent: text })
}
