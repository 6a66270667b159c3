import t from 'tap'
import { big, color, serve } from '../../fixtures/serve.ts'

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
