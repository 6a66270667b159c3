// The requests that trigger the responses of the document, from its examples and the `x-request` of error examples.

import type { Document } from 'exact-openapi'
import { type Example, modelOf, type Operation, type Response } from 'exact-openapi/model'
import { targetOf } from '../../packages/openapi-pages/browser/request.js'
import { type ExampleRequest, exampleRequest } from '../../packages/openapi-pages/src/example-request.ts'

export interface TestRequest {
  operationId: string
  /** The status that the document declares, as text. */
  status: string
  method: string
  path: string
  /** A header that is empty is not sent. */
  headers: Record<string, string>
  body?: string | undefined
  /**
   * The state of the server: `impatient` waits no longer for the body, `limited` has no quota left, and
   * `afterInvalidKeys` has seen too many invalid keys.
   */
  server?: 'failing' | 'unreachable' | 'impatient' | 'limited' | 'afterInvalidKeys'
  /** Why no client of the usual server triggers it. */
  whySkipped?: string
}

type Change = Pick<TestRequest, 'server' | 'whySkipped'> & {
  method?: string
  suffix?: string
  headers?: Record<string, string>
}

const large = 'x'.repeat(20_000)
const wrongKey = { Authorization: 'Bearer wrong' }

/** Requests that trigger a status at any operation. */
const shared: Record<string, Change[]> = {
  304: [{ headers: { 'If-None-Match': '*' } }],
  400: [{ headers: { Host: 'a b' }, whySkipped: 'only a malformed message triggers it' }],
  401: [{ headers: wrongKey }, { headers: { Authorization: '' } }],
  403: [{ headers: { Authorization: 'Bearer read-only-key' }, whySkipped: 'it takes a read-only key' }],
  406: [{ headers: { Accept: 'text/html' } }],
  408: [{ headers: { 'Content-Length': '2' }, server: 'impatient', whySkipped: 'it takes a client that stalls' }],
  412: [{ headers: { 'If-Match': '"a"' } }],
  413: [{ headers: { 'Content-Length': '2000000' }, whySkipped: 'clients send no body that is too large' }],
  414: [{ suffix: `?${large}`, whySkipped: 'clients send no such line' }],
  415: [{ headers: { 'Content-Type': 'text/x-unknown' } }],
  417: [{ headers: { Expect: 'tea' }, whySkipped: 'fetch sends no Expect' }],
  429: [
    { server: 'limited', whySkipped: 'it takes a server with a limit' },
    { headers: wrongKey, server: 'afterInvalidKeys', whySkipped: 'it takes a server with a limit' },
  ],
  431: [{ headers: { 'X-Large': large }, whySkipped: 'clients send no such header' }],
  500: [{ server: 'failing', whySkipped: 'it takes a handler that fails' }],
  501: [{ method: 'FOO', whySkipped: 'fetch sends no unknown method' }],
  503: [{ server: 'unreachable', whySkipped: 'it takes a database that fails' }],
}

/** In the order of the document. A status that no request triggers is missing. */
export function requestsOf(document: Document): TestRequest[] {
  return modelOf(document).operations.flatMap((operation) => {
    const { method } = operation
    const example = exampleRequest(operation)
    const ask = (
      status: string,
      request: ExampleRequest,
      { suffix = '', headers = {}, ...change }: Change = {},
    ): TestRequest => {
      const all = { ...(request.type && { 'Content-Type': request.type }), ...request.headers, ...headers }
      const hasBody = request.body !== undefined && !('Content-Length' in headers)
      const body = typeof request.body === 'string' ? request.body : JSON.stringify(request.body)
      return {
        operationId: operation.id,
        status,
        method,
        path: `${targetOf(operation, request)}${suffix}`,
        ...change,
        headers: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, String(value)])),
        ...(hasBody && { body }),
      }
    }
    return operation.responses.flatMap((response) => {
      const { status } = response
      const own = ownRequests(response).map((change) => ask(status, { ...example, ...change }))
      const malformed = status === '400' ? malformedRequests(operation, example) : []
      if (status.startsWith('2')) own.push(ask(status, example))
      if (status === '200' && method === 'GET')
        own.push(ask(status, example, { headers: { 'Accept-Encoding': 'gzip' } }))
      if (status === '405') own.push(ask(status, example, { method: otherMethod(document, operation.path) }))
      const alike = (shared[status] ?? []).map((change) => ask(status, example, change))
      return [...own, ...malformed.map((request) => ask(status, request)), ...alike]
    })
  })
}

function ownRequests({ media }: Response): Partial<ExampleRequest>[] {
  const examples: readonly Example[] = media.flatMap((one) => one.examples)
  return examples.flatMap((example) => (example['x-request'] ? [example['x-request'] as Partial<ExampleRequest>] : []))
}

/** An invalid number, and an invalid JSON body. */
function malformedRequests({ parameters }: Operation, example: ExampleRequest) {
  const [first] = parameters.filter(
    (one) => (one.in === 'path' || one.in === 'query') && /integer|number/.test(String(one.schema?.type)),
  )
  const place = first?.in as 'path' | 'query'
  return [
    ...(first ? [{ ...example, [place]: { ...example[place], [first.name]: 'x' } }] : []),
    ...(example.type?.includes('json') ? [{ ...example, body: '{' }] : []),
  ]
}

function otherMethod(document: Document, path: string): string {
  const used = modelOf(document)
    .operations.filter((one) => one.path === path)
    .map(({ method }) => method)
  return ['PUT', 'PATCH', 'POST', 'DELETE'].find((method) => !used.includes(method)) ?? 'TRACE'
}
