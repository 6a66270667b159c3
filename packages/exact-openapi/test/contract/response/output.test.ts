// What `checkResponses` compares.
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import type { Output } from '../../../src/index.ts'
import { describe, start } from '../../fixtures/serve.ts'

type Given = Omit<Output, 'status'> & { status?: number }

/** @returns the response, or the message of the error */
async function respond(t: Test, response: object, output: Given, before: Record<string, string> = {}) {
  const responses = { 200: { description: 'It.', ...response }, 204: { description: 'Nothing.' } }
  const document = describe({ operations: { 'GET /a': { operationId: 'ask', responses } } })
  const handlers = { ask: async () => ({ status: 200, ...output }) }
  const app = await start(t, document, { handlers, checkResponses: 'throw' })
  app.addHook('onSend', async (_request, reply) => void reply.headers(before))
  const { statusCode, body, headers } = await app.inject('/a')
  return statusCode < 300 ? { body, headers } : JSON.parse(body).message
}

const media = (type: string, schema: object) => ({ content: { [type]: { schema } } })
const json = (schema: object) => media('application/json', schema)
const object = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false }
const secret = { required: ['key'], properties: { key: { type: 'string', writeOnly: true } } }
const referred = { properties: { key: { allOf: [secret.properties.key] } } }
const ofParts = { allOf: [{ required: ['key'] }, { properties: secret.properties }] }
const ofKind = (name: string) => ({
  ...{ type: 'object', required: ['kind'] },
  properties: { kind: { type: 'string', enum: [name], writeOnly: true } },
})
const anyOfSecrets = { anyOf: [ofKind('a'), ofKind('b')], discriminator: { propertyName: 'kind' } }
const integer = { type: 'integer' }
const needed = { required: true, schema: { type: 'string' } }
const it = 'ask returned '
const int64 = { type: 'integer', format: 'int64' }
const order = {
  ...{ type: 'object', required: ['id'] },
  properties: { id: int64, count: integer, at: { type: 'string', format: 'date-time' } },
}
const headers = (...all: [name: string, header: object][]) => ({ headers: Object.fromEntries(all) })
const list = { schema: { type: 'array', items: integer } }
const cookie = headers(['Set-Cookie', { schema: { pattern: '^a' } }])

/** What the document says, what the handler returns, and what differs. */
const rows: [name: string, response: object, output: Given, problem?: RegExp | string][] = [
  ['an int64, and what is undefined', json(order), { body: { id: 1n, count: 2, at: undefined } }],
  [
    'a number for an int64',
    json(order),
    { body: { id: 1 } },
    `${it}200: body id must be a 64-bit integer in plain decimal`,
  ],
  [
    'a bigint for a number',
    json(order),
    { body: { id: 1n, count: 2n } },
    /body count must be an integer in plain decimal digits, at/,
  ],
  ['another format', json(order), { body: { id: 1n, at: 'today' } }, `${it}200: body at must match format "date-time"`],
  ['no body', json(order), {}, `${it}200: body is required`],
  ['nothing', {}, { status: 204 }],
  ['a body in place of nothing', {}, { status: 204, body: {} }, `${it}204: must not have a body`],
  ['another status', {}, { status: 202 }, `${it}202, which the document does not list`],
  ['a charset', media('text/csv', { type: 'string' }), { type: 'text/csv; charset=utf-8', body: 'a' }],
  ['a type in capitals', media('text/csv', { type: 'string' }), { type: 'TEXT/CSV', body: 'a' }],
  ['a range', media('text/*', { type: 'string' }), { type: 'text/csv', body: 'a' }],
  ['another type', media('text/csv', { type: 'string' }), { type: 'text/html', body: 'a' }, /text\/html is not one/],
  ['an integer as text', media('text/plain', integer), { type: 'text/plain', body: '12' }],
  ['another text', media('text/plain', integer), { type: 'text/plain', body: 'ab' }, /body must be an integer/],
  ['bytes of a text', media('text/plain', integer), { type: 'text/plain', body: Buffer.from('ab') }],
  ['no property', json(object), { body: { b: undefined } }],
  ['no property of an item', json({ items: object }), { body: [{ a: 'b', b: undefined }] }],
  ['what becomes text', json({ format: 'date-time' }), { body: new Date(0) }],
  ['null for undefined in a list', json({ items: { ...integer, nullable: true } }), { body: [1, undefined] }],
  ['undefined in a list, sent as null', json({ items: integer }), { body: [undefined] }, /must be/],
  ['another property', json(object), { body: { b: 1 } }, /must not have the property "b"/],
  ['no writeOnly property', json(secret), { body: {} }],
  ['a writeOnly property', json(secret), { body: { key: 'a' } }, /must not be sent: it is writeOnly/],
  ['a writeOnly property by reference', json(referred), { body: { key: 'a' } }, /must not be sent: it is writeOnly/],
  ['no discriminator that is writeOnly', json(anyOfSecrets), { body: {} }],
  ['no writeOnly property of another part', json(ofParts), { body: { name: 'a' } }],
  ['a list in a header', headers(['X-List', list]), { headers: { 'x-list': '1,2' } }],
  ['a list of lines', headers(['X-List', list]), { headers: { 'x-list': ['1', '2'] } }],
  ['a wrong list', headers(['X-List', list]), { headers: { 'x-list': '1,b' } }, /header x-list 1 must be an integer/],
  ['an object in a header', headers(['x', { schema: object }]), { headers: { X: 'a,b' } }],
  ['JSON in a header', headers(['x', json(object)]), { headers: { x: '{"a":"b"}' } }],
  ['any text in a header', headers(['x', { content: { 'text/plain': {} } }]), { headers: { x: 'a', 'x-other': 'b' } }],
  ['wrong JSON', headers(['x', json(object)]), { headers: { x: '{' } }, /header x: The text is not JSON/],
  ['two cookies', cookie, { headers: { 'set-cookie': ['a=1', 'a2=1'] } }],
  ['a wrong cookie', cookie, { headers: { 'set-cookie': ['a=1', 'b=1'] } }, /pattern/],
  ['a required header', headers(['X-A', needed]), { headers: { 'x-a': '1' } }],
  ['a required header of a plugin', headers(['X-Late', needed]), {}],
  ['none', headers(['X-A', needed], ['X-B', needed]), {}, /header X-A, X-B is required/],
  ['the media type, which is no header', headers(['Content-Type', needed]), {}],
]

