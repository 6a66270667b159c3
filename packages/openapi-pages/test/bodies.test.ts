// What goes over the wire: bodies of each media type, as their schemas and encodings say, servers, and compression.
import { brotliDecompressSync } from 'node:zlib'
import { modelOf, type Operation } from 'exact-openapi/model'
import t from 'tap'
import { documentOf } from 'test-kit/document'
import { parseExactly } from '../browser/json.js'
import { callOf } from '../browser/request.js'
import { callableOf } from '../src/code-samples/call.ts'
import { withSamples } from '../src/code-samples/index.ts'
import { exampleRequest } from '../src/example-request.ts'
import { ofOperation } from '../src/extensions.ts'
import { operationData } from '../src/operation-data.ts'
import { exampleOrigin, exampleServer } from '../src/server.ts'
import { resource } from '../src/static/resource.ts'

function sent(type: string, media: object, schemas: object = {}) {
  const post = { operationId: 'send', requestBody: { content: { [type]: media } }, responses: {} }
  const model = modelOf(documentOf({ '/a': { post } }, { schemas }))
  const operation = model.operations[0] as Operation
  const { body } = callOf(callableOf(model, operation), exampleRequest(operation), 'http://h')
  return { body, form: parseExactly(operationData(model, operation)).body.media[0] }
}

/** A file as `<name>`. */
const textOf = ({ body }: ReturnType<typeof sent>) =>
  body?.chunks.map((chunk) => (typeof chunk === 'string' ? chunk : `<${chunk.file}>`)).join('')

const form = 'application/x-www-form-urlencoded'
const binary = { type: 'string', format: 'binary' }
const file = { type: 'object', required: ['a'], properties: { a: binary } }
const object = (properties: object) => ({ type: 'object', properties })

t.test('a property of a form is written in its style, or as its media type', async (t) => {
  for (const [encoding, example, text] of [
    [{ style: 'pipeDelimited' }, { a: ['1', '2'] }, 'a=1%7C2'],
    [{ contentType: 'application/json' }, { a: ['1'] }, 'a=%5B%221%22%5D'],
    [undefined, { a: ['1', '2'] }, 'a=1&a=2'],
  ] as const) {
    const schema = object({ a: { type: 'array', items: { type: 'string' } } })
    t.equal(textOf(sent(form, { schema, example, ...(encoding && { encoding: { a: encoding } }) })), text)
  }
  const schema = object({ a: { type: 'integer' } })
  const nested = { id: 9007199254740993n, tags: ['a b', 'c'], within: { id: 9007199254740993n } }
  const text = 'id=9007199254740993&tags=a+b&tags=c&within=%7B%22id%22%3A9007199254740993%7D'
  t.equal(textOf(sent(form, { example: nested })), text, 'without a schema')
  t.equal(textOf(sent(form, { schema: { ...schema, required: ['a'] }, example: { a: 'x' } })), 'a=1', 'not a wrong one')
})

t.test('a part is a file, or text of its media type', async (t) => {
  const string = { type: 'string' }
  for (const [property, contentType, type, content] of [
    [binary, undefined, undefined, { file: 'a' }],
    [{ type: 'array', items: binary }, 'image/*', 'image/png', { file: 'a' }],
    [{ ...string, contentMediaType: 'image/png' }, undefined, undefined, { file: 'a' }],
    [{ ...string, contentEncoding: 'base64', contentMediaType: 'image/png' }, undefined, undefined, 'x'],
    [{}, 'application/pdf, image/png', 'application/pdf', { file: 'a' }],
    [{}, 'text/*', 'text/plain', 'x'],
    [binary, 'video/*', 'video/mp4', { file: 'a' }],
    [binary, 'audio/*', 'audio/mpeg', { file: 'a' }],
    [string, 'application/json', 'application/json', '"x"'],
    [string, 'font/*', undefined, 'x'],
  ] as const) {
    const media = { example: { a: 'x' }, ...(contentType && { encoding: { a: { contentType } } }) }
    for (const schema of [object({ a: property }), { allOf: [object({ a: property })] }])
      t.strictSame(sent('multipart/form-data', { ...media, schema }).body?.parts, [{ name: 'a', type, content }])
  }
  t.match(textOf(sent('multipart/form-data', { schema: file })), 'Content-Type: application/octet-stream\r\n\r\n<a>')
  const named = { schema: { type: 'object' }, example: { a: 'x' }, encoding: { a: { contentType: 'image/png' } } }
  t.match(textOf(sent('multipart/form-data', named)), '<a>', 'only its encoding has the property')
})

t.test('a body of bytes is a file', async (t) => {
  for (const [type, media, isFile] of [
    ['application/octet-stream', { schema: binary }, true],
    ['image/png', { schema: {} }, true],
    ['application/pdf', {}, true],
    ['application/pdf', { example: 'x' }, false],
    ['text/csv', {}, false],
    ['application/pdf', { schema: { type: 'string' } }, false],
  ] as const) {
    const { body, form } = sent(type, media)
    t.strictSame([typeof body?.chunks[0] !== 'string', form.isFile ?? false], [isFile, isFile], type)
  }
})

