// HTML as a tagged template: strings are escaped, markup is not.

/** @typedef {{ html: string }} Html */
/** @typedef {string | number | Html | false | undefined} Part */
/** @typedef {Part | readonly Part[]} Content */

/**
 * Attributes must be quoted: a string is not safe in others. As in JSX, a line break beside a tag or a value is dropped
 * with its indentation, and any other is a space.
 * @param {TemplateStringsArray} texts
 * @param {...Content} contents
 * @returns {Html}
 */
export function html(texts, ...contents) {
  return { html: texts.map(joinLines).reduce((before, text, i) => before + textOf(contents[i - 1]) + text) }
}

/** @param {string} text */
function joinLines(text) {
  return text.replace(/(?<=^|>)\s*\n\s*|\s*\n\s*(?=<|$)/g, '').replace(/\s*\n\s*/g, ' ')
}

/** @param {Content} content @returns {string} */
function textOf(content) {
  if (content === undefined || content === false) return ''
  if (typeof content !== 'object') return escapeHtml(String(content))
  return 'html' in content ? content.html : content.map(textOf).join('')
}

/** Safe in an element and in a quoted attribute. @param {string} text */
function escapeHtml(text) {
  /** @type {Record<string, string>} */
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replace(/[&<>"']/g, (character) => String(entities[character]))
}

/** Replaces what is in the element. @param {Element} element @param {Html} content */
export function fill(element, { html }) {
  element.innerHTML = html
}

/** The one element in the markup. @param {Html} markup */
export function elementOf({ html }) {
  const template = document.createElement('template')
  template.innerHTML = html
  return /** @type {Element} */ (template.content.firstElementChild)
}
