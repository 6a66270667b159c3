// How values are written in a path, a query, a header and a form (OpenAPI 3.0.4, "Style Values").
import { isComposite, stringifyExactly } from './json.js'
import { isJson } from './media-types.js'

/** @typedef {{ name: string, in: string, style: string, explode: boolean, type?: string | undefined }} Parameter */

/** @returns {string} */
export const textIn = (/** @type {unknown} */ value) =>
  typeof value === 'object' && value !== null ? stringifyExactly(value) : String(value)

const encoded = (/** @type {unknown} */ value) => encodeURIComponent(textIn(value))

/** The items of an array, the names and values of an object, or the one text. @returns {string[]} */
export function partsOf(/** @type {Parameter} */ { type, explode }, /** @type {unknown} */ value, text = encoded) {
  if (type !== undefined) return [text(isJson(type) ? stringifyExactly(value) : value)]
  if (Array.isArray(value)) return value.map((item) => text(item))
  if (!isComposite(value)) return [text(value)]
  const pairs = Object.entries(value)
  return pairs.flatMap(([name, member]) => (explode ? [`${text(name)}=${text(member)}`] : [text(name), text(member)]))
}

/** @returns {string} */
export function inPath(/** @type {Parameter} */ parameter, /** @type {unknown} */ value) {
  const { name, style, explode } = parameter
  const parts = partsOf(parameter, value ?? '')
  if (style === 'label') return `.${parts.join(explode ? '.' : ',')}`
  if (style !== 'matrix') return parts.join(',')
  if (!explode) return `;${name}=${parts.join(',')}`
  return parts.map((part) => (Array.isArray(value) || !isComposite(value) ? `;${name}=${part}` : `;${part}`)).join('')
}

/** @returns {string[]} */
export function inQuery(/** @type {Parameter} */ parameter, /** @type {unknown} */ value) {
  const { style, explode, type } = parameter
  const name = encodeURIComponent(parameter.name)
  const isObject = isComposite(value) && !Array.isArray(value)
  if (style === 'deepObject' && isObject) {
    return Object.entries(value).flatMap(([key, member]) =>
      [member].flat().map((text) => `${name}%5B${encodeURIComponent(key)}%5D=${encoded(text)}`),
    )
  }
  const parts = partsOf(parameter, value)
  if (explode && type === undefined && isObject) return parts
  if (explode) return parts.map((part) => `${name}=${part}`)
  const separator = style === 'spaceDelimited' ? '%20' : style === 'pipeDelimited' ? '%7C' : ','
  return [`${name}=${parts.join(separator)}`]
}
