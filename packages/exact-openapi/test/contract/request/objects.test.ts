import t from 'tap'
import { big, color, int64, oneOrAuto, serve } from '../../fixtures/serve.ts'

t.test('a text that two values may be is the one that is valid, and a name is not repeated', async (t) => {
  const parameters = [
    { in: 'query', name: 'p', schema: oneOrAuto },
    { in: 'query', name: 's', schema: { oneOf: [...oneOrAuto.oneOf, { type: 'array', items: { type: 'boolean' } }] } },
    { in: 'query', name: 'c', explode: false, schema: color },
  ]
  const send = await serve(t, { operations: { 'GET /a': { parameters } } })
  t.match(await send('/a?p=9'), /^400 query p .*must be >= 10/)
  t.match(await send('/a?s=9'), /^400 query s .*must be >= 10/)
  t.match(await send('/a?c=R,1,%52,3'), /^400 The name R is repeated/)
  t.match(await send('/a?c=R,1,G,2,R,3'), /^400 The name R is repeated within an object/)
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
  t.equal(await send('/a?r[b=2'), '{"query":{"p":{"r[b":2}}}')
  t.match(await send('/a?a=x'), /^400 query p\/a must be a 64-bit integer/)
})

t.test('a value may have an equals sign', async (t) => {
  const parameters = [{ in: 'header', name: 'X-A', explode: true, schema: { type: 'object' } }]
  const send = await serve(t, { operations: { 'GET /a': { parameters } } })
  t.equal(await send({ url: '/a', headers: { 'x-a': 'b=c=d' } }), '{"headers":{"X-A":{"b":"c=d"}}}')
})

t.test('an object whose properties have names of their own is empty without any, if it is required', async (t) => {
  for (const style of ['form', 'deepObject']) {
    const parameters = [{ in: 'query', name: 'p', required: true, style, explode: true, schema: color }]
    const send = await serve(t, { operations: { 'GET /a': { parameters } } })
    t.equal(await send('/a'), '{"query":{"p":{}}}', style)
  }
})
