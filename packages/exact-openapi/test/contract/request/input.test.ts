import type { InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import { documentOf } from 'test-kit/document'
import { buildDocumentApp } from 'test-kit/document-app'
import { int64 } from '../../fixtures/serve.ts'

const responses = { 204: { description: 'Done.' } }
type Call = Omit<InjectOptions, 'method' | 'url'> & { path?: string }

/** Calls an operation with these parameters or this body. */
async function operation(t: Test, described: object, template = '/a') {
  const method = 'requestBody' in described ? 'post' : 'get'
  const paths = { [template]: { [method]: { operationId: 'echo', security: [], responses, ...described } } }
  const { app, got } = await buildDocumentApp(t, documentOf(paths))
  return async ({ path = '/a', ...call }: Call = {}) => {
    delete got.echo
    const response = await app.inject({ method: method === 'post' ? 'POST' : 'GET', url: `/v1${path}`, ...call })
    return response.statusCode === 204 ? got.echo : response.json()
  }
}

const parameter = (place: string, name: string, schema: object, more = {}) => {
  return { in: place, name, schema, ...(place === 'path' && { required: true }), ...more }
}
const FORM = 'application/x-www-form-urlencoded'
const object = (properties: object, more = {}) => ({ type: 'object', properties, ...more })
const invalid = (message: string) => ({ code: 'invalid_request', message, status: 400 })

const integer = (format: string) => ({ type: 'integer', format })

/** A schema, texts that it accepts with the values that arrive, and texts that it rejects. */
const texts: Record<string, [schema: object, accepted: Record<string, unknown>, rejected: string[]]> = {
  int32: [integer('int32'), { 2147483647: 2147483647, '-2147483648': -2147483648 }, ['2147483648', '1.0', '1e1', '']],
  int16: [integer('int16'), { 32767: 32767, '-32768': -32768 }, ['32768', '-32769']],
  uint16: [integer('uint16'), { 65535: 65535 }, ['65536', '-1']],
  int8: [integer('int8'), { 127: 127, '-128': -128 }, ['128', '-129', '1.0']],
  uint32: [integer('uint32'), { 0: 0, 4294967295: 4294967295 }, ['4294967296', '-1', '-0']],
  integer: [{ type: 'integer' }, { 9007199254740991: 9007199254740991 }, ['9007199254740992', '1.5']],
  number: [
    { type: 'number' },
    { '1.5E3': 1500, '-0.50': -0.5, '1e22': 1e22, '2.2999999999999998': 2.3 },
    ['9007199254740993.0', '0.1000000000000000055511', '1e400', '1e-400', '.5', '01', 'NaN'],
  ],
  'integer or number': [{ anyOf: [{ type: 'integer' }, { type: 'number' }] }, { '1.0': 1, 5: 5 }, ['a']],
  byte: [{ type: 'string', format: 'byte' }, { 'YQ==': 'YQ==', YWJj: 'YWJj' }, ['YQ==\n!!!', 'YQ', 'YQ==YQ==', 'Y Q=']],
  string: [{ type: 'string', maxLength: 3, pattern: '^[a-c]*$' }, { abc: 'abc', '': '' }, ['abcd', 'd']],
  date: [{ type: 'string', format: 'date' }, { '2026-11-22': '2026-11-22' }, ['2026-02-30', '22.11.2026']],
  boolean: [{ type: 'boolean' }, { true: true, false: false }, ['TRUE', '1']],
}

for (const [name, [schema, accepted, rejected]] of Object.entries(texts)) {
  t.test(`a parameter is validated as it is written: ${name}`, async (t) => {
    const call = await operation(t, { parameters: [parameter('query', 'v', schema)] })
    const ask = (text: string) => call({ path: `/a?v=${encodeURIComponent(text)}` })
    for (const [text, value] of Object.entries(accepted)) t.strictSame(await ask(text), { query: { v: value } }, text)
    for (const text of rejected) t.match(await ask(text), { code: 'invalid_request' }, text)
  })
}

t.test('an identifier in a path is a 64-bit integer in plain decimal digits', async (t) => {
  const call = await operation(t, { parameters: [parameter('path', 'p', int64)] }, '/a/{p}')
  const ask = (text: string) => call({ path: `/a/${text}` })
  for (const digits of ['0', '-5', '9223372036854775807', '-9223372036854775808'])
    t.strictSame(await ask(digits), { path: { p: BigInt(digits) } }, digits)
  t.strictSame(await ask('%31'), { path: { p: 1n } }, 'a percent-encoded digit is that digit, RFC 3986 6.2.2.2')
  const malformed = '+1 007 1e3 0x10 -0 1.0 1,2 1%2F2 %201 1%20 %20 %00 %E2%91%A0 - Infinity x'.split(' ')
  const outOfRange = ['9223372036854775808', '-9223372036854775809', '1'.repeat(10_000)]
  for (const text of ['', ...malformed, ...outOfRange]) t.match(await ask(text), { code: 'invalid_request' }, text)
})

t.test('cookies are decoded unless malformed; the first of a name counts', async (t) => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const call = await operation(t, { parameters: names.map((name) => parameter('cookie', name, { type: 'string' })) })
  const headers = { cookie: 'a=x%20y; b="%"; a=2; =; c; d=1"; e="1' }
  t.strictSame(await call({ headers }), { cookies: { a: 'x y', b: '%', d: '1"', e: '"1' } })
})

