// The client against operations of every kind, each of which echoes its input.
import type { Document } from 'exact-openapi'
import t, { type Test } from 'tap'
import { documentOf } from 'test-kit/document'
import { buildDocumentApp } from 'test-kit/document-app'
import { segments } from 'test-kit/segments'
import { methodsOf } from '../call.ts'
import { UnexpectedResponseError } from '../errors.ts'
import type { Fetch } from '../platform.ts'
import { tableOf } from '../scripts/generate.ts'
import { answering, json } from './answering.ts'

const int64 = { type: 'integer', format: 'int64' }
const string = { type: 'string' }
const array = (items: object) => ({ type: 'array', items })
const object = (properties: object) => ({ type: 'object', properties })
const parameter = (place: string, name: string, schema: object, more = {}) => {
  return { in: place, name, schema, ...(place === 'path' && { required: true }), ...more }
}
const body = (type: string, schema: object) => ({ requestBody: { content: { [type]: { schema } } } })
const response = (schema: object) => ({ description: 'It.', content: { 'application/json': { schema } } })
const asking = (operation: object, schemas?: object) =>
  documentOf({ '/a': { get: { operationId: 'ask', ...operation } } }, schemas && ({ schemas } as never))

/** The client of a document, and what it calls. */
async function connected(t: Test, document: Document, handlers = {}) {
  const { app, got } = await buildDocumentApp(t, document, { handlers })
  const baseUrl = `${await app.listen({ host: '127.0.0.1', port: 0 })}/v1`
  return { client: methodsOf(tableOf(document), { baseUrl, apiKey: 'any' }), got }
}

/** The operation of a client whose requests are sent by `fetch`. */
const askWith = (fetch: Fetch, operation: object) =>
  methodsOf(tableOf(asking(operation)), { baseUrl: 'http://x/v1', apiKey: 'any', fetch }).ask as (
    input?: object,
  ) => Promise<unknown>

/** Calls an operation with these responses, whose server responds with this JSON. */
async function asked(t: Test, responses: object, status: number, body: string) {
  const { baseUrl } = await answering(t, json(status, body))
  return methodsOf(tableOf(asking({ responses })), { baseUrl, apiKey: 'any' }).ask?.()
}

async function clientFor(t: Test, operation: object, template = '/a') {
  const responses = { 204: { description: 'Done.' } }
  const post = { operationId: 'echo', security: [], responses, ...operation }
  const { client, got } = await connected(t, documentOf({ [template]: { post } }))
  return async (...args: unknown[]) => {
    t.equal(await client.echo?.(...args), undefined)
    return got.echo
  }
}

t.test('parameters of every kind arrive unchanged', async (t) => {
  const parameters = [
    parameter('path', 'id', int64),
    parameter('path', 'name', string),
    parameter('query', 'ids', array(int64)),
    parameter('query', 'tags', array(string), { explode: false }),
    parameter('query', 'none', string),
    parameter('header', 'X-Id', int64),
  ]
  const echo = await clientFor(t, { parameters }, '/a/{id}/{name}')
  const [id, query, headers] = [2n ** 63n - 1n, { ids: [1n, -5n], tags: ['x', 'y'] }, { 'X-Id': -(2n ** 63n) }]
  const got = await echo(id, 'a/ü', { query: { ...query, none: undefined }, headers })
  t.strictSame(got, { path: { id, name: 'a/ü' }, query, headers })
  t.strictSame(await echo(1n, 'b'), { path: { id: 1n, name: 'b' }, query: {}, headers: {} })
})

