// Fields of the form, each made of a schema: a choice, a checkbox, a file, lines of an array, JSON, a date or a text.
import { h } from './elements.js'
import { decimalOf, parseExactly, stringifyExactly } from './json.js'
import { merged, resolved } from './schema-parts.js'

/**
 * @typedef {{ id: string, name: string, in?: string, label?: string, hint?: string, schema: any, required: boolean, example?: unknown, isInBody?: boolean }} Described
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
  const { id, name, label, hint, schema: written, required, example, in: location, isInBody = false } = described
  const schema = merged(written, schemas)
  const kind = kindOf(schema, required, schemas)
  const control = controlOf(kind, kind === 'choices' ? merged(schema.items, schemas) : schema, {
    id,
    name,
    required,
    example: textOf(kind, example),
  })
  const isCheckbox = control.matches('[type=checkbox]')
  const title = [h('code', {}, name), label, kind === 'lines' && ', one item a line']
  const mayBeEmpty = kind === 'text' && schema.type === 'string' && !schema.minLength && location !== 'path'
  let isLeftEmpty = false
  const error = h('span', { id: `${id}-error`, class: 'hint error' })

  function read() {
    if (control instanceof HTMLInputElement && control.files)
      return control.multiple ? (control.files.length > 0 ? [...control.files] : undefined) : control.files[0]
    if (control instanceof HTMLInputElement && isCheckbox) return control.checked
    if (kind === 'choices') {
      const chosen = [.../** @type {HTMLSelectElement} */ (control).selectedOptions]
      return chosen.length > 0 ? chosen.map(({ value }) => parseExactly(value)) : undefined
    }
    const text = control.value
    if (text === '') return isLeftEmpty ? '' : undefined
    if (kind === 'choice') return parseExactly(text)
    if (kind === 'lines') return linesIn(text, merged(schema.items, schemas))
    if (kind === 'json') return jsonIn(text)
    if (schema.type || !isInBody) return readAs(text, schema.type)
    const value = jsonIn(text) // of any type: a text needs no quotes
    return value instanceof NotJson ? text : value
  }

  function problems() {
    const value = read()
    if (value instanceof NotJson) return [value.message]
    if (schema.type === 'integer' && typeof value === 'string') return ['Use plain decimal digits, such as 1007.']
    const isMissing = value === undefined || (value.length === 0 && !isLeftEmpty)
    return isMissing && required ? [missing] : []
  }

  const missing =
    kind === 'lines' || kind === 'choices' ? 'Enter an item.' : `Enter ${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}.`
  const leave = h('button', { type: 'button', onclick: leaveEmpty }, 'Leave it empty')

  function show(/** @type {readonly string[]} */ messages) {
    error.replaceChildren(messages.join('. '), ...(mayBeEmpty && messages[0] === missing ? [' ', leave] : []))
    control.setAttribute('aria-invalid', String(messages.length > 0))
  }

  function leaveEmpty() {
    isLeftEmpty = true
    show([])
    control.dispatchEvent(new Event('input', { bubbles: true }))
    control.focus()
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
      else if (kind === 'choices') {
        const chosen = [value ?? []].flat().map((item) => stringifyExactly(item))
        for (const option of /** @type {HTMLSelectElement} */ (control).options)
          option.selected = chosen.includes(option.value)
      } else if (!control.matches('[type=file]')) control.value = textOf(kind, value)
    },
    problems,
    show,
  }
}

/** @typedef {'choice' | 'choices' | 'checkbox' | 'file' | 'lines' | 'json' | 'text'} Kind */

/** A checkbox has no third state: what may be left out is a choice. @returns {Kind} */
function kindOf(schema, /** @type {boolean} */ required, schemas) {
  if (isFile(schema) || isFile(resolved(schema.items, schemas))) return 'file'
  if (schema.enum) return 'choice'
  if (schema.type === 'boolean') return required ? 'checkbox' : 'choice'
  if (schema.type === 'array') {
    const items = merged(schema.items, schemas)
    return isComposite(items) ? 'json' : items.enum ? 'choices' : 'lines'
  }
  const alternatives = [schema.oneOf ?? schema.anyOf ?? []].flat().map((alternative) => merged(alternative, schemas))
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
  const options = values.map((value) => h('option', { value: stringifyExactly(value) }, String(value)))
  if (kind === 'choices') {
    const many = { ...common, multiple: true, size: Math.min(6, options.length), onmousedown: toggleOption }
    return /** @type {HTMLSelectElement} */ (h('select', many, ...options))
  }
  if (kind === 'choice') {
    return /** @type {HTMLSelectElement} */ (h('select', common, h('option', { value: '' }, ''), ...options))
  }
  if (kind === 'lines' || kind === 'json') return /** @type {HTMLTextAreaElement} */ (h('textarea', { ...typed, rows }))
  const more =
    kind === 'text'
      ? { ...typed, type: format === 'date' ? 'date' : 'text', inputmode: modes[type] }
      : { ...common, type: kind, multiple: kind === 'file' && type === 'array' }
  return /** @type {HTMLInputElement} */ (h('input', more))
}

/** A press adds an item or takes it away, without another key. */
function toggleOption(/** @type {MouseEvent} */ event) {
  const { target: option, currentTarget: select } = event
  if (!(option instanceof HTMLOptionElement && select instanceof HTMLSelectElement)) return
  event.preventDefault()
  option.selected = !option.selected
  select.focus()
  select.dispatchEvent(new Event('input', { bubbles: true }))
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

/** `.5`, `1e3` and all else that JavaScript reads as a number. */
const finiteIn = (/** @type {string} */ text) =>
  text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined

/** @type {Record<string, (text: string) => unknown>} Of a text that can be read as the type. */
const readers = {
  integer: (text) => (/^-?\d+$/.test(text) ? BigInt(text) : undefined),
  number: (text) => (/^-?\d+(\.\d+)?$/.test(text) ? decimalOf(text) : finiteIn(text)),
  boolean: (text) => ({ true: true, false: false })[text],
}

const readAs = (/** @type {string} */ text, /** @type {string} */ type) => readers[type]?.(text) ?? text
