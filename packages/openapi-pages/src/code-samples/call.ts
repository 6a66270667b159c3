// A call of an operation, as its examples describe it: what a sample writes in its language.

import type { Model, Operation } from 'exact-openapi'
import { stringify } from 'lossless-json'
import { exampleRequest, targetOf } from '../example-request.ts'
import { type ApiClient, ofInfo } from '../extensions.ts'
import { exampleServer } from '../server.ts'

export interface Call {
  client: ApiClient | undefined
  operationId: string
  method: string
  url: string
  /** The credential, as a header with the key in place of `$API_KEY`; undefined if the operation is open or has none. */
  credential: { name: string; prefix: string } | undefined
  headers: [name: string, value: string][]
  body: string | undefined
  /** The arguments of the typed client's method. */
  args: readonly unknown[]
  hasResult: boolean
}

export function callOf(model: Model, operation: Operation): Call {
  const { type, body, ...request } = exampleRequest(operation)
  const input = Object.entries({ query: request.query, headers: request.headers, body }).filter(
    ([, part]) => part !== undefined && Object.keys(Object(part)).length > 0,
  )
  const args = [...Object.values(request.path), ...(input.length > 0 ? [Object.fromEntries(input)] : [])]
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)])
  const hasBody = type !== undefined && body !== undefined
  return {
    client: ofInfo(model.info)['x-client'],
    operationId: operation.id,
    method: operation.method,
    url: `${exampleServer}${targetOf(operation, request)}`,
    credential: credentialOf(model, operation),
    headers: hasBody ? [...headers, ['Content-Type', type]] : headers,
    body: hasBody ? bodyText(type, body) : undefined,
    args,
    hasResult: operation.responses.some(({ status, media }) => status.startsWith('2') && media.length > 0),
  }
}

/** JSON with all digits, a form, or the text itself. */
function bodyText(type: string, body: unknown): string {
  if (typeof body === 'string' && !/[/+]json\b/i.test(type)) return body
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return String(stringify(body))
  const pairs = Object.entries(body as object).flatMap(([name, value]) =>
    [value]
      .flat()
      .map((one): [string, string] => [name, typeof one === 'object' ? String(stringify(one)) : String(one)]),
  )
  return String(new URLSearchParams(pairs))
}

/** How the first alternative of the operation's security sends its key. A key in the query is left to the reader. */
function credentialOf({ securitySchemes }: Model, { security = [] }: Operation): Call['credential'] {
  const scheme = securitySchemes.get(String(security[0]?.[0]))
  if (!scheme) return undefined
  if (scheme.type === 'apiKey') {
    if (scheme.in === 'query') return undefined
    return scheme.in === 'cookie' ? { name: 'Cookie', prefix: `${scheme.name}=` } : { name: scheme.name, prefix: '' }
  }
  const isBasic = scheme.type === 'http' && scheme.scheme.toLowerCase() === 'basic'
  return { name: 'Authorization', prefix: isBasic ? 'Basic ' : 'Bearer ' }
}