t.test('bodies are serialized for their media type', async (t) => {
  const bytes = new Uint8Array([255, 0])
  const form = new FormData()
  form.append('id', '5')
  const pet = object({ id: int64 })
  const sent: [type: string, schema: object, value: unknown, arrives?: unknown][] = [
    ['application/json', object({ id: int64, list: array(string) }), { id: 2n ** 63n - 1n, list: ['ü'] }],
    [
      'application/x-www-form-urlencoded',
      object({ id: int64, tags: array(string), pet }),
      { id: 5n, tags: ['a', 'b c'], pet: { id: 5n } },
    ],
    ['Application/X-WWW-Form-URLencoded; charset=utf-8', object({ id: int64 }), { id: 5n }],
    ['text/plain', string, 'some text'],
    ['application/octet-stream', { type: 'string', format: 'binary' }, bytes, Buffer.from(bytes)],
    ['multipart/form-data', object({ id: int64 }), form, { id: 5n }],
    [
      'Multipart/Form-Data',
      object({ ids: array(int64), pet, none: string }),
      { ids: [5n, 6n], pet: { id: 7n }, none: undefined },
      { ids: [5n, 6n], pet: { id: 7n } },
    ],
  ]
  for (const [type, schema, value, arrives = value] of sent) {
    const echo = await clientFor(t, body(type, schema))
    t.strictSame(await echo({ body: value }), { body: arrives }, type)
    t.strictSame(await echo(), {}, `${type}, no body`)
  }
})

t.test('a response may have the schema of another', async (t) => {
  const $ref = '#/paths/~1a/get/responses/200/content/application~1json/schema'
  const responses = { 200: response(object({ id: int64 })), 201: response({ $ref }) }
  const body = await asked(t, responses, 201, '{"id":9007199254740993}')
  t.strictSame(body, { id: 9007199254740993n })
})

t.test('a response need not have what is writeOnly', async (t) => {
  const schema = { ...object({ name: string, key: { ...string, writeOnly: true } }), required: ['name', 'key'] }
  t.strictSame(await asked(t, { 200: response(schema) }, 200, '{"name":"a"}'), { name: 'a' })
})

t.test('a body is read by its media type, and asked for by it', async (t) => {
  const chip = object({ chip: int64 })
  const value = { chip: 9007199254740993n }
  const exact = '{"chip":9007199254740993}'
  const csv = { 'text/csv': { schema: string } }
  const bytes = new TextEncoder().encode(exact)
  const cases: [status: string, content: object, type: string, result: unknown, accept?: string][] = [
    ['200', csv, 'text/csv;charset=utf-8', exact, 'text/csv'],
    ['200', { 'application/hal+json': { schema: chip } }, 'application/hal+json', value, 'application/hal+json'],
    ['200', { ...csv, 'text/json; v=1': { schema: chip } }, 'text/json', value, 'text/json; v=1'],
    ['200', { 'application/json': {} }, 'Application/JSON ; charset=utf-8', { chip: 2 ** 53 }, 'application/json'],
    ['200', { 'application/*': {}, ...csv }, 'application/pdf', bytes, 'application/*, text/csv'],
    ['2XX', csv, 'text/csv', exact, 'text/csv'],
    ['default', csv, 'text/csv', exact, 'text/csv'],
    ['200', csv, 'text/csv, text/csv', exact, 'text/csv'],
    ['200', csv, 'text/html', UnexpectedResponseError],
    ['200', csv, '', UnexpectedResponseError],
    ['300', csv, 'text/csv', UnexpectedResponseError],
    ['200', {}, 'text/csv', undefined, '*/*'],
  ]
  for (const [status, content, type, result, accept = 'text/csv'] of cases) {
    const others = { 200: { '2XX': {} }, '2XX': { default: {} } }
    const responses = { [status]: { description: 'It.', content }, ...others[status as '2XX'] }
    const fetch: Fetch = async (_url, { headers }) => {
      t.equal(headers.accept ?? '*/*', status === '300' ? '*/*' : accept)
      return new Response(bytes, { headers: { 'content-type': type } })
    }
    const outcome = await askWith(fetch, { responses })().catch((error) => error.constructor)
    t.strictSame(outcome, result, `${status} ${type}`)
  }
})

