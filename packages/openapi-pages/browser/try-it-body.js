// The body of a request: edited as JSON, or as text where the operation takes neither JSON nor a form.
import { problemsIn } from './check-body.js'
import { parseExactly, stringifyExactly } from './json.js'

const isJson = (/** @type {string} */ type) => /[/+]json\b/i.test(type)
const isForm = (/** @type {string} */ type) => /^application\/x-www-form-urlencoded\b/i.test(type)

/** The media type in which the body is sent, of those that the operation takes. @returns {string} */
export function mediaTypeIn(operation) {
  const types = operation.getIn(['requestBody', 'content']).keySeq().toArray()
  return types.find(isJson) ?? types.find(isForm) ?? types[0]
}

/** From the page, where it has all of its digits. @returns {string} */
export function exampleOf(/** @type {string} */ operationId, /** @type {string} */ type) {
  const examples = /** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll(`[id="${operationId}"] .request-example`)
  )
  return [...examples].find(({ dataset }) => dataset.type === type)?.querySelector('pre')?.textContent ?? ''
}

/** @returns {string[]} what is wrong with the text, before it is sent */
export function bodyProblems(/** @type {string} */ text, operation, at, /** @type {string} */ specification) {
  if (text.trim() === '') return operation.getIn(['requestBody', 'required']) ? ['Enter a body.'] : []
  const type = mediaTypeIn(operation)
  if (!isJson(type) && !isForm(type)) return []
  return problemsIn(text, { path: at[0], method: at[1], type }, exactly(specification))
}

/** As it is sent: JSON as it was typed. */
export function encoded(/** @type {string} */ text, operation) {
  if (!isForm(mediaTypeIn(operation))) return text
  const pairs = Object.entries(parseExactly(text)).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, typeof one === 'object' ? stringifyExactly(one) : String(one)]),
  )
  return String(new URLSearchParams(pairs))
}

/** @type {{ text?: string, document?: any }} */
const read = {}

/** The document, with every digit. */
export function exactly(/** @type {string} */ specification) {
  if (read.text !== specification) Object.assign(read, { text: specification, document: parseExactly(specification) })
  return read.document
}
