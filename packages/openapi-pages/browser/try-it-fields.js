// Fields of the form, each made of a schema: a choice, a checkbox, a file, lines of an array, JSON, a date or a text.
import { merged, problemsOf, resolved } from './check-value.js'
import { h } from './elements.js'
import { parseExactly, stringifyExactly } from './json.js'
import { named } from './schema-limits.js'

/**
 * @typedef {{ id: string, name: string, label?: string, hint?: string, schema: any, required: boolean, example?: unknown, isInBody?: boolean }} Described
 * @typedef {{
 *   element: HTMLElement,
 *   read(): any,
 *   write(value: unknown): void,
 *   problems(): string[],
 *   show(problems: readonly string[]): void,
 * }} Field whose `read` is undefined where nothing was entered; `problems` are those of what was
 */

/** @returns {Field} */
export function fieldOf(/** @type {Described} */ described, /** @type {Record<string, any>} */ schemas) {
  const { id, name, label, hint, schema: given, required, example, isInBody = false } = described
  const schema = merged(given, schemas)
  const kind = kindOf(schema, required, schemas)
  const control = controlOf(kind, schema, { id, name, required, example: textOf(kind, example) })
  const isCheckbox = control.matches('[type=checkbox]')
  const title = [h('code', {}, name), label, kind === 'lines' && ', one item a line']
  const error = h('span', { id: `${id}-error`, class: 'hint error' })

  function read() {
    if (control instanceof HTMLInputElement && control.files)
      return control.multiple ? (control.files.length > 0 ? [...control.files] : undefined) : control.files[0]
    if (control instanceof HTMLInputElement && isCheckbox) return control.checked
    const text = control.value
    if (text === '') return undefined
    if (kind === 'choice') return parseExactly(text)
    if (kind === 'lines') return linesIn(text, merged(schema.items, schemas))
    if (kind === 'json') return jsonIn(text)
    if (schema.type || !isInBody) return readAs(text, schema.type)
    const value = jsonIn(text) // of any type: a text needs no quotes
    return value instanceof NotJson ? text : value
  }

  function problems() {
    const value = read()
    const isEmpty = value === undefined || value.length === 0
    if (isEmpty) return required ? [kind === 'lines' ? 'Enter an item.' : `Enter ${named(name)}.`] : []
    if (value instanceof NotJson) return [value.message]
    if (schema.type === 'integer' && typeof value === 'string') return ['Use plain decimal digits, such as 1007.']
    const isKnown = kind === 'lines' ? merged(schema.items, schemas).type : (schema.type ?? kind !== 'text')
    return isKnown ? problemsOf(given, value, schemas, name) : []
  }

  return {
    element: h(
      'p',
      { class: 'field' },
      ...(isCheckbox
        ? [h('label', { class: 'checkbox' }, control, ...title)]
        : [h('label', { for: id }, ...title), control]),
      hint && h('span', { class: 'hint' }, hint),
      error,
    ),
    read,
    write(value) {
      if (control instanceof HTMLInputElement && isCheckbox) control.checked = value === true
      else if (!control.matches('[type=file]')) control.value = textOf(kind, value)
    },
    problems,
    show(found) {
      error.textContent = found.join('. ')
      control.setAttribute('aria-invalid', String(found.length > 0))
    },
  }
}

/** @typedef {'choice' | 'checkbox' | 'file' | 'lines' | 'json' | 'text'} Kind */

/** A checkbox has no third state: what may be left out is a choice. @returns {Kind} */
function kindOf(schema, /** @type {boolean} */ required, schemas) {
  if (isFile(schema) || isFile(resolved(schema.items, schemas))) return 'file'
  if (schema.enum) return 'choice'
  if (schema.type === 'boolean') return required ? 'checkbox' : 'choice'
  if (schema.type === 'array') return isComposite(merged(schema.items, schemas)) ? 'json' : 'lines'
  const alternatives = [schema.oneOf ?? schema.anyOf ?? []].flat().map((one) => merged(one, schemas))
  return [schema, ...alternatives].some(isComposite) ? 'json' : 'text'
}

const isComposite = ({ type, properties }) => /^(array|object)$/.test(type) || Object.keys(properties).length > 0

export const isFile = ({ format, type, contentMediaType, contentEncoding }) =>
  type === 'string' && (format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined))

function controlOf(
  /** @type {Kind} */ kind,
  { type, format, enum: values = [true, false] },
  { id, name, required, example },
) {
  const common = { id, name, required, 'aria-describedby': `${id}-error` }
  const typed = { ...common, placeholder: example, autocomplete: 'off', spellcheck: 'false' }
  const rows = Math.min(8, Math.max(2, example.split('\n').length))
  if (kind === 'choice') {
    const options = values.map((value) => h('option', { value: stringifyExactly(value) }, String(value)))
    return /** @type {HTMLSelectElement} */ (h('select', common, h('option', { value: '' }, ''), ...options))
  }
  if (kind === 'lines' || kind === 'json') return /** @type {HTMLTextAreaElement} */ (h('textarea', { ...typed, rows }))
  const more =
    kind === 'text'
      ? { ...typed, type: format === 'date' ? 'date' : 'text', inputmode: modes[type] }
      : { ...common, type: kind, multiple: kind === 'file' && type === 'array' }
  return /** @type {HTMLInputElement} */ (h('input', more))
}

/** @type {Record<string, string>} */
const modes = { integer: 'numeric', number: 'decimal' }

/** A value as the control has it. @returns {string} */
function textOf(/** @type {Kind} */ kind, /** @type {unknown} */ value) {
  if (value === undefined) return ''
  if (kind === 'choice') return stringifyExactly(value)
  if (kind === 'lines') return [value].flat().map(String).join('\n')
  return typeof value === 'object' ? stringifyExactly(value, 2) : String(value)
}

export class NotJson extends Error {}

/** @returns the value, or what is wrong with the text */
export function jsonIn(/** @type {string} */ text) {
  try {
    return parseExactly(text)
  } catch (error) {
    return new NotJson(`This is not JSON: ${/** @type {Error} */ (error).message}`)
  }
}

const linesIn = (/** @type {string} */ text, { type }) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => readAs(line, type))

/** @type {Record<string, (text: string) => unknown>} Of a text that can be read as the type. */
const readers = {
  integer: (text) => (/^-?\d+$/.test(text) ? BigInt(text) : undefined),
  number: (text) => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined),
  boolean: (text) => ({ true: true, false: false })[text],
}

const readAs = (/** @type {string} */ text, /** @type {string} */ type) => readers[type]?.(text) ?? text
