// What OpenAPI 3.1 and 3.2 have that 3.0 has not.
import Fastify from 'fastify'
import t from 'tap'
import { exactOpenapi } from '../../src/index.ts'
import { modelOf } from '../../src/model/index.ts'
import { big, int64, json, post, serve } from '../fixtures/serve.ts'

t.test('a schema that is not of JSON Schema is refused with its place, or read as far as it can be', async (t) => {
  const odd: [schema: unknown, problem: string][] = [
    [{ required: true }, 'required must be array'],
    [{ properties: { a: { enum: 5 } } }, 'properties a enum must be array'],
    [{ $ref: -1, type: 'string' }, '$ref must be string'],
    [null, 'must be object,boolean'],
  ]
  for (const [schema, problem] of odd) {
    const given = { openapi: '3.1.0', operations: { 'POST /a': json(schema as object) } }
    const place = 'the document is not valid OpenAPI: POST /a, requestBody content application/json schema'
    await t.rejects(serve(t, given), { message: `${place} ${problem}, or tolerate "invalid-part"` })
    const send = await serve(t, { ...given, options: { tolerate: ['invalid-part'] } })
    t.equal(await send(post('"a"')), '{"body":"a"}', problem)
  }
})

t.test('a path item may be a reference, and its texts, QUERY and additional operations are read', async (t) => {
  const responses = { 204: { description: 'Done.' } }
  const operation = (operationId: string) => ({ operationId, security: [], responses })
  const document = {
    openapi: '3.2.0',
    info: { title: 'T', version: '1' },
    paths: {
      '/a': { $ref: '#/components/pathItems/Shared' },
      'x-note': { get: operation('none') },
      '/b': { query: operation('search'), additionalOperations: { COPY: operation('copy') } },
    },
    components: { pathItems: { Shared: { summary: 'Of the path.', get: operation('shared') } } },
  } as never
  const { operations } = modelOf(document)
  const described = operations.map(({ id, method, summary, isSafe }) => [id, method, summary, isSafe])
  t.strictSame(described, [
    ['shared', 'GET', 'Of the path.', true],
    ['search', 'QUERY', undefined, true],
    ['copy', 'COPY', undefined, false],
  ])
  const app = Fastify()
  t.teardown(() => app.close())
  for (const method of ['QUERY', 'COPY']) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  const handlers = Object.fromEntries(operations.map(({ id }) => [id, async () => ({ status: 204 })]))
  await app.register(exactOpenapi, { document, handlers })
  t.equal((await app.inject('/a')).statusCode, 204)
  t.equal((await app.inject({ method: 'COPY' as never, url: '/b' })).statusCode, 204)
})

t.test('the whole query string of 3.2 is an object', async (t) => {
  const schema = { type: 'object', properties: { id: int64, tags: { type: 'array', items: { type: 'string' } } } }
  const content = { 'application/x-www-form-urlencoded': { schema: { ...schema, required: ['id'] } } }
  const operation = { parameters: [{ name: 'filter', in: 'querystring', content }] }
  const send = await serve(t, { openapi: '3.2.0', operations: { 'GET /a': operation } })
  t.equal(await send(`/a?id=${big}&tags=a+b&tags=c`), `{"query":{"filter":{"id":${big},"tags":["a b","c"]}}}`)
  t.equal(await send('/a'), '{"query":{}}')
  t.match(await send('/a?tags=a'), /^400 query filter\/id is required/)
  t.equal(await send('/a?id=1&other=b'), '{"query":{"filter":{"id":1,"other":"b"}}}')
  const closed = { 'application/x-www-form-urlencoded': { schema: { ...schema, additionalProperties: false } } }
  const strict = { parameters: [{ name: 'filter', in: 'querystring', content: closed }] }
  const sendStrict = await serve(t, { openapi: '3.2.0', operations: { 'GET /a': strict } })
  t.match(await sendStrict('/a?other=1'), /^400 query filter must not have the property "other"/)
})

t.test('the names of headers are compared without case', async (t) => {
  const header = (name: string, schema: object) => ({ in: 'header', name, schema })
  const get = { parameters: [header('X-Id', int64)] }
  const twice = { ...get, parameters: [...get.parameters, header('x-id', int64)] }
  const message = 'GET /a, parameters: header x-id is described twice'
  await t.rejects(serve(t, { operations: { 'GET /a': twice } }), { message })
  const paths = { '/a': { get, parameters: [header('x-ID', { type: 'string' })] } }
  const [operation] = modelOf({ openapi: '3.0.3', paths } as never).operations
  t.equal(operation?.parameters.map(({ name }) => name).join(), 'X-Id')
})
