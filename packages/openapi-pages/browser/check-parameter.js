// Checks a parameter before it is sent, by its schema. It leaves alternatives to the server, and rejects nothing that the
// server accepts.
import { checkerIn } from './check-body.js'
import { named } from './schema-limits.js'

/**
 * @param texts the value as it was typed: of an array, its items
 * @param place of the parameter in the document
 * @param document as `parseExactly` reads it
 * @returns {string[]}
 */
export function parameterProblems(
  /** @type {string[]} */ texts,
  /** @type {{ path: string, method: string, in: string, name: string }} */ { path, method, in: where, name },
  document,
) {
  const { check, resolved } = checkerIn(document)
  const item = document.paths[path]
  const { schema: given, required } = [...(item[method].parameters ?? []), ...(item.parameters ?? [])]
    .map(resolved)
    .find((one) => one.in === where && one.name === name)
  const schema = resolved(given)
  if (texts.length === 0) return required ? [schema.type === 'array' ? 'Enter an item.' : `Enter ${named(name)}.`] : []
  const of = schema.type === 'array' ? resolved(schema.items) : schema
  if (!of.type) return []
  const values = texts.map((text) => readAs(text, of.type))
  if (schema.type === 'array') return check(schema, values, name)
  if (of.type === 'integer' && typeof values[0] === 'string') return ['Use plain decimal digits, such as 1007.']
  return check(schema, values[0], name)
}

/** @type {Record<string, (text: string) => unknown>} Of a text that can be read as the type. */
const readers = {
  integer: (text) => (/^-?\d+$/.test(text) ? BigInt(text) : undefined),
  number: (text) => (text.trim() === '' || Number.isNaN(Number(text)) ? undefined : Number(text)),
  boolean: (text) => ({ true: true, false: false })[text],
}

const readAs = (/** @type {string} */ text, /** @type {string} */ type) => readers[type]?.(text) ?? text
