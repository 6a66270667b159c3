// Schemas of any size are read in time with it, or refused by a line that says where.
import t from 'tap'
import { modelOf, requireValid } from '../../src/model/index.ts'
import { accepts, big, int64, json, post, ref, serve, serveBody } from '../fixtures/serve.ts'

const levels = (count: number, around: (inner: object) => object) => {
  let schema: object = int64
  for (let at = 0; at < count; at++) schema = around(schema)
  return schema
}
const arounds = {
  properties: (inner: object) => ({ type: 'object', properties: { a: inner } }),
  items: (items: object) => ({ type: 'array', items }),
  allOf: (inner: object) => ({ allOf: [inner] }),
}

for (const [name, around] of Object.entries(arounds)) {
  t.test(`schemas within schemas are refused with their place if they are too many: ${name}`, async (t) => {
    await accepts(t, [[levels(150, around), [], ['"a"']]])
    const message = /requestBody content .{50,100}…: (values are nested too deeply|too many schemas contain each other)/
    for (const count of [500, 3000]) await t.rejects(serveBody(t, levels(count, around)), { message })
  })
}

const chains: Record<string, (next: object) => object> = {
  reference: (next) => next,
  'reference with a description': (next) => ({ ...next, description: 'D.' }),
}
for (const openapi of ['3.0.3', '3.1.0']) {
  for (const [name, around] of Object.entries(chains)) {
    t.test(`a chain of references is read, or refused with its place: ${openapi} ${name}`, async (t) => {
      const count = 3_000
      const entries = Array.from({ length: count }, (_, at) => [`S${at + 1}`, around(ref(`S${at}`))])
      const components = { schemas: { S0: int64, ...Object.fromEntries(entries) } }
      const operations = { 'POST /a': json(ref(`S${count}`)) }
      const message = await serve(t, { openapi, operations, components }).then(
        async (send) => send(post(big)),
        (error) => error.message,
      )
      const isRead = openapi === '3.0.3' || name === 'reference'
      t.match(message, isRead ? `{"body":${big}}` : /^components schemas S\d+.*: too many schemas contain each other/)
    })
  }
}

t.test('200 schemas may contain each other, and 400 values', async (t) => {
  for (const count of [199, 200]) {
    const isRead = count < 200
    const entries = Array.from({ length: count }, (_, at) => [`S${at + 1}`, arounds.items(ref(`S${at}`))])
    const components = { schemas: { S0: int64, ...Object.fromEntries(entries) } }
    const starting = serve(t, { operations: { 'POST /a': json(ref(`S${count}`)) }, components })
    await (isRead ? t.resolves(starting) : t.rejects(starting, { message: /too many schemas contain each other/ }))
    const nested = { 'x-deep': levels(count + 199, (inner) => ({ inner })) }
    const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {}, ...nested } as never
    if (isRead) t.doesNotThrow(() => requireValid(document))
    else t.throws(() => requireValid(document), { message: /nested too deeply/ })
  }
})

t.test('references that lead back to themselves end', async (t) => {
  const components = { schemas: { A: ref('B'), B: ref('C'), C: ref('B') } }
  const paths = { '/a': { get: { responses: {}, parameters: [{ in: 'query', name: 'a', schema: ref('A') }] } } }
  const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths, components } as never
  t.throws(() => requireValid(document), /leads back to itself/)
  t.throws(() => modelOf(document), /leads back to itself/)
  const Alias = { allOf: [arounds.properties(ref('Endless')), { not: ref('Endless') }] }
  const schemas = { Endless: { oneOf: [{ type: 'string' }, ref('Alias')] }, Alias }
  const message = 'components schemas Endless consists of itself: refer to it from a property or an item'
  t.throws(() => modelOf({ openapi: '3.0.3', components: { schemas } } as never), { message })
})
