// The body of a request, of one of its media types.

import { anyFile } from './body.js'
import { h } from './elements.js'
import { isForm, isJson, isMultipart } from './media-types.js'
import { merged, resolved } from './schema-parts.js'
import { fileEditor, objectEditor, textEditor } from './try-it-editors.js'
import { NotJson } from './try-it-fields.js'

/**
 * @typedef {{ type: string, schema: any, example?: unknown, isFile?: boolean, encoding?: import('./body.js').Encoding }} Media
 */

/** @param isFilled with the example, from the beginning */
export function bodyOf(
  /** @type {{ required: boolean, media: Media[] }} */ { required, media },
  /** @type {Record<string, any>} */ schemas,
  /** @type {boolean} */ isFilled,
) {
  let current = /** @type {Media} */ (media[0])
  let editor = editorOf()
  const container = h('div', {}, editor.element)
  const list = h('ul', { id: 'try-it-body-error', class: 'hint error' })
  const toggle = h('button', { type: 'button', onclick: switchEditor })
  const example = h('button', { type: 'button', onclick: useExample }, 'Use the example')
  const types = /** @type {HTMLSelectElement} */ (
    h('select', { 'aria-label': 'Media type', onchange }, ...media.map(({ type }) => h('option', {}, type)))
  )
  if (isFilled) editor.write(current.example)
  update()

  function hasForm() {
    const isOfFields = [isJson, isForm, isMultipart].some((is) => is(current.type))
    return isOfFields && Object.keys(merged(current.schema, schemas).properties).length > 0
  }

  /** JSON is at first edited as JSON. */
  function editorOf(isAsForm = !isJson(current.type)) {
    const { type, schema, example: value } = current
    if (isAsForm && hasForm()) return objectEditor(schema, schemas, required)
    return current.isFile ? fileEditor(required) : textEditor(isJson(type) || isForm(type), value, required)
  }

  function onchange({ target }) {
    current = /** @type {Media} */ (media[target.selectedIndex])
    replace(editorOf())
  }

  /** With what has been entered. */
  function switchEditor() {
    const value = editor.read()
    if (value instanceof NotJson) return show([value.message])
    replace(editorOf(!editor.isForm), value)
  }

  function useExample() {
    editor.write(current.example)
    changed()
  }

  function replace(other, /** @type {unknown} */ value = undefined) {
    editor = other
    if (value !== undefined) editor.write(value)
    container.replaceChildren(editor.element)
    show([])
    changed()
  }

  function changed() {
    update()
    container.dispatchEvent(new Event('input', { bubbles: true }))
  }

  function update() {
    toggle.textContent = editor.isForm ? 'Edit as JSON' : 'Edit as a form'
    toggle.hidden = !hasForm() || isMultipart(current.type)
    example.hidden = current.example === undefined || editor.element.matches('[type=file]')
  }

  function show(/** @type {readonly string[]} */ problems) {
    list.replaceChildren(...editor.show(problems).map((problem) => h('li', {}, problem)))
  }

  return {
    element: h(
      'div',
      { class: 'field body' },
      h('p', {}, h('label', { for: 'try-it-body' }, 'Body'), media.length > 1 ? types : h('code', {}, current.type)),
      container,
      list,
      h('p', {}, toggle, example),
    ),
    show,
    problems: () => editor.problems(),
    /** Whether a server means one of the fields by this name. */
    has: (/** @type {string | undefined} */ name) =>
      name !== undefined && Object.hasOwn(merged(current.schema, schemas).properties, name),
    /** @param hasExample where nothing, or no JSON, was entered @returns {Partial<import('./request.js').Input>} */
    read(/** @type {boolean} */ hasExample) {
      const { type, encoding, isFile, example } = current
      const entered = editor.read()
      const isMissing = entered === undefined || entered instanceof NotJson
      const value = isMissing && hasExample && required ? (isFile ? anyFile : example) : entered
      return value === undefined || value instanceof NotJson ? {} : { type, encoding, body: value }
    },
    /** For a link: without files and passwords. @returns {[name: string, value: unknown][]} */
    values() {
      const value = editor.read()
      const { properties } = merged(current.schema, schemas)
      const isLeft = ([name, part]) =>
        !(part instanceof Blob) && resolved(properties[name], schemas).format !== 'password'
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Blob)
      const kept =
        isObject && !(value instanceof NotJson) ? Object.fromEntries(Object.entries(value).filter(isLeft)) : value
      return [
        ['type', current.type],
        ['body', kept],
      ]
    },
    fill(/** @type {unknown} */ type, /** @type {unknown} */ value) {
      const at = media.findIndex((content) => content.type === type)
      if (at < 0) return
      current = /** @type {Media} */ (media[at])
      types.selectedIndex = at
      replace(editorOf(), value)
    },
    /** As it was typed. @returns {string | undefined} */
    raw: () => (isForm(current.type) || isMultipart(current.type) ? undefined : editor.raw?.()),
  }
}