t.test('XML is written as the schema says (OpenAPI 3.0.4, "XML Object")', async (t) => {
  const integer = { type: 'integer' }
  const list = (xml: object, itemXml: object = {}) => ({ type: 'array', xml, items: { ...integer, xml: itemXml } })
  for (const [schema, example, lines] of [
    [{ type: 'string' }, 'a<b', 'a<b'],
    [object({ a: integer }), {}, '<body/>'],
    [object({ a: integer, b: {} }), { a: 1, b: null }, '<body>|  <a>1</a>|  <b></b>|</body>'],
    [object({ a: { ...integer, xml: { attribute: true } } }), { a: 1 }, '<body a="1"/>'],
    [object({ a: { xml: { attribute: true } } }), { a: '<&>"' }, '<body a="&lt;&amp;&gt;&quot;"/>'],
    [object({ a: { allOf: [{ xml: { name: 'z' } }] } }), { a: 1 }, '<body>|  <z>1</z>|</body>'],
    [object({ a: { xml: { name: 'z' } } }), { a: '<&>"' }, '<body>|  <z>&lt;&amp;&gt;&quot;</z>|</body>'],
    [object({ a: list({}) }), { a: [1, 2] }, '<body>|  <a>1</a>|  <a>2</a>|</body>'],
    [object({ a: list({ name: 'z' }) }), { a: [1] }, '<body>|  <z>1</z>|</body>'],
    [object({ a: list({ wrapped: true }, { name: 'i' }) }), { a: [1] }, '<body>|  <a>|    <i>1</i>|  </a>|</body>'],
    [object({ a: list({ wrapped: true }) }), { a: [1] }, '<body>|  <a>|    <a>1</a>|  </a>|</body>'],
    [list({}), [1], '<items>|  <body>1</body>|</items>'],
    [{ ...object({}), xml: { prefix: 'p', namespace: 'urn:a' } }, {}, '<p:body xmlns:p="urn:a"/>'],
    [{ ...object({}), xml: { namespace: 'urn:a' } }, {}, '<body xmlns="urn:a"/>'],
  ] as const) {
    const head = typeof example === 'string' ? '' : '<?xml version="1.0" encoding="UTF-8"?>\n'
    t.equal(textOf(sent('application/xml', { schema, example })), `${head}${lines.replaceAll('|', '\n')}`)
  }
  const Pet = { ...object({ a: integer }) }
  t.match(textOf(sent('text/xml', { schema: { $ref: '#/components/schemas/Pet' }, example: {} }, { Pet })), '<Pet/>')
  t.equal(sent('application/xml', {}).body, undefined, 'nothing says what it has')
})

t.test('a client says which of several types it reads, JSON first, and calls servers of its own', async (t) => {
  const content = { 'text/csv': {}, 'application/json': {} }
  const problem = { description: 'Wrong.', content: { 'application/problem+json': {} } }
  const get = { operationId: 'list', responses: { 200: { description: 'All.', content }, 400: problem } }
  for (const [servers, own] of [
    [[{ url: 'https://own.example/' }], ['https://own.example']],
    [[{ url: '/v1/' }], undefined],
  ] as const) {
    const document = Object.assign(documentOf({ '/a': { get: { ...get, servers } } }), { servers: [{ url: '/v1' }] })
    const model = modelOf(document)
    const operation = model.operations[0] as Operation
    const callable = callableOf(model, operation)
    t.strictSame(callable.servers, own)
    const { headers } = callOf(callable, exampleRequest(operation), 'http://h')
    t.strictSame(headers, [['Accept', ['application/json']]])
    const [accept] = parseExactly(operationData(model, operation)).parameters
    t.strictSame([accept.name, accept.schema.enum], ['Accept', ['application/json', 'text/csv']])
  }
})

t.test('a sample calls the server of its operation, in place of that of its path, or the placeholder', async (t) => {
  for (const [url, address] of [
    ['https://own.example/', 'https://own.example/a'],
    ['/own', `${exampleOrigin}/own/a`],
    [undefined, `${exampleServer}/a`],
  ]) {
    const servers = url === undefined ? [] : [{ url }]
    const item = { servers: [{ url: 'https://path.example' }], get: { servers, responses: {} } }
    const [operation] = modelOf(withSamples(documentOf({ '/a': item }))).operations
    const [curl] = (operation && ofOperation(operation)['x-codeSamples']) ?? []
    t.equal(curl?.source, `curl ${address}\n`)
  }
})

t.test('a large resource is compressed, too', async (t) => {
  const content = 'a'.repeat(300_001)
  const { encoding, bytes } = await resource('text/plain', content).encoded('br', true)
  t.equal(encoding, 'br')
  t.equal(String(brotliDecompressSync(bytes)), content)
})
