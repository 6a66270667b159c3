// What a body is edited with: a form made of its schema, JSON, a text or a file.
import { h } from './elements.js'
import { stringifyExactly } from './json.js'
import { merged, resolved } from './schema-parts.js'
import { fieldOf, jsonIn, NotJson } from './try-it-fields.js'

/**
 * @typedef {{
 *   element: HTMLElement,
 *   read(): any,
 *   raw?(): string,
 *   write(value: unknown): void,
 *   problems(): string[],
 *   show(problems: readonly string[]): readonly string[],
 *   isForm?: boolean,
 * }} Editor whose `read` is undefined where nothing was entered; `raw` is the text as it was typed; `problems` are what
 * keeps it from being sent; `show` returns what it has no place for
 */

const id = 'try-it-body'
const common = { id, name: 'body', 'aria-describedby': `${id}-error` }

/** @returns {Editor} */
export function textEditor(
  /** @type {boolean} */ isJson,
  /** @type {unknown} */ example,
  /** @type {boolean} */ required,
) {
  const written = (/** @type {unknown} */ value) =>
    typeof value === 'string' && !isJson ? value : value === undefined ? '' : stringifyExactly(value, 2)
  const placeholder = written(example)
  const rows = Math.min(16, Math.max(4, placeholder.split('\n').length))
  const typed = { ...common, placeholder, rows, required, autocomplete: 'off', spellcheck: 'false' }
  const area = /** @type {HTMLTextAreaElement} */ (h('textarea', typed))
  const read = () => (area.value.trim() === '' ? undefined : isJson ? jsonIn(area.value) : area.value)
  return {
    element: area,
    read,
    raw: () => area.value,
    problems() {
      const value = read()
      if (value instanceof NotJson) return [value.message]
      return required && value === undefined ? [missing] : []
    },
    write(value) {
      area.value = written(value)
    },
    show: marking(area),
  }
}

/** @returns {Editor} */
export function fileEditor(/** @type {boolean} */ required) {
  const input = /** @type {HTMLInputElement} */ (h('input', { ...common, type: 'file', required }))
  const read = () => input.files?.[0]
  const problems = () => (required && !read() ? [missing] : [])
  return { element: input, read, problems, write() {}, show: marking(input) }
}

const missing = 'Enter a body.'

const marking = (/** @type {HTMLElement} */ control) => (/** @type {readonly string[]} */ problems) => {
  control.setAttribute('aria-invalid', String(problems.length > 0))
  return problems
}

/** Deeper objects are edited as JSON: a schema may lead back to itself. */
const DEEPEST = 3

/** With a field for each property. What the schema does not name stays as it was. @returns {Editor} */
export function objectEditor(
  whole,
  /** @type {Record<string, any>} */ schemas,
  /** @type {boolean} */ required,
  path = [],
) {
  const { properties, required: names } = merged(whole, schemas)
  let others = {}
  const parts = Object.entries(properties)
    .filter(([, property]) => !resolved(property, schemas).readOnly)
    .map(([name, schema]) => ({ name, ...partOf(name, schema, required && names.includes(name)) }))

  function partOf(/** @type {string} */ key, schema, /** @type {boolean} */ isRequired) {
    const where = [...path, key]
    const isNested = where.length < DEEPEST && Object.keys(merged(schema, schemas).properties).length > 0
    if (isNested) return objectEditor(schema, schemas, isRequired, where)
    const name = where.join('.')
    const described = { id: `${id}-${name}`, name, schema, required: isRequired, isInBody: true }
    const field = fieldOf({ ...described, example: resolved(schema, schemas).example }, schemas)
    const isOwn = (/** @type {string} */ problem) =>
      [' ', '.', '[', ':'].some((next) => problem.startsWith(`${name}${next}`))
    return {
      ...field,
      show(/** @type {readonly string[]} */ problems) {
        const relevant = problems.filter(isOwn)
        field.show(relevant.map((problem) => problem.slice(name.length).replace(/^:? /, '')))
        return problems.filter((problem) => !isOwn(problem))
      },
      problems: () => field.problems().map((problem) => `${name}: ${problem}`),
    }
  }

  const rows = parts.map(({ element }) => element)
  return {
    element:
      path.length === 0
        ? h('div', { id, role: 'group', 'aria-label': 'Body' }, ...rows)
        : h('fieldset', {}, h('legend', {}, h('code', {}, path.join('.'))), ...rows),
    read() {
      const entered = parts.map(({ name, read }) => [name, read()]).filter(([, value]) => value !== undefined)
      const wrong = entered.map(([, value]) => value).find((value) => value instanceof NotJson)
      const value = { ...others, ...Object.fromEntries(entered) }
      return wrong ?? (required || Object.keys(value).length > 0 ? value : undefined)
    },
    write(value) {
      others = { ...Object(value) }
      for (const { name, write } of parts) {
        write(others[name])
        delete others[name]
      }
    },
    problems: () => parts.flatMap(({ problems }) => problems()),
    show: (problems) => parts.reduce((rest, part) => part.show(rest) ?? [], problems),
    isForm: true,
  }
}
