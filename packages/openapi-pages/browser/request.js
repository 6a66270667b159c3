// One picture of a request: from the values of parameters and a body to what samples, the form and the tests send.
import { bodyOf } from './body.js'
import { inPath, inQuery, partsOf, textIn } from './styles.js'

/**
 * @typedef {import('./styles.js').Parameter} Parameter
 * @typedef {{ path: string, parameters: readonly Parameter[] }} Template
 * @typedef {Record<string, unknown>} Values by the names of parameters
 * @typedef {{ path: Values, query: Values, headers: Values, cookies: Values, body?: unknown, type?: string | undefined, encoding?: import('./body.js').Encoding | undefined }} Input
 * @typedef {{ scheme: string, label: string, in: string, name: string, prefix: string, variables: readonly string[] }} Credential
 *   what sends it: `variables` hold the key in samples, or a user name and a password
 * @typedef {{ scheme: string, variables: readonly string[], encoding?: 'percent' | 'base64' | undefined }} Secret what only the reader has
 * @typedef {readonly (string | Secret)[]} Text
 * @typedef {{
 *   method: string,
 *   url: Text,
 *   headers: readonly (readonly [name: string, value: Text])[],
 *   body: import('./body.js').Body | undefined,
 *   client: { package: string, error: string, section: string, baseUrl: string } | undefined,
 *   operationId: string,
 *   args: readonly unknown[],
 *   hasResult: boolean,
 * }} Call the picture; `args` of the typed client's method
 * @typedef {Template & {
 *   id: string,
 *   method: string,
 *   servers?: readonly string[] | undefined,
 *   alternatives: readonly { name: string, credentials: readonly Credential[] }[],
 *   accept: readonly string[],
 *   client: { package: string, error: string, section: string } | undefined,
 *   hasResult: boolean,
 * }} Callable what a request needs of an operation: `servers` of its own, each way to be allowed, the usual one
 *   first, and the types of its result, if there are several
 */

/** @param server the base URL @param credentials all that it sends @returns {Call} */
export function callOf(
  /** @type {Callable} */ callable,
  /** @type {Input} */ input,
  /** @type {string} */ server,
  /** @type {readonly Credential[]} */ credentials = callable.alternatives[0]?.credentials ?? [],
) {
  const {
    id,
    method,
    client,
    hasResult,
    accept: [usual, another],
  } = callable
  const { path, query, headers, body, type, encoding } = input
  const { Accept: accept = another && usual, ...others } = headers // a client knows which types it reads
  const more = Object.entries({ query, headers: others, body }).filter(
    ([, part]) =>
      part !== undefined && (typeof part !== 'object' || part === body || Object.keys(Object(part)).length > 0),
  )
  const isSent = body !== undefined && type !== undefined && method !== 'HEAD'
  const sent = isSent ? bodyOf(type, body, encoding) : undefined
  return {
    method,
    url: urlOf(`${server}${targetOf(callable, input)}`, credentials),
    headers: headersOf(
      callable,
      { ...input, headers: accept === undefined ? others : { Accept: accept, ...others } },
      credentials,
      sent?.type,
    ),
    body: sent,
    client: client && { ...client, baseUrl: server },
    operationId: id,
    args: [...Object.values(path), ...(more.length > 0 ? [Object.fromEntries(more)] : [])],
    hasResult,
  }
}

/** @returns {Text} */
function urlOf(/** @type {string} */ url, /** @type {readonly Credential[]} */ credentials) {
  const keys = credentials.filter((credential) => credential.in === 'query')
  const pairs = keys.map((key, at) => [
    `${at > 0 || url.includes('?') ? '&' : '?'}${encodeURIComponent(key.name)}=`,
    secretOf(key, 'percent'),
  ])
  return joined([url, ...pairs.flat()])
}

/** @returns {Secret} */
const secretOf = (/** @type {Credential} */ { scheme, variables }, /** @type {Secret['encoding']} */ encoding) => ({
  scheme,
  variables,
  encoding,
})

/** Without empty texts, and neighboring ones as one. @returns {Text} */
export function joined(/** @type {Text} */ pieces) {
  /** @type {(string | Secret)[]} */
  const all = []
  for (const piece of pieces.filter((text) => text !== '')) {
    const last = all.at(-1)
    if (typeof piece === 'string' && typeof last === 'string') all[all.length - 1] = last + piece
    else all.push(piece)
  }
  return all
}

/** A value that would make a path lead elsewhere (RFC 3986, section 5.2.4). */
export class SegmentError extends RangeError {
  constructor(/** @type {string} */ parameter, /** @type {string} */ text) {
    super(`${parameter} must not be "${text}": it would lead to another path.`)
    this.parameter = parameter
  }
}

/** The path with its parameters, and the query. Some documents tell operations apart by fragments. @throws SegmentError @returns {string} */
export function targetOf(
  /** @type {Template} */ { path: template, parameters },
  /** @type {Pick<Input, 'path' | 'query'>} */ { path, query },
) {
  const segments = template
    .replace(/#.*/s, '')
    .split('/')
    .map((segment) => {
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
  /** @type {string} */ location,
  /** @type {string} */ name,
) =>
  parameters.find((parameter) => parameter.in === location && parameter.name === name) ?? {
    style: '',
    explode: false,
    name,
    in: location,
  }

/** Those of keys and parameters, all cookies in one, and the type of the body. @returns {(readonly [string, Text])[]} */
function headersOf(
  /** @type {Pick<Template, 'parameters'>} */ { parameters },
  /** @type {Input} */ { headers, cookies },
  /** @type {readonly Credential[]} */ credentials,
  /** @type {string | undefined} */ type,
) {
  const textOf = (/** @type {string} */ location, /** @type {string} */ name, /** @type {unknown} */ value) =>
    partsOf(parameterOf(parameters, location, name), value, textIn).join(',')
  const keys = credentials.filter((credential) => credential.in === 'header')
  const pairs = [
    ...credentials
      .filter((credential) => credential.in === 'cookie')
      .map((key) => [`${key.name}=`, secretOf(key, undefined)]),
    ...Object.entries(cookies).map(([name, value]) => [`${name}=${textOf('cookie', name, value)}`]),
  ]
  return [
    ...keys.map((key) => {
      const encoding = key.variables.length > 1 ? 'base64' : undefined
      return /** @type {const} */ ([key.name, joined([key.prefix, secretOf(key, encoding)])])
    }),
    ...Object.entries(headers).map(([name, value]) => /** @type {const} */ ([name, [textOf('header', name, value)]])),
    ...(pairs.length > 0
      ? [/** @type {const} */ (['Cookie', joined(pairs.flatMap((pair, at) => (at > 0 ? ['; ', ...pair] : pair)))])]
      : []),
    ...(type === undefined ? [] : [/** @type {const} */ (['Content-Type', [type]])]),
  ]
}