for (const [name, response, output, problem] of rows) {
  t.test(name, async (t) => {
    const found = await respond(t, response, output, { 'x-late': '1' })
    if (problem) t.match(found, problem)
    else t.match(found, { body: String })
  })
}

t.test('a handler names a media type other than JSON: text, bytes, a stream, or JSON of another name', async (t) => {
  const binary = { type: 'string', format: 'binary' }
  for (const [type, schema, body, sent] of [
    ['text/csv', { type: 'string' }, 'a,b', 'text/csv; charset=utf-8'],
    ['text/csv; charset=us-ascii', { type: 'string' }, 'a,b'],
    ['application/octet-stream', binary, Buffer.from('a,b')],
    ['application/octet-stream', binary, Readable.from(['a,', 'b'])],
    ['application/octet-stream', binary, new Blob(['a,b']).stream()],
    ['application/problem+json', order, { id: 9007199254740993n }],
    ['text/json', {}, { id: 9007199254740993n }],
  ] as const) {
    const { headers, body: text } = await respond(t, media(type, schema), { type, body, headers: { 'x-a': 'b' } })
    t.strictSame([headers['content-type'], headers['x-a']], [sent ?? type, 'b'])
    t.equal(text, type.endsWith('json') ? '{"id":9007199254740993}' : 'a,b')
  }
  t.match(await respond(t, media('text/json', {}), { body: {} }), /is not one/)
})

t.test('several cookies are several headers', async (t) => {
  const { headers } = await respond(t, {}, { headers: { 'set-cookie': ['a=1', 'b=2'] } })
  t.strictSame(headers['set-cookie'], ['a=1', 'b=2'])
})

t.test('a status is described by itself, else by its range, else by the default, whatever their order', async (t) => {
  const described = (name: string) => ({ description: 'It.', ...headers([name, needed]) })
  const responses = { default: described('X-Default'), '2XX': described('X-Range'), 200: described('X-Own') }
  for (const [text, name] of Object.entries({ 200: 'X-Own', 201: 'X-Range', 404: 'X-Default' })) {
    const status = Number(text)
    const document = describe({ operations: { 'GET /a': { operationId: 'ask', responses } } })
    const app = await start(t, document, { handlers: { ask: async () => ({ status }) }, checkResponses: 'throw' })
    t.match((await app.inject('/a')).body, `ask returned ${status}: header ${name} is required`)
  }
})

t.test('of a status that the document does not list, no header is required', async (t) => {
  const lines: string[] = []
  const logger = { stream: { write: (line: string) => lines.push(line) } }
  const responses = { 200: { description: 'It.', ...headers(['X-A', needed]) } }
  const document = describe({ operations: { 'GET /a': { operationId: 'ask', responses } } })
  const handlers = { ask: async () => ({ status: 202 }) }
  const app = await start(t, document, { handlers, checkResponses: 'log' }, { logger })
  t.equal((await app.inject('/a')).statusCode, 202)
  t.match(lines.join(''), /"level":50.*ask returned 202, which the document does not list.*a response differs from/)
  t.notMatch(lines.join(''), 'is required')
})
