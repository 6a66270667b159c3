// How a result shows what was found.
import { stemsOf } from './search-words.js'

/** @import { Hit } from './search-index.js' */

/** Its text, or the synonyms if only they have the words. */
export function foundIn(/** @type {Hit} */ { title, text, synonyms, terms }) {
  const has = (/** @type {string} */ part) => split(part, terms).length > 1
  return has(title) || has(text) || !has(synonyms) ? text : `Also called: ${synonyms}`
}

/** The part of the text around the first of the words that were found. */
export function excerpt(/** @type {string} */ text, /** @type {string[]} */ terms) {
  const at = [...text.matchAll(word)].find(([each]) => isFound(each, terms))?.index ?? text.length
  const start = at < 40 || at === text.length ? 0 : text.lastIndexOf(' ', at - 30) + 1
  const excerpt = text.slice(start, start + 110).replace(text.length > start + 110 ? /\s\S*$/ : '', '')
  return `${start > 0 ? '… ' : ''}${excerpt}${text.length > start + excerpt.length ? ' …' : ''}`
}

/** The text in parts: every second one is a word that was found. */
export function split(/** @type {string} */ text, /** @type {string[]} */ terms) {
  const parts = ['']
  for (const part of text.split(/([\p{L}\p{N}]+)/u)) {
    if (part && isFound(part, terms)) parts.push(part, '')
    else parts.push(`${parts.pop()}${part}`)
  }
  return parts
}

const word = /[\p{L}\p{N}]+/gu

function isFound(/** @type {string} */ part, /** @type {string[]} */ terms) {
  return stemsOf(part).some((stem) => terms.includes(stem))
}
