import Fastify from 'fastify'
import t from 'tap'
import { exactOpenapi, problemsOf, type rules } from '../../src/index.ts'
import { json, serve } from '../fixtures/serve.ts'

const path = (name: string) => ({ in: 'path', name, required: true, schema: { type: 'string' } })
const withDefault = { type: 'object', properties: { size: { type: 'integer', default: 'large' }, n: { default: 1 } } }

/** By rule: an operation that breaks it, and what a request gets if that is tolerated. */
const broken: Record<keyof typeof rules, [name: string, operation: object, expected: string | RegExp]> = {
  'odd-part': ['POST /a', { unknown: true, ...json({ type: 'object', required: true }) }, '{"body":{}}'],
  'no-security': ['POST /a', { security: undefined }, '{}'],
  'wrong-default': ['POST /a', json(withDefault), '{"body":{"n":1}}'],
  'odd-pattern': [
    'POST /a',
    json({ type: 'object', properties: { a: { type: 'string', pattern: '(' } } }),
    '{"body":{}}',
  ],
  'unreachable-path': ['POST /a', { parameters: [path('p')] }, /^404/],
  'other-servers': ['POST /a', { servers: [{ url: '/other' }] }, '{}'],
}

for (const [rule, [name, operation, expected]] of Object.entries(broken)) {
  t.test(`a document that breaks ${rule} starts only if that is tolerated`, async (t) => {
    const operations = { [name]: operation }
    await t.rejects(serve(t, { operations }), { message: new RegExp(`, or tolerate "${rule}"$`) })
    const send = await serve(t, { operations, options: { tolerate: [rule as keyof typeof rules] } })
    const request = {
      method: 'POST',
      url: '/a',
      headers: { 'content-type': 'application/json' },
      payload: '{}',
    } as const
    t.match(await send(request), expected)
  })
}

t.test('a path that no request has is one with a query, a fragment or an escape', async (t) => {
  for (const odd of ['/a?b', '/a#b', '/a%20b']) {
    const message = `no request has the path ${odd}: write it without ?, # and %20, or tolerate "unreachable-path"`
    await t.rejects(serve(t, { operations: { [`GET ${odd}`]: {} } }), { message: `GET ${odd}: ${message}` })
  }
})

t.test('a name that is used twice is refused, as only one could be read', async (t) => {
  const twice = { 'GET /{p}/{p}': { parameters: [path('p')] } }
  const message = 'GET /{p}/{p}: the name p twice in /{p}/{p} is not supported: give each parameter a name of its own'
  await t.rejects(serve(t, { operations: twice }), { message })
  const same = { 'GET /{p}': { parameters: [path('p'), path('p')] } }
  await t.rejects(serve(t, { operations: same }), { message: 'GET /{p}, parameters: path p is described twice' })
})

t.test('a part that is too odd to be read is refused, whatever is tolerated', async (t) => {
  const tags = { info: { title: 'T', version: '1' }, openapi: '3.0.3', paths: {}, tags: [null] } as never
  const app = Fastify()
  const starting = app.register(exactOpenapi, { document: tags, handlers: {}, tolerate: ['odd-part'] })
  const message = 'the document is not valid OpenAPI: tags 0 must be object'
  await t.rejects(Promise.resolve(starting), { message })
  t.strictSame(problemsOf(tags).problems, [message])
})
