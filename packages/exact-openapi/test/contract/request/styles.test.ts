// The examples of OpenAPI 3.0.4, "Style Examples".
import t from 'tap'
import { big, int64, serve } from '../../fixtures/serve.ts'

const list = { type: 'array', items: { type: 'string' } }
const color = { type: 'object', properties: { R: { type: 'integer' }, G: int64 } }
const int64s = { type: 'array', items: int64 }
const [text, number] = [
  { type: 'string', enum: ['1', 'auto'] },
  { type: 'integer', minimum: 10 },
]
const oneOrAuto = { oneOf: [text, number] }
const oneOrSeveral = { oneOf: [{ type: 'string', enum: ['a', 'b'] }, int64s] }

const inPath: [style: object, schema: object, text: string, value: string][] = [
  [{ style: 'simple' }, list, 'blue,black', '["blue","black"]'],
  [{ style: 'simple' }, list, 'a%2Cb,c', '["a,b","c"]'],
  [{ style: 'simple' }, color, `R,100,G,${big}`, `{"R":100,"G":${big}}`],
  [{ style: 'simple', explode: true }, color, 'R=100,G=200', '{"R":100,"G":200}'],
  [{ style: 'simple', explode: true }, { type: 'object', additionalProperties: true }, 'R=a=b', '{"R":"a=b"}'],
  [{ style: 'label' }, { type: 'integer' }, '.5', '5'],
  [{ style: 'label' }, list, '.blue,black', '["blue","black"]'],
  [{ style: 'label', explode: true }, list, '.blue.black', '["blue","black"]'],
  [{ style: 'label', explode: true }, color, '.R=100.G=200', '{"R":100,"G":200}'],
  [{ style: 'matrix' }, { type: 'integer' }, ';p=5', '5'],
  [{ style: 'matrix' }, list, ';p=blue,black', '["blue","black"]'],
  [{ style: 'matrix', explode: true }, list, ';p=blue;p=black', '["blue","black"]'],
  [{ style: 'matrix', explode: true }, color, ';R=100;G=200', '{"R":100,"G":200}'],
]

t.test('path parameters are read in every style', async (t) => {
  for (const [style, schema, text, value] of inPath) {
    const parameters = [{ in: 'path', name: 'p', required: true, schema, ...style }]
    const send = await serve(t, { operations: { 'GET /a/{p}': { parameters } } })
    t.equal(await send(`/a/${text}`), `{"path":{"p":${value}}}`, `${JSON.stringify(style)} ${text}`)
  }
  const parameters = ['id', 'p'].map((name) => ({
    in: 'path',
    name,
    required: true,
    schema: name === 'p' ? list : int64,
  }))
  const send = await serve(t, { operations: { 'GET /{id}/{p}': { parameters } } })
  t.equal(await send('/5/a,b'), '{"path":{"id":5,"p":["a","b"]}}')
})

const inQuery: [style: object, schema: object, text: string, value: string][] = [
  [{}, list, 'p=blue&p=black', '{"p":["blue","black"]}'],
  [{ explode: false }, list, 'p=blue,black', '{"p":["blue","black"]}'],
  [{ style: 'spaceDelimited', explode: false }, list, 'p=blue%20black', '{"p":["blue","black"]}'],
  [{ style: 'pipeDelimited', explode: false }, list, 'p=blue|b%7Ck', '{"p":["blue","b","k"]}'],
  [{}, color, `R=100&G=${big}&other=1`, `{"p":{"R":100,"G":${big}}}`],
  [{ explode: false }, color, 'p=R,100,G,200', '{"p":{"R":100,"G":200}}'],
  [{ style: 'deepObject', explode: true }, color, 'p[R]=100&p%5BG%5D=200', '{"p":{"R":100,"G":200}}'],
  [{ style: 'deepObject' }, { type: 'object', properties: { l: list } }, 'p[l]=a&p[l]=b', '{"p":{"l":["a","b"]}}'],
  [{ style: 'deepObject' }, { type: 'object' }, 'p[x]=a%20b', '{"p":{"x":"a b"}}'],
  [{}, oneOrSeveral, 'p=a', '{"p":"a"}'],
  [{}, oneOrSeveral, 'p=5', '{"p":[5]}'],
  [{}, oneOrSeveral, `p=%35&p=${big}`, `{"p":[5,${big}]}`],
  [{}, { type: 'object', properties: { q: oneOrSeveral } }, 'q=5', '{"p":{"q":[5]}}'],
  [{}, { anyOf: [{ type: 'integer' }, { type: 'boolean' }] }, 'p=true', '{"p":true}'],
  [{}, { enum: [1, 'two'] }, 'p=1', '{"p":1}'],
  [{}, { enum: [9007199254740993n] }, `p=${big}`, `{"p":${big}}`],
  [{}, {}, 'p=1', '{"p":"1"}'],
  [{}, { enum: [0.5, null] }, 'p=0.5', '{"p":0.5}'],
  [{ explode: false }, color, 'p=R,100,other', '{"p":{"R":100,"other":""}}'],
  [{}, { oneOf: [{ items: { type: 'integer' } }] }, 'p=1', '{"p":[1]}'],
  [{ explode: false }, { allOf: [{ properties: { a: { type: 'integer' } } }] }, 'p=a,1', '{"p":{"a":1}}'],
  [{}, oneOrAuto, 'p=1', '{"p":"1"}'],
  [{}, oneOrAuto, 'p=10', '{"p":10}'],
  [{}, oneOrAuto, 'p=auto', '{"p":"auto"}'],
  [{}, { type: 'array', items: oneOrAuto }, 'p=1&p=12', '{"p":["1",12]}'],
  [{}, { type: 'object', properties: { q: oneOrAuto } }, 'q=1', '{"p":{"q":"1"}}'],
]

