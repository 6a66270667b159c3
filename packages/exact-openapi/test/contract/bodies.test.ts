import t from 'tap'
import { serve } from '../fixtures/serve.ts'

const big = '9007199254740993'
const bytes = { type: 'string', format: 'binary' }
const form = {
  allOf: [
    { type: 'object', properties: { id: { type: 'integer', format: 'int64' }, file: bytes }, required: ['file'] },
    { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' } }, more: { type: 'object' } } },
    { type: 'object', properties: { files: { type: 'array', items: bytes } } },
  ],
}
const oneOrSeveral = {
  properties: { n: { type: ['integer', 'array'], items: { type: ['integer', 'boolean'] } } },
}
const part = (name: string, value: string, more = '') =>
  `--boundary\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
const sent = (payload: string | Buffer, type = 'multipart/form-data; boundary=boundary') => ({
  method: 'POST' as const,
  url: '/a',
  headers: { 'content-type': type },
  payload,
})

t.test('parts of multipart/form-data have the types of their properties, and files are bytes', async (t) => {
  const requestBody = { content: { 'multipart/form-data': { schema: form } } }
  const send = await serve(t, { operations: { 'POST /a': { requestBody } } })
  const file = part('file', 'hello', '; filename="a.txt"')
  const all = [
    part('id', big),
    file,
    part('tags', 'a'),
    part('tags', 'b'),
    part('more', '{"n":1}'),
    part('other', 'x'),
    '--boundary--\r\n',
  ]
  const data = JSON.stringify(Buffer.from('hello'))
  t.equal(
    await send(sent(all.join(''))),
    `{"body":{"id":${big},"file":${data},"tags":["a","b"],"more":{"n":1},"other":"x"}}`,
  )
  const files = [1, 2].map(() => part('files', 'hello', '; filename="b"')).join('')
  t.equal(await send(sent(`${file}${files}--boundary--\r\n`)), `{"body":{"file":${data},"files":[${data},${data}]}}`)

  t.equal(
    await send(sent(`${file}${part('other', '\ufffd')}--boundary--\r\n`)),
    `{"body":{"file":${data},"other":"\ufffd"}}`,
  )

  t.equal(
    await send(sent(`${part('id', 'x')}--boundary--\r\n`)),
    '400 body file is required; body id must be a 64-bit integer in plain decimal digits.',
  )
  t.equal(await send(sent('nothing')), '400 The body is not multipart/form-data.')
  t.equal(await send(sent('nothing', 'multipart/form-data')), '400 The body is not multipart/form-data.')
  t.equal(
    await send(sent(Buffer.from(`${part('more', '\xff')}--boundary--\r\n`, 'latin1'))),
    '400 The body is not UTF-8.',
  )
  t.equal(await send(sent(`${part('a', 'b').repeat(1001)}--boundary--\r\n`)), '400 The body has more than 1000 parts.')
  t.match(await send(sent('{}', 'application/json')), /^415 Send the body as multipart\/form-data, in UTF-8\./)
})

t.test('a list of files may be a branch', async (t) => {
  const list = { type: 'array', items: { type: 'string', format: 'binary' } }
  const schema = { type: 'object', properties: { files: { anyOf: [list, { type: 'null' }] } } }
  const requestBody = { content: { 'multipart/form-data': { schema } } }
  const send = await serve(t, { openapi: '3.1.0', operations: { 'POST /a': { requestBody } } })
  const file = part('files', 'hello', '; filename="a"')
  const data = JSON.stringify(Buffer.from('hello'))
  t.equal(await send(sent(`${file}${file}--boundary--\r\n`)), `{"body":{"files":[${data},${data}]}}`)
})

t.test('fields of a composed form, and those that are not named, have their types', async (t) => {
  const type = 'application/x-www-form-urlencoded'
  const others = { type: 'object', properties: { n: { type: 'integer' } }, additionalProperties: { type: 'boolean' } }
  for (const [schema, text, value] of [
    [form, `id=${big}&tags=a&file=f`, `{"id":${big},"tags":["a"],"file":"f"}`],
    [others, 'n=7&any=true', '{"n":7,"any":true}'],
    [{ allOf: [others] }, 'n=7&any=true', '{"n":7,"any":true}'],
    [{ allOf: [{ patternProperties: { '^n': { type: 'integer' } } }] }, 'n1=7&m=7', '{"n1":7,"m":"7"}'],
    [oneOrSeveral, 'n=1', '{"n":1}'],
    [oneOrSeveral, 'n=1&n=2', '{"n":[1,2]}'],
    [oneOrSeveral, 'n=true', '{"n":[true]}'],
    [{ type: 'object', properties: { a: {} } }, 'a=1&b=2', '{"a":"1","b":"2"}'],
    [{ anyOf: [{ required: ['n'], properties: { n: { type: 'boolean' } } }, others] }, 'n=7', '{"n":7}'],
  ] as const) {
    const send = await serve(t, {
      openapi: '3.1.0',
      operations: { 'POST /a': { requestBody: { content: { [type]: { schema } } } } },
    })
    t.equal(await send(sent(text, type)), `{"body":${value}}`)
  }
})

t.test('fields are written as the encoding says', async (t) => {
  const type = 'application/x-www-form-urlencoded'
  const int64 = { type: 'integer', format: 'int64' }
  const numbers = { type: 'array', items: int64 }
  const point = { type: 'object', properties: { x: int64, y: { type: 'string' } } }
  const cases: [property: object, encoding: object, text: string, value: string | RegExp][] = [
    [numbers, { style: 'form' }, 'p=1&p=2', '{"p":[1,2]}'],
    [numbers, { explode: false }, 'p=1,2&o=%2C', '{"o":",","p":[1,2]}'],
    [numbers, { style: 'pipeDelimited', explode: false }, 'p=1%7C2', '{"p":[1,2]}'],
    [numbers, { style: 'spaceDelimited', explode: false }, 'p=1+2', '{"p":[1,2]}'],
    [numbers, { contentType: 'application/json' }, 'p=1&p=2', '{"p":[1,2]}'],
    [{ type: 'string' }, { contentType: 'application/json' }, 'p=%22a%22', '{"p":"a"}'],
    [point, {}, 'p={"x":1}', '{"p":{"x":1}}'],
    [point, { style: 'form' }, 'x=1&y=a+b&z=c', '{"z":"c","p":{"x":1,"y":"a b"}}'],
    [point, { style: 'form', explode: false }, 'p=x,1,y,a', '{"p":{"x":1,"y":"a"}}'],
    [point, { style: 'deepObject' }, 'p[x]=1&p%5By%5D=2&q[x]=1', '{"q[x]":"1","p":{"x":1,"y":"2"}}'],
    [numbers, { style: 'form' }, 'p=%FF', /^400 body p must be percent-encoded UTF-8/],
  ]
  for (const [property, encoding, text, value] of cases) {
    const schema = { type: 'object', properties: { p: property } }
    const content = { [type]: { schema, encoding: { p: encoding, unknown: { style: 'form' } } } }
    const send = await serve(t, { operations: { 'POST /a': { requestBody: { content } } } })
    const expected = typeof value === 'string' ? `{"body":${value}}` : value
    t.match(await send(sent(text, type)), expected, text)
  }
  const refused = [
    [point, 'pipeDelimited', 'an object as pipeDelimited of body p is not supported: write style: deepObject'],
    [
      { type: 'object' },
      'form',
      'an object of any properties in body p is not supported: name them, or write style: deepObject',
    ],
  ] as const
  for (const [property, style, message] of refused) {
    const content = { [type]: { schema: { properties: { p: property } }, encoding: { p: { style } } } }
    const operations = { 'POST /a': { requestBody: { content } } }
    await t.rejects(serve(t, { operations }), { message: `POST /a: ${message}` })
  }
})

t.test('a part may be a file for any type of property, of the media types that its encoding lists', async (t) => {
  const property = { type: 'object', properties: { id: { type: 'integer', format: 'int64' } } }
  const schema = {
    allOf: [
      { type: 'object', properties: { meta: property, photo: bytes }, additionalProperties: { type: 'integer' } },
    ],
  }
  const encoding = { photo: { contentType: 'image/*, application/pdf' }, meta: { contentType: 'application/json' } }
  const requestBody = { content: { 'multipart/form-data': { schema, encoding } } }
  const send = await serve(t, { operations: { 'POST /a': { requestBody } } })
  const file = (name: string, type: string, value: string) =>
    `${part(name, value, `; filename="a"\r\nContent-Type: ${type}`)}--boundary--\r\n`
  t.equal(await send(sent(file('meta', 'application/json', `{"id":${big}}`))), `{"body":{"meta":{"id":${big}}}}`)
  for (const type of ['image/png', 'application/pdf']) t.match(await send(sent(file('photo', type, 'x'))), '"Buffer"')
  t.equal(await send(sent(file('photo', 'text/html', 'x'))), '400 body photo must be image/*, application/pdf.')
  t.equal(await send(sent(`${part('n', '5')}--boundary--\r\n`)), '{"body":{"n":5}}')
})

t.test('the media type of a request is matched with its parameters, then without, then by a range', async (t) => {
  const named = (value: string) => ({ schema: { type: 'object', properties: { v: { enum: [value] } } } })
  const content = {
    'application/json;version=1': named('one'),
    'application/json;version=2': named('two'),
    'text/*': { schema: { type: 'string' } },
    'application/xml': { schema: { type: 'object' } },
  }
  const send = await serve(t, { operations: { 'POST /a': { requestBody: { content } } } })
  t.equal(await send(sent('{"v":"two"}', 'application/json; VERSION=2; charset=utf-8')), '{"body":{"v":"two"}}')
  t.equal(await send(sent('{"v":"one"}', 'application/json')), '{"body":{"v":"one"}}')
  t.match(await send(sent('{"v":"two"}', 'application/json; version=1')), /^400 body v must be one of one\./)
  t.equal(await send(sent('{"v":"two"}', 'application/json; version="2"')), '{"body":{"v":"two"}}')
  t.equal(await send(sent('words', 'text/csv')), '{"body":"words"}')
  t.match(
    await send(sent('<a/>', 'application/xml')),
    /^415 Send the body as application\/json;version=1 or .*text\/\*, in UTF-8\./,
  )
})

t.test('a text whose schema consists of parts is checked', async (t) => {
  const content = { 'text/plain': { schema: { allOf: [{ type: 'string', maxLength: 2 }] } } }
  const send = await serve(t, { operations: { 'POST /a': { requestBody: { content } } } })
  t.equal(await send(sent('ab', 'text/plain')), '{"body":"ab"}')
  t.match(await send(sent('abc', 'text/plain')), /^400 body must NOT have more than 2/)
})

t.test('a body may be missing, and a text may be empty', async (t) => {
  const content = { 'text/plain': { schema: { type: 'string' } } }
  const operation = { requestBody: { content } }
  const send = await serve(t, { operations: { 'POST /a': operation, 'GET /a': operation } })
  t.equal(await send({ method: 'POST', url: '/a' }), '{}')
  t.equal(
    await send({ url: '/a', headers: { 'content-type': 'text/plain' } }),
    '{"body":""}',
    'as Fastify reads none of GET',
  )
  t.equal(
    await send({ method: 'POST', url: '/a', payload: 'words', headers: { 'content-type': undefined } }),
    '{"body":"words"}',
  )
})
