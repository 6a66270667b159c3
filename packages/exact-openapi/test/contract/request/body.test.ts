import t, { type Test } from 'tap'
import { big, int64, post, serve } from '../../fixtures/serve.ts'

const integer = { type: 'integer' }
const string = { type: 'string' }
const boolean = { type: 'boolean' }
const bytes = { type: 'string', format: 'binary' }
const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'
const form = {
  allOf: [
    { type: 'object', properties: { id: int64, file: bytes }, required: ['file'] },
    { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' } }, more: { type: 'object' } } },
    { type: 'object', properties: { files: { type: 'array', items: bytes } } },
  ],
}
const oneOrSeveral = { properties: { n: { type: ['integer', 'array'], items: { type: ['integer', 'boolean'] } } } }
const part = (name: string, value: string, more = '') =>
  `--boundary\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
const end = '--boundary--\r\n'

/** Serves a body of this media type. @returns a function that sends one, of the same type unless another is given */
async function serveMedia(t: Test, type: string, media: object, openapi = '3.0.3') {
  const operations = { 'POST /a': { requestBody: { content: { [type]: media } } } }
  const send = await serve(t, { openapi, operations })
  const usual = type === MULTIPART ? `${type}; boundary=boundary` : type
  return (payload: string | Buffer, given = usual) => send(post(payload, given))
}

t.test('parts of multipart/form-data have the types of their properties, and files are bytes', async (t) => {
  const send = await serveMedia(t, MULTIPART, { schema: form })
  const file = part('file', 'hello', '; filename="a.txt"')
  const tags = part('tags', 'a') + part('tags', 'b')
  const data = JSON.stringify(Buffer.from('hello'))
  t.equal(
    await send(`${part('id', big)}${file}${tags}${part('more', '{"n":1}')}${part('other', 'x')}${end}`),
    `{"body":{"id":${big},"file":${data},"tags":["a","b"],"more":{"n":1},"other":"x"}}`,
  )
  const files = part('files', 'hello', '; filename="b"').repeat(2)
  const one = part('files', 'hello', '; filename="b"')
  t.equal(await send(`${file}${one}${end}`), `{"body":{"file":${data},"files":[${data}]}}`)
  t.equal(await send(`${file}${files}${end}`), `{"body":{"file":${data},"files":[${data},${data}]}}`)
  t.equal(await send(`${file}${part('other', '\ufffd')}${end}`), `{"body":{"file":${data},"other":"\ufffd"}}`)
  const problems = '400 body file is required; body id must be a 64-bit integer in plain decimal digits.'
  t.equal(await send(`${part('id', 'x')}${end}`), problems)
  t.equal(await send('nothing'), '400 The body is not multipart/form-data.')
  t.match(await send('{}', 'application/json'), /^415 Send the body as multipart\/form-data, in UTF-8\./)
  const named = await serveMedia(t, 'Multipart/Form-Data', { schema: form })
  t.equal(await named(`${file}${end}`, `${MULTIPART}; boundary=boundary; charset=latin1`), `{"body":{"file":${data}}}`)
})

t.test('a list of files may be a branch, and has bounds', async (t) => {
  const list = { type: 'array', items: bytes, minItems: 2, maxItems: 2 }
  const schema = { type: 'object', properties: { files: { anyOf: [list, { type: 'null' }] } } }
  const send = await serveMedia(t, MULTIPART, { schema }, '3.1.0')
  const file = part('files', 'hello', '; filename="a"')
  const data = JSON.stringify(Buffer.from('hello'))
  t.equal(await send(`${file}${file}${end}`), `{"body":{"files":[${data},${data}]}}`)
  for (const count of [1, 3]) t.match(await send(`${file.repeat(count)}${end}`), /^400 body files must/)
})

t.test('fields of a composed form, and those that are not named, have their types', async (t) => {
  const withPet = { type: 'object', properties: { pet: { type: 'object', properties: { id: int64 } } } }
  const others = { type: 'object', properties: { n: integer }, additionalProperties: boolean }
  for (const [schema, text, value] of [
    [form, `id=${big}&tags=a&file=f&b=c+d&b=`, `{"id":${big},"tags":["a"],"file":"f","b":["c d",""]}`],
    [others, 'n=7&any=true', '{"n":7,"any":true}'],
    [{ allOf: [others] }, 'n=7&any=true', '{"n":7,"any":true}'],
    [{ allOf: [{ patternProperties: { '^n': integer } }] }, 'n1=7&m=7', '{"n1":7,"m":"7"}'],
    [{ patternProperties: { '^n': integer }, additionalProperties: boolean }, 'n1=7&m=true', '{"n1":7,"m":true}'],
    [oneOrSeveral, 'n=1', '{"n":1}'],
    [oneOrSeveral, 'n=1&n=2', '{"n":[1,2]}'],
    [oneOrSeveral, 'n=true', '{"n":[true]}'],
    [{ type: 'object', properties: { a: {} } }, 'a=1&b=2', '{"a":"1","b":"2"}'],
    [withPet, `pet={"id":${big}}`, `{"pet":{"id":${big}}}`],
    [{ anyOf: [{ required: ['n'], properties: { n: boolean } }, others] }, 'n=7', '{"n":7}'],
  ] as const) {
    const send = await serveMedia(t, FORM, { schema }, '3.1.0')
    t.equal(await send(text), `{"body":${value}}`)
  }
  const send = await serveMedia(t, FORM, { schema: withPet })
  for (const text of ['pet=5', 'pet={}&pet={}']) t.equal(await send(text), '400 body pet must be object.')
  for (const value of ['%FF', '%2', 'C3%+A9%'])
    t.equal(await send(`other=${value}&%FF=1`), '400 body other must be percent-encoded UTF-8.')
})

t.test('fields are written as the encoding says', async (t) => {
  const numbers = { type: 'array', items: int64 }
  const point = { type: 'object', properties: { x: int64, y: string } }
  const cases: [property: object, encoding: object, text: string, value: string | RegExp][] = [
    [numbers, { style: 'form' }, 'p=1&p=2', '{"p":[1,2]}'],
    [numbers, { explode: false }, 'p=1,2&o=%2C', '{"o":",","p":[1,2]}'],
    [numbers, { style: 'pipeDelimited', explode: false }, 'p=1%7C2', '{"p":[1,2]}'],
    [numbers, { style: 'spaceDelimited', explode: false }, 'p=1+2', '{"p":[1,2]}'],
    [numbers, { contentType: 'application/json' }, 'p=1&p=2', '{"p":[1,2]}'],
    [numbers, { style: 'pipeDelimited' }, 'p=1|2', '{"p":[1,2]}'],
    [string, { contentType: 'text/plain, application/json' }, 'p=%22a%22', '{"p":"a"}'],
    [string, { contentType: 'application/json' }, 'p=%22a%22', '{"p":"a"}'],
    [point, {}, 'p={"x":1}', '{"p":{"x":1}}'],
    [point, { style: 'form' }, 'x=1&y=a+b&z=c', '{"z":"c","p":{"x":1,"y":"a b"}}'],
    [point, { style: 'form', explode: false }, 'p=x,1,y,a', '{"p":{"x":1,"y":"a"}}'],
    [point, { style: 'deepObject' }, 'p[x]=1&p%5By%5D=2&q[x]=1', '{"q[x]":"1","p":{"x":1,"y":"2"}}'],
    [numbers, { style: 'form' }, 'p=%FF', /^400 body p must be percent-encoded UTF-8/],
  ]
  for (const [property, encoding, text, value] of cases) {
    const schema = { type: 'object', properties: { p: property } }
    const send = await serveMedia(t, FORM, { schema, encoding: { p: encoding, unknown: { style: 'form' } } })
    t.match(await send(text), typeof value === 'string' ? `{"body":${value}}` : value, text)
  }
  const instead = 'not supported: name them, or write style: deepObject'
  for (const [property, style, message] of [
    [point, 'pipeDelimited', 'an object as pipeDelimited of body p is not supported: write style: deepObject'],
    [{ type: 'object' }, 'form', `an object of any properties in body p is ${instead}`],
  ] as const) {
    const media = { schema: { properties: { p: property } }, encoding: { p: { style } } }
    await t.rejects(serveMedia(t, FORM, media), { message: `POST /a: ${message}` })
  }
})

t.test('a part may be a file for any type of property, of the media types that its encoding lists', async (t) => {
  const meta = { type: 'object', properties: { id: int64 } }
  const properties = { meta, photo: bytes, ids: { type: 'array', items: int64 } }
  const schema = { allOf: [{ type: 'object', properties, additionalProperties: integer }] }
  const encoding = { photo: { contentType: 'image/*,Application/PDF' }, meta: { contentType: 'application/json' } }
  const send = await serveMedia(t, MULTIPART, { schema, encoding })
  const file = (name: string, type: string, value: string) =>
    `${part(name, value, `; filename="a"\r\nContent-Type: ${type}`)}${end}`
  t.equal(await send(file('meta', 'application/json', `{"id":${big}}`)), `{"body":{"meta":{"id":${big}}}}`)
  for (const type of ['image/png', 'application/pdf']) t.match(await send(file('photo', type, 'x')), '"Buffer"')
  t.equal(await send(file('photo', 'text/html', 'x')), '400 body photo must be image/*,Application/PDF.')
  t.equal(await send(`${part('n', '5')}${part('meta', '{"id":5}')}${end}`), '{"body":{"n":5,"meta":{"id":5}}}')
  t.equal(await send(file('ids', 'text/plain', '5')), '{"body":{"ids":[5]}}')
})

t.test('the media type of a request is matched with its parameters, then without, then by a range', async (t) => {
  const named = (value: string) => ({ schema: { type: 'object', properties: { v: { enum: [value] } } } })
  const content = {
    'application/json;version=1': named('one'),
    'application/json;version=2': named('two'),
    'application/json;version=3;a=b': named('three'),
    'text/*': { schema: string },
    'application/xml': { schema: { type: 'object' } },
  }
  const send = await serve(t, { operations: { 'POST /a': { requestBody: { content } } } })
  for (const [type, payload, received] of [
    ['application/json; VERSION=2; charset=utf-8', '{"v":"two"}', '{"body":{"v":"two"}}'],
    ['application/json', '{"v":"one"}', '{"body":{"v":"one"}}'],
    ['application/json; version=1', '{"v":"two"}', /^400 body v must be one of one\./],
    ['application/json; version="2"', '{"v":"two"}', '{"body":{"v":"two"}}'],
    ['application/json; A=b; version=3; boundary=x', '{"v":"three"}', '{"body":{"v":"three"}}'],
    ['application/json; charset=us-ascii', '{"v":"one"}', '{"body":{"v":"one"}}'],
    ['text/csv', 'words', '{"body":"words"}'],
    ['application/xml', '<a/>', /^415 Send the body as application\/json;version=1 or .*text\/\*, in UTF-8\./],
  ] as const)
    t.match(await send(post(payload, type)), received, type)
  const ranges = { '*/*': { schema: integer }, 'text/*': { schema: string } }
  const other = await serve(t, { operations: { 'POST /a': { requestBody: { content: ranges } } } })
  t.equal(await other(post('words', 'text/csv')), '{"body":"words"}', 'of two ranges, the narrower one counts')
})

t.test('a text whose schema consists of parts is checked', async (t) => {
  const send = await serveMedia(t, 'text/plain', { schema: { allOf: [{ type: 'string', maxLength: 2 }] } })
  t.equal(await send('ab'), '{"body":"ab"}')
  t.match(await send('abc'), /^400 body must NOT have more than 2/)
})

t.test('a body of no type is bytes', async (t) => {
  const send = await serveMedia(t, 'image/png', {}, '3.1.0')
  t.equal(await send(Buffer.from([255])), '{"body":{"type":"Buffer","data":[255]}}')
})

t.test('a body may be missing, and a text may be empty', async (t) => {
  const operation = { requestBody: { content: { 'text/plain': { schema: string } } } }
  const send = await serve(t, { operations: { 'POST /a': operation, 'GET /a': operation } })
  t.equal(await send({ method: 'POST', url: '/a' }), '{}')
  const read = await send({ url: '/a', headers: { 'content-type': 'text/plain' } })
  t.equal(read, '{"body":""}', 'as Fastify reads none of GET')
  const untyped = { method: 'POST', url: '/a', payload: 'words', headers: { 'content-type': undefined } } as const
  t.equal(await send(untyped), '{"body":"words"}')
})
