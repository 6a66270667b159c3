// From the values of parameters and a body to a request: of the samples, of the form, and of the tests.
import { stringifyExactly } from './json.js'

/**
 * @typedef {{ name: string, in: string, style: string, explode: boolean, type?: string | undefined }} Parameter
 * @typedef {{ path: string, parameters: readonly Parameter[] }} Template
 * @typedef {Record<string, unknown>} Values by the names of parameters
 * @typedef {{ path: Values, query: Values, headers: Values, cookies: Values, body?: unknown, type?: string | undefined }} Input
 * @typedef {[name: string, value: string]} Pair
 * @typedef {{ scheme: string, label: string, in: string, name: string, prefix: string }} Credential
 * @typedef {Template & {
 *   id: string,
 *   method: string,
 *   credentials: readonly Credential[],
 *   client: { package: string, error: string, section: string } | undefined,
 *   hasResult: boolean,
 * }} Callable what samples need of an operation
 */

/** What a sample writes. @returns {import('./languages.js').Call} */
export function callOf(/** @type {Callable} */ callable, /** @type {Input} */ input, /** @type {string} */ server) {
  const { id, method, credentials, client, hasResult } = callable
  const { path, query, headers, body, type = '' } = input
  const more = Object.entries({ query, headers, body }).filter(
    ([, part]) =>
      part !== undefined && (typeof part !== 'object' || part === body || Object.keys(Object(part)).length > 0),
  )
  const hasBody = body !== undefined && type !== ''
  const credential = credentials.find((one) => one.in !== 'query')
  return {
    method,
    url: `${server}${targetOf(callable, input)}`,
    credential: credential?.in === 'cookie' ? { name: 'Cookie', prefix: `${credential.name}=` } : credential,
    headers: headersOf(callable, input),
    body: hasBody ? bodyText(type, body) : undefined,
    fields: hasBody && isMultipart(type) ? fieldsIn(body) : undefined,
    client: client && { ...client, baseUrl: server },
    operationId: id,
    args: [...Object.values(path), ...(more.length > 0 ? [Object.fromEntries(more)] : [])],
    hasResult,
  }
}

/** A value that would make a path lead elsewhere (RFC 3986, section 5.2.4). */
export class SegmentError extends RangeError {
  constructor(/** @type {string} */ parameter, /** @type {string} */ text) {
    super(`${parameter} must not be "${text}": it would lead to another path.`)
    this.parameter = parameter
  }
}

/** The path with its parameters, and the query. @throws SegmentError @returns {string} */
export function targetOf(
  /** @type {Template} */ { path: template, parameters },
  /** @type {Pick<Input, 'path' | 'query'>} */ { path, query },
) {
  const segments = template.split('/').map((segment) => {
    const filled = segment.replace(/\{([^}]+)\}/g, (_, name) =>
      inPath(parameterOf(parameters, 'path', name), path[name]),
    )
    const [, name] = /\{([^}]+)\}/.exec(segment) ?? []
    if (name !== undefined && /^\.{0,2}$/.test(filled)) throw new SegmentError(name, filled)
    return filled
  })
  const pairs = Object.entries(query).flatMap(([name, value]) => inQuery(parameterOf(parameters, 'query', name), value))
  return pairs.length > 0 ? `${segments.join('/')}?${pairs.join('&')}` : segments.join('/')
}

/** That of the document, or for another name one without a style. @returns {Parameter} */
const parameterOf = (
  /** @type {readonly Parameter[]} */ parameters,
  /** @type {string} */ place,
  /** @type {string} */ name,
) => parameters.find((one) => one.in === place && one.name === name) ?? { style: '', explode: false, name, in: place }

/** The headers of parameters, of cookies among them, and of the body. @returns {Pair[]} */
export function headersOf(
  /** @type {Pick<Template, 'parameters'>} */ { parameters },
  /** @type {Input} */ { headers, cookies, body, type },
) {
  const textOf = (/** @type {string} */ place, /** @type {string} */ name, /** @type {unknown} */ value) =>
    partsOf(parameterOf(parameters, place, name), value, textIn)
  const pairs = Object.entries(cookies).map(([name, value]) => `${name}=${textOf('cookie', name, value).join(',')}`)
  return [
    ...Object.entries(headers).map(
      ([name, value]) => /** @type {Pair} */ ([name, textOf('header', name, value).join(',')]),
    ),
    ...(pairs.length > 0 ? [/** @type {Pair} */ (['Cookie', pairs.join('; ')])] : []),
    ...(body !== undefined && type !== undefined
      ? [/** @type {Pair} */ (['Content-Type', isMultipart(type) ? `${type}; boundary=${boundary}` : type])]
      : []),
  ]
}

