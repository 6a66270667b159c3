// Calls operations as a table describes them.
import { decode, encode } from './body.ts'
import { errorOf, infoOf } from './errors.ts'
import { type ClientOptions, checked, keyOf } from './options.ts'
import { readAt, readers } from './read.ts'
import { retrying } from './retry.ts'
import type { CallOptions, Operation, Table } from './types.ts'
import { definedOf, pairsOf, pathOf } from './uri.ts'

interface Options extends CallOptions {
  query?: Record<string, unknown>
  headers?: Record<string, unknown>
  body?: unknown
}

/**
 * A method for each operation. It takes the path parameters, then one object with everything else: a parameter or body that
 * an operation gains is a new key of that object, and no call changes.
 * @throws TypeError that names the first option that is missing or invalid
 */
export function methodsOf<Name extends string>({ operations, schemas }: Table<Name>, options: ClientOptions) {
  const { baseUrl, apiKey, ...sending } = checked(options)
  const send = retrying(sending)
  const read = readers(schemas)
  const check = readers(schemas, false)
  /** The last response with an ETag, by operation. */
  const known = new Map<string, { url: string; etag: string; body: unknown }>()

  async function call(id: Name, args: readonly unknown[]): Promise<unknown> {
    const { method, path, parameters, joined, type, hasETag, responses } = operations[id]
    const values = parameters.map(({ name, schema }, at) => readAt(check(schema), args[at], name))
    const filled = pathOf(path, values)
    const { query = {}, headers, body, signal = null, onResponse } = (args[values.length] ?? {}) as Options
    const search = pairsOf(query, joined)
    const url = `${baseUrl.replace(/\/$/, '')}${filled}${search && `?${search}`}`
    const last = known.get(id)?.url === url ? known.get(id) : undefined

    const sent = body === undefined ? null : encode(String(type), body)
    const headersOf = async () =>
      definedOf({
        authorization: `Bearer ${await keyOf(apiKey)}`,
        'if-none-match': last?.etag,
        accept: acceptOf(responses),
        // `fetch` adds the type of a FormData, with its boundary.
        'content-type': sent === null || sent instanceof FormData ? undefined : type,
        ...headers,
      })
    const response = await send({ url, method, body: sent, signal, headers: headersOf })
    const { status } = response
    onResponse?.(infoOf(response))
    if (last && status === 304) return last.body
    const isSuccess = status >= 200 && status < 300
    const content = isSuccess && (responses[status] ?? responses['2XX'] ?? responses.default)
    if (!content) throw await errorOf(response)
    const result = await decode(read, content, response)
    const etag = response.headers.get('etag')
    known.delete(id)
    if (hasETag && etag !== null) known.set(id, { url, etag, body: result })
    return result
  }

  const names = Object.keys(operations) as Name[]
  const methods = names.map((id) => [id, (...args: unknown[]) => call(id, args)])
  return Object.fromEntries(methods) as Record<Name, (...args: unknown[]) => Promise<unknown>>
}

/** Every media type of the responses. */
function acceptOf(responses: Operation['responses']): string | undefined {
  const types = new Set(Object.values(responses).flatMap((content) => Object.keys(content)))
  return types.size > 0 ? [...types].join(', ') : undefined
}
