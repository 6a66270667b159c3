// Calls operations as a table describes them.
import { stringify } from 'lossless-json'
import { errorOf, infoOf, isJson, unexpected } from './errors.ts'
import type { ResponseHead } from './platform.ts'
import { read, readJson } from './read.ts'
import { type Fetch, type RetryOptions, retrying } from './retry.ts'
import type { CallOptions, Operation, Schema } from './types.ts'

export interface ClientOptions extends RetryOptions {
  /** The address of the API, which ends in `/v1`: `https://api.example.com/v1`. */
  baseUrl: string
  /** Goes with every request as its bearer token. */
  apiKey: string
  /** Sends the requests; the `fetch` of the platform unless another is given. */
  fetch?: Fetch | undefined
}

interface Options extends CallOptions {
  query?: Record<string, unknown>
  headers?: Record<string, unknown>
  body?: unknown
}

/**
 * A method for each operation. It takes the path parameters, then one object with everything else: a parameter or body that
 * an operation gains is a new key of that object, and no call changes.
 * @throws TypeError when `baseUrl` or `apiKey` is missing
 */
export function methodsOf<Name extends string>(operations: Readonly<Record<Name, Operation>>, options: ClientOptions) {
  const { baseUrl, apiKey, fetch = globalThis.fetch, ...retry } = options
  for (const [name, value] of Object.entries({ baseUrl, apiKey })) {
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`createClient needs ${name}, a non-empty string.`)
  }
  const send = retrying(fetch, retry)
  /** The last response with an ETag, by operation. */
  const known = new Map<string, { url: string; etag: string; body: unknown }>()

  async function call(id: Name, given: readonly unknown[]): Promise<unknown> {
    const { method, path, parameters, joined, type = '', hasETag, responses } = operations[id]
    const values = parameters.map(({ name, schema }, at) => segmentOf(name, joinedText(read(schema, given[at], name))))
    const { query = {}, headers, body, signal = null, onResponse } = (given[values.length] ?? {}) as Options
    const filled = path.replace(/\{[^}]+\}/g, () => String(values.shift()))
    const search = pairsOf(query, joined)
    const url = `${baseUrl.replace(/\/$/, '')}${filled}${search && `?${search}`}`
    const last = known.get(id)?.url === url ? known.get(id) : undefined

    const request = new Request(url, {
      method,
      signal,
      headers: definedOf({
        authorization: `Bearer ${apiKey}`,
        'if-none-match': last?.etag,
        'content-type': body === undefined ? undefined : type,
        ...headers,
      }),
      body: body === undefined ? null : encode(type, body),
      // The API never redirects: a followed redirect may turn a DELETE into a GET, whose response says nothing about it.
      redirect: 'manual',
    })
    const response = await send(request)
    const text = await response.text()
    onResponse?.(infoOf(response))
    if (last && response.status === 304) return last.body
    if (!Object.hasOwn(responses, response.status)) throw errorOf(response, text)
    const schema = responses[response.status]
    const result = schema ? bodyOf(response, text, schema) : undefined
    const etag = response.headers.get('etag')
    known.delete(id)
    if (hasETag && etag !== null) known.set(id, { url, etag, body: result })
    return result
  }

  const names = Object.keys(operations) as Name[]
  const methods = names.map((id) => [id, (...given: unknown[]) => call(id, given)])
  return Object.fromEntries(methods) as Record<Name, (...given: unknown[]) => Promise<unknown>>
}

/** A dot segment or an empty one would lead to another path (RFC 3986, section 5.2.4). */
function segmentOf(name: string, text: string): string {
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`${name} must not be "${text}": it would lead to another path.`)
  return text
}

function bodyOf(response: ResponseHead, text: string, schema: Schema): unknown {
  if (!isJson(response)) throw unexpected(response, text)
  try {
    return readJson(schema, text)
  } catch (cause) {
    throw unexpected(response, text, cause)
  }
}

function encode(type: string, body: unknown) {
  if (/\bjson$/.test(type)) return String(stringify(body))
  if (type === 'application/x-www-form-urlencoded') return pairsOf(body as Record<string, unknown>)
  return body as string | Uint8Array<ArrayBuffer>
}

/** An array is joined by commas, which are not encoded (RFC 6570). */
const joinedText = (value: unknown): string => [value].flat().map(encoded).join(',')

const encoded = (value: unknown): string =>
  encodeURIComponent(typeof value === 'object' ? String(stringify(value)) : String(value))

/** An array has a pair for each item, unless it is joined. */
function pairsOf(fields: Record<string, unknown>, joined: readonly string[] = []): string {
  const pairs = Object.entries(definedOf(fields)).flatMap(([name, value]: [string, unknown]) => {
    const texts = joined.includes(name) ? [joinedText(value)] : [value].flat().map(encoded)
    return texts.map((text) => `${encoded(name)}=${text}`)
  })
  return pairs.join('&')
}

const definedOf = (fields: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Record<string, string>