t.test('a text that two values may be is the one that is valid, and a name is not repeated', async (t) => {
  const parameters = [
    { in: 'query', name: 'p', schema: oneOrAuto },
    { in: 'query', name: 'c', explode: false, schema: color },
  ]
  const send = await serve(t, { operations: { 'GET /a': { parameters } } })
  t.match(await send('/a?p=9'), /^400 query p/)
  t.match(await send('/a?c=R,1,%52,3'), /^400 The name R is repeated/)
  t.match(await send('/a?c=R,1,G,2,R,3'), /^400 The name R is repeated within an object/)
})

t.test('query parameters are read in every style', async (t) => {
  for (const [style, schema, text, value] of inQuery) {
    const parameters = [{ in: 'query', name: 'p', schema, ...style }]
    const send = await serve(t, { operations: { 'GET /a': { parameters } } })
    t.equal(await send(`/a?${text}`), `{"query":${value}}`, `${JSON.stringify(style)} ${text}`)
    t.equal(await send('/a'), '{"query":{}}', 'it may be missing')
  }
})

t.test('an object of any properties has what no other parameter has', async (t) => {
  const free = { type: 'object', additionalProperties: int64 }
  const parameters = [
    { in: 'query', name: 'p', schema: free },
    { in: 'query', name: 'q', schema: { type: 'string' } },
    { in: 'query', name: 'r', style: 'deepObject', schema: free },
  ]
  const send = await serve(t, { operations: { 'GET /a': { parameters } } })
  t.equal(await send(`/a?a=${big}&q=1&r[b]=2`), `{"query":{"p":{"a":${big}},"q":"1","r":{"b":2}}}`)
  t.equal(await send('/a?q=1'), '{"query":{"q":"1"}}')
  t.match(await send('/a?a=x'), /^400 query p\/a must be a 64-bit integer/)
})

t.test('an object whose properties have names of their own is empty without any, if it is required', async (t) => {
  for (const style of ['form', 'deepObject']) {
    const parameters = [{ in: 'query', name: 'p', required: true, style, explode: true, schema: color }]
    const send = await serve(t, { operations: { 'GET /a': { parameters } } })
    t.equal(await send('/a'), '{"query":{"p":{}}}', style)
  }
})

t.test('what is not of the type is refused, in objects and texts, too', async (t) => {
  const parameters = [
    { in: 'query', name: 'p', style: 'deepObject', schema: { ...color, additionalProperties: false, required: ['R'] } },
    { in: 'query', name: 'filter', content: { 'application/json': { schema: { type: 'object', required: ['a'] } } } },
    { in: 'query', name: 'large', schema: { type: 'integer', format: 'uint64' } },
    { in: 'query', name: 'any', content: { 'text/plain': {} } },
    { in: 'query', name: 'note', content: { 'text/plain': { schema: { type: 'string', maxLength: 3 } } } },
  ]
  const send = await serve(t, { operations: { 'GET /a': { parameters } } })
  t.match(await send('/a?p[R]=x'), /^400 query p\/R must be an integer in plain decimal digits, at most /)
  t.equal(await send('/a?p[B]=1'), '400 query p/R is required; query p must not have the property "B".')
  t.equal(await send('/a?filter={}'), '400 query filter/a is required.')
  t.equal(await send('/a?filter={'), '400 The text is not JSON.')
  t.equal(await send('/a?large=18446744073709551615'), '{"query":{"large":18446744073709551615}}')
  t.match(await send('/a?large=18446744073709551616'), /^400 query large must be an unsigned 64-bit integer/)
  t.equal(await send('/a?note=long'), '400 query note must NOT have more than 3 characters.')
  t.equal(await send(`/a?filter={"a":${big}}&note=ab&any=x`), `{"query":{"filter":{"a":${big}},"any":"x","note":"ab"}}`)
})

t.test('an empty text stands for a parameter that is left out, if the document says so', async (t) => {
  const of = (name: string, required: boolean) => {
    const schema = name === 'n' ? { type: 'integer', default: 5 } : { type: 'string' }
    return { in: 'query', name, required, allowEmptyValue: true, schema }
  }
  const send = await serve(t, { operations: { 'GET /a': { parameters: [of('n', false), of('s', false)] } } })
  t.equal(await send('/a?n=&s='), '{"query":{"n":5}}')
  t.equal(await send('/a?n=1&s=a'), '{"query":{"n":1,"s":"a"}}')
  const sendRequired = await serve(t, { operations: { 'GET /a': { parameters: [of('s', true)] } } })
  t.equal(await sendRequired('/a?s='), '{"query":{"s":""}}')
})

t.test('a list in a cookie has the name before each item', async (t) => {
  const parameters = [{ in: 'cookie', name: 'c', schema: list }]
  const send = await serve(t, { operations: { 'GET /a': { parameters } } })
  const read = (cookie: string) => send({ url: '/a', headers: { cookie } })
  t.equal(await read('c=blue&c=black'), '{"cookies":{"c":["blue","black"]}}')
  t.equal(await read('a=b; c=blue'), '{"cookies":{"c":["blue"]}}')
})
