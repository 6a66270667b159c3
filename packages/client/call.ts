// Calls operations as a table describes them.
import { decode, encode, textOf } from './body.ts'
import { errorOf, infoOf } from './errors.ts'
import { readerOf } from './read.ts'
import { type Fetch, type RetryOptions, retrying } from './retry.ts'
import type { CallOptions, Operation, Table } from './types.ts'
import { definedOf, pairsOf, pathOf } from './uri.ts'

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
export function methodsOf<Name extends string>({ operations, schemas }: Table<Name>, options: ClientOptions) {
  const { baseUrl, apiKey, fetch = globalThis.fetch, ...retry } = options
  for (const [name, value] of Object.entries({ baseUrl, apiKey })) {
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`createClient needs ${name}, a non-empty string.`)
  }
  const send = retrying(fetch, retry)
  const read = readerOf(schemas)
  /** The last response with an ETag, by operation. */
  const known = new Map<string, { url: string; etag: string; body: unknown }>()

  async function call(id: Name, given: readonly unknown[]): Promise<unknown> {
    const { method, path, parameters, joined, type, hasETag, responses } = operations[id]
    const values = parameters.map(({ name, schema }, at) => read(schema, given[at], name))
    const filled = pathOf(path, values)
    const { query = {}, headers, body, signal = null, onResponse } = (given[values.length] ?? {}) as Options
    const search = pairsOf(query, joined)
    const url = `${baseUrl.replace(/\/$/, '')}${filled}${search && `?${search}`}`
    const last = known.get(id)?.url === url ? known.get(id) : undefined

    const sent = body === undefined ? null : encode(String(type), body)
    const request = new Request(url, {
      method,
      signal,
      headers: definedOf({
        authorization: `Bearer ${apiKey}`,
        'if-none-match': last?.etag,
        accept: acceptOf(responses),
        // `fetch` writes that of a FormData, with its boundary.
        'content-type': sent === null || sent instanceof FormData ? undefined : type,
        ...headers,
      }),
      body: sent,
      // The API never redirects: a followed redirect may turn a DELETE into a GET, whose response says nothing about it.
      redirect: 'manual',
    })
    const response = await send(request)
    const bytes = new Uint8Array(await response.arrayBuffer())
    onResponse?.(infoOf(response))
    if (last && response.status === 304) return last.body
    const content = response.ok && (responses[response.status] ?? responses['2XX'] ?? responses.default)
    if (!content) throw errorOf(response, textOf(bytes))
    const result = decode(read, content, response, bytes)
    const etag = response.headers.get('etag')
    known.delete(id)
    if (hasETag && etag !== null) known.set(id, { url, etag, body: result })
    return result
  }

  const names = Object.keys(operations) as Name[]
  const methods = names.map((id) => [id, (...given: unknown[]) => call(id, given)])
  return Object.fromEntries(methods) as Record<Name, (...given: unknown[]) => Promise<unknown>>
}

/** What an operation is asked for: any of its media types. */
function acceptOf(responses: Operation['responses']): string | undefined {
  const types = new Set(Object.values(responses).flatMap((content) => Object.keys(content)))
  return types.size > 0 ? [...types].join(', ') : undefined
}
