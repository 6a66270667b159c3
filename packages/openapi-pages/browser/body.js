// The body of a request, of each media type: one list of texts and files, whose bytes follow each other.
import { isComposite, stringifyExactly } from './json.js'
import { isForm, isJson, isMultipart } from './media-types.js'
import { inQuery, textIn } from './styles.js'

/**
 * @typedef {{ file: string, bytes?: Blob }} FileChunk the bytes of a file that the reader has
 * @typedef {string | FileChunk} Chunk
 * @typedef {{ name: string, type: string | undefined, content: Chunk }} Part of a multipart form; without a type, plain text or a file of any
 * @typedef {{ type: string, json?: unknown, parts?: readonly Part[], chunks: readonly Chunk[] }} Body `type` is that of the header; `json` is the value
 * @typedef {{ type?: string | undefined, style?: string | undefined, explode?: boolean | undefined, isFile?: boolean }} PropertyEncoding of a form's property
 * @typedef {Readonly<Record<string, PropertyEncoding>>} Encoding
 */

const boundary = 'part-of-the-form'

/** @returns {Body} */
export function bodyOf(
  /** @type {string} */ type,
  /** @type {unknown} */ value,
  /** @type {Encoding} */ encoding = {},
) {
  if (isFile(value)) return { type, chunks: [fileChunk(value, 'file')] }
  if (isForm(type)) return { type, chunks: [formText(value, encoding)] }
  if (isMultipart(type)) {
    const parts = partsOf(value, encoding)
    return {
      type: `${type}; boundary=${boundary}`,
      parts,
      chunks: merged([...parts.flatMap(chunksOf), `--${boundary}--\r\n`]),
    }
  }
  if (isJson(type)) return { type, json: value, chunks: [wellFormed(stringifyExactly(value))] }
  return { type, chunks: [wellFormed(textIn(value))] }
}

/** Stands in an example for a file. */
export const anyFile = Symbol('file')

const isFile = (/** @type {unknown} */ value) => value === anyFile || value instanceof Blob

/** @returns {FileChunk} */
const fileChunk = (/** @type {unknown} */ value, /** @type {string} */ name) =>
  value instanceof Blob ? { file: String(Reflect.get(value, 'name')), bytes: value } : { file: name }

/** UTF-8 has no lone surrogates. @returns {string} */
const wellFormed = (/** @type {string} */ text) => text.replace(/\p{Surrogate}/gu, '\ufffd')

/** OpenAPI 3.0.4, "Encoding Object": a style makes a property look like a parameter of a query. */
function formText(/** @type {unknown} */ body, /** @type {Encoding} */ encoding) {
  const pairs = Object.entries(Object(body)).flatMap(([name, value]) => {
    const { type, style, explode } = encodingOf(encoding, name)
    if (style !== undefined || explode !== undefined) {
      const written = style ?? 'form'
      const parameter = { in: 'query', name, style: written, explode: explode ?? written === 'form' }
      return inQuery(parameter, value).map((pair) => pair.replaceAll('%5B', '[').replaceAll('%5D', ']'))
    }
    const all = isJson(type ?? '') ? [stringifyExactly(value)] : [value].flat().map(textIn)
    return all.map((text) => String(new URLSearchParams([[name, text]])))
  })
  return pairs.join('&')
}

const encodingOf = (/** @type {Encoding} */ encoding, /** @type {string} */ name) =>
  (Object.hasOwn(encoding, name) && encoding[name]) || {}

/** One for each item of an array. @returns {Part[]} */
function partsOf(/** @type {unknown} */ body, /** @type {Encoding} */ encoding) {
  return Object.entries(Object(body)).flatMap(([name, field]) => {
    const { type, isFile: isAnyFile } = encodingOf(encoding, name)
    return [field].flat().map((value) => {
      if (isAnyFile || isFile(value))
        return { name, type: type ?? (value?.type || undefined), content: fileChunk(value, name) }
      const content = wellFormed(isJson(type ?? '') ? stringifyExactly(value) : textIn(value))
      return { name, type: type ?? (isComposite(value) ? 'application/json' : undefined), content }
    })
  })
}

/** RFC 7578, section 4. @returns {Chunk[]} */
function chunksOf(/** @type {Part} */ { name, type, content }) {
  const isText = typeof content === 'string'
  const file = isText ? '' : `; filename="${nameOfPart(content.file)}"`
  const typed = type ?? (isText ? undefined : 'application/octet-stream')
  const head = `Content-Disposition: form-data; name="${nameOfPart(name)}"${file}\r\n${typed ? `Content-Type: ${typed}\r\n` : ''}`
  return [`--${boundary}\r\n${head}\r\n`, content, '\r\n']
}

/** Neighboring texts as one. @returns {Chunk[]} */
function merged(/** @type {readonly Chunk[]} */ chunks) {
  /** @type {Chunk[]} */
  const all = []
  for (const chunk of chunks) {
    const last = all.at(-1)
    if (typeof chunk === 'string' && typeof last === 'string') all[all.length - 1] = last + chunk
    else all.push(chunk)
  }
  return all
}

/** HTML, "Multipart form data". */
const nameOfPart = (/** @type {string} */ name) =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
