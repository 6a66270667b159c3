// What OpenAPI 3.1 and 3.2 have that 3.0 has not.
import Fastify from 'fastify'
import t from 'tap'
import { exactOpenapi } from '../../src/index.ts'
import { modelOf } from '../../src/model/index.ts'
import { accepts, big, int64, json, post, ref, serve } from '../fixtures/serve.ts'

/** By a schema of 3.1: bodies that are valid, and those that are not. */
const schemas: [schema: object | boolean, valid: string[], wrong: string[]][] = [
  [
    { type: ['integer', 'string'], format: 'int64', minimum: 2, minLength: 2 },
    [big, '"ab"', '2'],
    ['1', '"a"', 'true'],
  ],
  [{ type: ['array', 'number'], items: int64 }, [`[${big}]`, '0.5'], ['["a"]', '{}']],
  [{ type: ['string', 'integer'], anyOf: [{ const: 'a' }, { const: 1 }] }, ['"a"', '1'], ['"b"', '2']],
  [{ type: 'integer', format: 'uint64' }, ['18446744073709551615', '0'], ['-1', '18446744073709551616', '0.5']],
  [{ type: 'null' }, ['null'], ['0']],
  [{ type: ['null'] }, ['null'], ['0']],
  [{ type: ['string', 'null'], enum: ['a'] }, ['"a"'], ['null', '"b"']],
  [{ type: ['string', 'null'], enum: ['a', null] }, ['"a"', 'null'], ['"b"']],
  [
    { type: ['string', 'integer', 'null'], format: 'date', examples: ['a'], example: 'b' },
    ['"2026-01-01"', '1', 'null'],
    ['"a"'],
  ],
  [{ type: ['number', 'integer'], maximum: 1 }, ['0.5', '1'], ['2']],
  [{ type: 'string', examples: ['a'] }, ['"a"'], ['1']],
  [{ const: 9007199254740993n }, [big], ['9007199254740992', '"a"']],
  [{ type: 'integer', exclusiveMinimum: 1, minimum: 0 }, ['2'], ['1', '0']],
  [{ type: 'integer', exclusiveMaximum: 9, maximum: 5 }, ['5'], ['6']],
  [{ type: 'integer', exclusiveMaximum: 9 }, ['8'], ['9']],
  [{ minimum: 1 }, ['1', '"text"', big], ['0']],
  [{ type: 'number', multipleOf: 0.1 }, ['0.3', '1e+21', '-7'], ['0.35', '1e-7']],
  [{ prefixItems: [{ type: 'string' }, int64], items: false }, ['["a"]', `["a",${big}]`], ['[1]', '["a",1,2]']],
  [{ type: 'object', patternProperties: { '^n': int64 } }, [`{"n1":${big},"o":"x"}`], ['{"n":"x"}']],
  [{ type: 'object', properties: { n: true }, patternProperties: { '^n': int64 } }, [`{"n":${big}}`], ['{"n":"x"}']],
  [{ allOf: [{ type: 'integer' }], const: 1, enum: [1, 2] }, ['1'], ['2', '3']],
  [
    { type: 'object', allOf: [{ properties: { a: int64 } }], unevaluatedProperties: false },
    [`{"a":${big}}`],
    ['{"a":1,"b":2}'],
  ],
  [{ ...ref('Short'), pattern: '^a' }, ['"ab"'], ['"abc"', '"bb"']],
  [{ ...ref('Short'), allOf: [{ pattern: '^a' }] }, ['"ab"'], ['"abc"', '"bb"']],
  [ref('Alias'), ['"ab"'], ['"a"', '"abc"']],
  [true, ['{"any":[1]}'], []],
  [false, [], ['1']],
  [{ $ref: '#/components/schemas/Box/$defs/inner' }, [big], ['"a"']],
]

t.test('the keywords of JSON Schema 2020-12 are checked, with exact numbers', async (t) => {
  const Short = { type: 'string', maxLength: 2 }
  const Alias = { ...ref('Short'), minLength: 2 }
  const components = { schemas: { Alias, Short, Box: { $defs: { inner: int64 }, $comment: 'none' } } }
  for (const row of schemas) await accepts(t, row, '3.1.0', components)
})

t.test('a default of the consequence that applies is filled in', async (t) => {
  const [text, count] = [{ type: 'string' }, { properties: { n: { type: 'integer', default: 5 } } }]
  const condition = { properties: { kind: { const: 'a' } } }
  const parts = { if: condition, dependentSchemas: { a: count } }
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  const schema = { type: 'object', properties: { kind: text }, ...parts, then: count }
  const filled = { '{"kind":"a"}': '{"kind":"a","n":5}', '{"kind":"b","a":1}': '{"kind":"b","a":1,"n":5}' }
  await accepts(t, [schema, { '{"kind":"b"}': '{"kind":"b"}', ...filled }, []], '3.1.0')
})

t.test('a schema that is not of JSON Schema is refused with its place, or read as far as it can be', async (t) => {
  const odd: [schema: unknown, problem: string][] = [
    [{ required: true }, 'required must be array'],
    [{ properties: { a: { enum: 5 } } }, 'properties a enum must be array'],
    [{ allOf: {} }, 'allOf must be array'],
    [{ items: 5 }, 'items must be object,boolean'],
    [{ $ref: -1, type: 'string' }, '$ref must be string'],
    [{ minimum: 'x' }, 'minimum must be number'],
    [7, 'must be object,boolean'],
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

t.test('a discriminator with a default chooses no branch, as any may be the default', async (t) => {
  const kind = (name: string) => {
    return { type: 'object', properties: { kind: { type: 'string' }, [name]: int64 }, required: [name] }
  }
  const discriminator = { propertyName: 'kind', mapping: { a: '#/components/schemas/A' }, defaultMapping: 'B' }
  await accepts(t, [{ oneOf: [kind('a'), kind('b')], discriminator }, [`{"kind":"x","b":${big}}`], []], '3.2.0')
})

t.test('3.0 hides the keywords beside a reference, and null must be one of the values of an enum', async (t) => {
  const components = { schemas: { Short: { type: 'string', maxLength: 2 } } }
  await accepts(t, [{ ...ref('Short'), pattern: '^a' }, ['"bb"'], []], '3.0.3', components)
  await accepts(t, [{ type: 'string', nullable: true, enum: ['a'] }, [], ['null']])
  await accepts(t, [{ type: 'integer', nullable: true, enum: [1] }, [], ['null']])
  await accepts(t, [{ type: 'integer', nullable: true, enum: [1, null] }, ['null'], []])
  await accepts(t, [{ nullable: true, allOf: [{ type: 'string' }] }, [], ['null']])
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
  t.strictSame(
    operations.map(({ id, method, summary, isSafe }) => [id, method, summary, isSafe]),
    [
      ['shared', 'GET', 'Of the path.', true],
      ['search', 'QUERY', undefined, true],
      ['copy', 'COPY', undefined, false],
    ],
  )
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