export const isJson = (/** @type {string} */ type) => /[/+]json\b/i.test(type)
export const isForm = (/** @type {string} */ type) => /^application\/x-www-form-urlencoded\b/i.test(type)
export const isMultipart = (/** @type {string} */ type) => /^multipart\/form-data\b/i.test(type)

const boundary = 'part-of-the-form'

/** JSON with all digits, a form, or the text itself. @returns {string} */
export function bodyText(/** @type {string} */ type, /** @type {unknown} */ body) {
  if (isForm(type))
    return String(new URLSearchParams(fieldsIn(body).map(([name, text]) => /** @type {Pair} */ ([name, text]))))
  if (isMultipart(type)) {
    const parts = fieldsIn(body).map(([name, value, file]) => {
      const more =
        file === undefined ? '' : `; filename="${nameOfPart(file)}"\r\nContent-Type: application/octet-stream`
      return `--${boundary}\r\nContent-Disposition: form-data; name="${nameOfPart(name)}"${more}\r\n\r\n${value}\r\n`
    })
    return `${parts.join('')}--${boundary}--\r\n`
  }
  return isJson(type) ? stringifyExactly(body) : textIn(body)
}

/** HTML, "Multipart form data". */
const nameOfPart = (/** @type {string} */ name) =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

/** Of a form: one for each item of an array, with the name of a file. @returns {[name: string, text: string, file?: string][]} */
export function fieldsIn(/** @type {unknown} */ body) {
  return Object.entries(Object(body)).flatMap(([name, value]) =>
    [value]
      .flat()
      .map(
        (one) =>
          /** @type {[string, string]} */ ([
            name,
            textIn(one),
            ...(one instanceof Blob ? [Reflect.get(one, 'name')] : []),
          ]),
      ),
  )
}

/** @returns {string} */
export function textIn(/** @type {unknown} */ value) {
  if (value instanceof Blob) return `The bytes of ${Reflect.get(value, 'name')}`
  return typeof value === 'object' && value !== null ? stringifyExactly(value) : String(value)
}
const encoded = (/** @type {unknown} */ value) => encodeURIComponent(textIn(value))

/** The items of an array, the names and values of an object, or the one text. @returns {string[]} */
function partsOf(/** @type {Parameter} */ { type, explode }, /** @type {unknown} */ value, text = encoded) {
  if (type !== undefined) return [text(isJson(type) ? stringifyExactly(value) : value)]
  if (Array.isArray(value)) return value.map(text)
  if (typeof value !== 'object' || value === null) return [text(value)]
  const pairs = Object.entries(value)
  return pairs.flatMap(([name, one]) => (explode ? [`${text(name)}=${text(one)}`] : [text(name), text(one)]))
}

/** OpenAPI 3.0.4, "Style Values". */
function inPath(/** @type {Parameter} */ parameter, /** @type {unknown} */ value) {
  const { name, style, explode } = parameter
  const parts = partsOf(parameter, value ?? '')
  if (style === 'label') return `.${parts.join(explode ? '.' : ',')}`
  if (style !== 'matrix') return parts.join(',')
  if (!explode) return `;${name}=${parts.join(',')}`
  return parts
    .map((part) => (Array.isArray(value) || typeof value !== 'object' ? `;${name}=${part}` : `;${part}`))
    .join('')
}

/** @returns {string[]} */
function inQuery(/** @type {Parameter} */ parameter, /** @type {unknown} */ value) {
  const { style, explode, type } = parameter
  const name = encodeURIComponent(parameter.name)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (style === 'deepObject' && isObject) {
    return Object.entries(value).flatMap(([key, one]) =>
      [one].flat().map((text) => `${name}%5B${encodeURIComponent(key)}%5D=${encoded(text)}`),
    )
  }
  const parts = partsOf(parameter, value)
  if (explode && type === undefined && isObject) return parts
  if (explode) return parts.map((part) => `${name}=${part}`)
  const separator = style === 'spaceDelimited' ? '%20' : style === 'pipeDelimited' ? '%7C' : ','
  return [`${name}=${parts.join(separator)}`]
}
