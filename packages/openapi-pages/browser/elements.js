// Elements of what scripts add to the page.
import { linesOf, piecesOf } from './highlight.js'

/** Properties that begin with `on` are listeners; of attributes, false and undefined are left out. */
export function h(/** @type {string} */ name, properties = {}, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value)
    else if (value !== false && value !== undefined) element.setAttribute(key, value === true ? '' : String(value))
  }
  element.append(...children.flat().filter((child) => child !== false && child !== undefined))
  return element
}

/** The text in colors: its lines, as the page has them. */
export const colored = (/** @type {string} */ text, /** @type {string} */ language) =>
  linesOf(text, language).map(({ className, tokens }) =>
    h(
      'span',
      { class: className },
      ...tokens.map(([kind, part]) => (kind ? h('span', { class: kind[0] }, ...broken(part)) : broken(part))),
    ),
  )

const broken = (/** @type {string} */ text) =>
  piecesOf(text).flatMap((piece, at) => (at > 0 ? [h('wbr'), piece] : [piece]))

/** As the page has them: its listener copies the text. */
export function codeBlock(/** @type {string} */ label, /** @type {string} */ text, language = 'text') {
  return h(
    'div',
    { class: 'code' },
    h(
      'button',
      { type: 'button', class: 'copy' },
      'Copy',
      h('span', { class: 'visually-hidden' }, ` the ${label.toLowerCase()}`),
    ),
    h(
      'pre',
      { role: 'group', 'aria-label': label },
      h('code', { class: `language-${language}` }, ...colored(text, language)),
    ),
  )
}
