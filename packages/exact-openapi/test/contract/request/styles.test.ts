// The examples of OpenAPI 3.0.4, "Style Examples".
import t from 'tap'
import { big, color, int64, oneOrAuto, serve } from '../../fixtures/serve.ts'

const list = { type: 'array', items: { type: 'string' } }
const int64s = { type: 'array', items: int64 }
const oneOrSeveral = { oneOf: [{ type: 'string', enum: ['a', 'b'] }, int64s] }

const inPath: [style: object, schema: object, text: string, value: string][] = [
  [{ style: 'simple' }, list, 'blue,black', '["blue","black"]'],
  [{ style: 'simple' }, list, 'a%2Cb,c', '["a,b","c"]'],
  [{ style: 'simple' }, color, `R,100,G,${big}`, `{"R":100,"G":${big}}`],
  [{ style: 'simple', explode: true }, color, 'R=100,G=200', '{"R":100,"G":200}'],
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
  [{}, { type: 'array', items: oneOrAuto }, 'p=1&p=12', '{"p":["1",12]}'],
  [{}, { type: 'object', properties: { q: oneOrAuto } }, 'q=1', '{"p":{"q":"1"}}'],
]

t.test('query parameters are read in every style', async (t) => {
  for (const [style, schema, text, value] of inQuery) {
    const parameters = [{ in: 'query', name: 'p', schema, ...style }]
    const send = await serve(t, { operations: { 'GET /a': { parameters } } })
    t.equal(await send(`/a?${text}`), `{"query":${value}}`, `${JSON.stringify(style)} ${text}`)
    t.equal(await send('/a'), '{"query":{}}', 'it may be missing')
  }
})

t.test('a list in a cookie has the name before each item', async (t) => {
  const parameters = [{ in: 'cookie', name: 'c', schema: list }]
  const send = await serve(t, { operations: { 'GET /a': { parameters } } })
  const read = (cookie: string) => send({ url: '/a', headers: { cookie } })
  t.equal(await read('c=blue&c=black'), '{"cookies":{"c":["blue","black"]}}')
  t.equal(await read('a=b; c=blue'), '{"cookies":{"c":["blue"]}}')
})
