// What the languages of samples have in common: texts with the reader's keys in them, and bodies of texts and files.
import { stringifyExactly } from './json.js'
import { joined } from './request.js'

/**
 * @typedef {import('./request.js').Call} Call
 * @typedef {import('./request.js').Text} Text
 * @typedef {{
 *   quoted(text: string): string,
 *   variable(name: string): string,
 *   percent(value: string): string,
 *   base64(value: string): string,
 *   plus?: string,
 * }} Language how it writes a text, a variable of the environment, and the two encodings of a value
 */

/** An expression of the language. @returns {string} */
export function expressionOf(/** @type {Text} */ text, /** @type {Language} */ language) {
  const { quoted, variable, percent, base64, plus = ' + ' } = language
  const pieces = joined(text).map((piece) => {
    if (typeof piece === 'string') return quoted(piece)
    const value = piece.variables.map(variable).join(`${plus}${quoted(':')}${plus}`)
    if (piece.encoding === 'percent') return percent(value)
    return piece.encoding === 'base64' ? base64(value) : value
  })
  return pieces.join(plus) || quoted('')
}

/** What a sample has to import. */
export function usesOf(/** @type {Call} */ { url, headers, body }) {
  const secrets = [url, ...headers.map(([, value]) => value)].flat().filter((piece) => typeof piece !== 'string')
  const has = (/** @type {string} */ encoding) => secrets.some((secret) => secret.encoding === encoding)
  return {
    keys: secrets.length > 0,
    percent: has('percent'),
    base64: has('base64'),
    files: filesOf(body).length > 0,
  }
}

/** @returns {string[]} */
export const filesOf = (/** @type {Call['body']} */ body) =>
  (body?.chunks ?? []).flatMap((chunk) => (typeof chunk === 'string' ? [] : chunk.file))

/** The body, each text and file in the language. @returns {string[]} */
export const chunksIn = (
  /** @type {NonNullable<Call['body']>} */ body,
  /** @type {(text: string) => string} */ quoted,
  /** @type {(file: string) => string} */ read,
) => chunksOf(body).map((chunk) => (typeof chunk === 'string' ? quoted(chunk) : read(chunk.file)))

/** JSON in several lines: white space between its tokens means nothing. */
const chunksOf = (/** @type {NonNullable<Call['body']>} */ { json, chunks }) =>
  json === undefined ? chunks : [stringifyExactly(json, 2)]