t.test('the numbers of a JSON body keep all their digits, or the body is rejected', async (t) => {
  const ids = { type: 'array', items: int64 }
  const schema = { type: 'object', properties: { n: { type: 'number' }, i: { type: 'integer' }, id: int64, ids } }
  const call = await operation(t, { requestBody: { required: true, content: { 'application/json': { schema } } } })
  const accepted: Record<string, object> = {
    '{"n":0.1,"i":1.0,"id":1e3}': { n: 0.1, i: 1, id: 1000n },
    '{"ids":[1,-9223372036854775807,2]}': { ids: [1n, -9223372036854775807n, 2n] },
    '{"free":[9007199254740993,5,{"x":-0.25}]}': { free: [9007199254740993n, 5, { x: -0.25 }] },
    '{"n":1152921504606846976}': { n: 2 ** 60 },
  }
  for (const [payload, body] of Object.entries(accepted)) t.strictSame(await call({ payload }), { body }, payload)
  const rejected: Record<string, string> = {
    '{"id":9223372036854775808}': 'body id must be a 64-bit integer in plain decimal digits.',
    '{"id":1.5}': 'body id must be a 64-bit integer in plain decimal digits.',
    '{"n":9007199254740993}': 'body n must be a number that a double holds exactly.',
    '{"n":0.10000000000000000001}': 'The number 0.10000000000000000001 has more digits than a double holds.',
    '{"id":1,"id":1}': 'The JSON repeats a name within an object.',
    '{"id":1,"id":2}': 'The JSON repeats a name within an object.',
    '{"id":1': 'The text is not JSON.',
    null: 'body must be object.',
  }
  for (const [payload, message] of Object.entries(rejected))
    t.strictSame(await call({ payload }), invalid(message), payload)
  t.strictSame(await call({ payload: '['.repeat(16_000) }), invalid('The text is not JSON.'), 'nested deeply')
  t.strictSame(await call({ payload: Buffer.from([0x22, 0xff, 0x22]) }), invalid('The body is not UTF-8.'))
})

t.test('the media type of JSON has many spellings, and no other charset than UTF-8', async (t) => {
  const json = { schema: { type: 'boolean' } }
  const call = await operation(t, {
    requestBody: { content: { 'application/json': json, 'application/*+json': json } },
  })
  const send = (type: string) => call({ headers: { 'content-type': type }, payload: 'true' })
  for (const type of ['Application/JSON', 'application/json ;charset=UTF-8', 'application/json; charset="utf-8"'])
    t.strictSame(await send(type), { body: true }, type)
  for (const type of ['text/plain', 'application/xml', ';;', 'application/json; charset=latin1', 'application/jsonp'])
    t.match(await send(type), { code: 'unsupported_media_type', status: 415 }, type)
})

t.test('an empty text or form is a body if it has a media type, and nothing else is', async (t) => {
  const content = {
    'text/plain': { schema: { type: 'string' } },
    [FORM]: { schema: object({ id: int64 }, { required: ['id'] }) },
    'application/json': { schema: { type: 'object' } },
  }
  const call = await operation(t, { requestBody: { required: true, content } })
  const empty = (type: string) => call({ headers: { 'content-type': type } })
  t.strictSame(await empty('text/plain'), { body: '' })
  t.strictSame(await empty(FORM), invalid('body id is required.'))
  for (const type of ['application/json', 'image/png']) t.strictSame(await empty(type), invalid('body is required.'))
  t.strictSame(await call(), invalid('body is required.'))
})

t.test('an array is split before its items are decoded, and only headers are trimmed', async (t) => {
  const strings = { type: 'array', items: { type: 'string' }, uniqueItems: true }
  const parameters = [
    parameter('path', 'p', strings),
    parameter('query', 'joined', strings, { explode: false }),
    parameter('query', 'exploded', strings),
    parameter('header', 'X-H', strings),
    parameter('cookie', 'c', strings, { explode: false }),
    parameter('query', 'one', { type: 'string' }),
    parameter('query', 'ids', { type: 'array', items: int64 }, { explode: false }),
  ]
  const call = await operation(t, { parameters }, '/a/{p}/b')
  t.strictSame(
    await call({
      path: '/a/a%2Cb,c/b?joined=a%2Cb,%20a&exploded=a+b&exploded=%20&exploded=#?joined=x',
      headers: { 'x-h': 'a , b', cookie: 'c=a%2Cb,%20' },
    }),
    {
      path: { p: ['a,b', 'c'] },
      query: { joined: ['a,b', ' a'], exploded: ['a b', ' ', ''] },
      headers: { 'X-H': ['a', 'b'] },
      cookies: { c: ['a,b', ' '] },
    },
  )
  t.match(await call({ path: '/a/x/b?one=a&one=b' }), { message: 'query one must be string.' })
  t.match(await call({ path: '/a/x/b?ids=1&ids=2' }), { code: 'invalid_request' })
})

t.test('a parameter that is not percent-encoded UTF-8 is rejected; one that is not described is ignored', async (t) => {
  const call = await operation(t, { parameters: [parameter('query', 'q', { type: 'string' })] })
  t.strictSame(await call({ path: '/a?q=%FF' }), invalid('query q must be percent-encoded UTF-8.'))
  t.strictSame(await call({ path: '/a?%FF=1&x=%FF&y&q=%C3%A4' }), { query: { q: 'ä' } })
})