t.test('an alternative is read by its discriminator', async (t) => {
  const schemas = { Cat: object({ kind: string, id: int64 }), Dog: object({ kind: string, id: { type: 'number' } }) }
  const schema = {
    oneOf: Object.keys(schemas).map((name) => ({ $ref: `#/components/schemas/${name}` })),
    discriminator: { propertyName: 'kind', mapping: { dog: 'Dog' } },
  }
  const { baseUrl } = await answering(t, json(200, '{"kind":"dog","id":5}'), json(200, '{"kind":"Cat","id":5}'))
  const table = tableOf(asking({ responses: { 200: response(schema) } }, schemas))
  const { ask } = methodsOf(table, { baseUrl, apiKey: 'any' })
  t.strictSame(await ask?.(), { kind: 'dog', id: 5 })
  t.strictSame(await ask?.(), { kind: 'Cat', id: 5n })
})

t.test('an ETag is sent only for the URL that it came from', async (t) => {
  const responses = { 200: response(string), 304: {} }
  const fetch: Fetch = async (url, { headers }) => {
    const etag = new URL(url).search
    if (new Headers(headers).get('if-none-match') !== null) return new Response(null, { status: 304 })
    return new Response(JSON.stringify(etag), { headers: { 'content-type': 'application/json', etag } })
  }
  const ask = askWith(fetch, { parameters: [parameter('query', 'q', string)], responses })
  for (const q of ['1', '2', '2']) t.equal(await ask({ query: { q } }), `?q=${q}`)
})

t.test('an ETag counts until a response without one, and only in operations that have a 304', async (t) => {
  const ask = async (responses: object, ...tags: (string | undefined)[]) => {
    const asked: unknown[] = []
    const fetch: Fetch = async (_url, { headers }) => {
      const etag = tags[asked.push(headers['if-none-match']) - 1]
      return new Response('"a"', { headers: { 'content-type': 'application/json', ...(etag && { etag }) } })
    }
    const ask = askWith(fetch, { responses })
    for (const _ of tags) await ask()
    return asked
  }
  t.strictSame(await ask({ 200: response(string), 304: {} }, '"1"', undefined, '"3"'), [undefined, '"1"', undefined])
  t.strictSame(await ask({ 200: response(string) }, '"1"', '"2"'), [undefined, undefined])
  const unasked = askWith(async () => new Response(null, { status: 304 }), {
    responses: { 200: response(string), 304: {} },
  })
  await t.rejects(unasked(), { name: 'UnexpectedResponseError', status: 304 })
})

t.test('a header of a call replaces that of the client', async (t) => {
  const sent: unknown[] = []
  const fetch: Fetch = async (_url, { headers }) => {
    sent.push(headers['if-none-match'])
    return new Response('"a"', { headers: { 'content-type': 'application/json', etag: '"1"' } })
  }
  const ask = askWith(fetch, { responses: { 200: response(string), 304: {} } })
  for (const headers of [{}, { 'if-none-match': '"own"' }]) await ask({ headers })
  t.strictSame(sent, [undefined, '"own"'])
})

t.test('an identifier that would lead to another path is refused before anything is sent', async (t) => {
  for (const [template, value, path] of segments) {
    const schema = typeof value === 'string' ? string : array(string)
    const remove = { operationId: 'remove', parameters: [parameter('path', 'q', schema)], responses: { 204: {} } }
    const sent: string[] = []
    const fetch: Fetch = async (url) => {
      sent.push(new URL(url).href)
      return new Response(null, { status: 204 })
    }
    const options = { baseUrl: 'http://127.0.0.1', apiKey: 'any', fetch }
    const client = methodsOf(tableOf(documentOf({ [template]: { delete: remove } })), options)
    const call = async () => client.remove?.(value)
    if (path === undefined) await t.rejects(call, { name: 'TypeError', message: /^q must not be "\.{0,2}": it would/ })
    else await call()
    t.strictSame(sent, path === undefined ? [] : [`http://127.0.0.1${path}`])
  }
})
