// What an application says beside the document.
import Fastify, { type FastifyRequest } from 'fastify'
import t from 'tap'
import { type Document, type ExactOptions, exactOpenapi, type RequestProblem, type Sender } from '../../src/index.ts'
import { modelOf } from '../../src/model/index.ts'
import { json, serve } from '../fixtures/serve.ts'

declare module '../../src/index.ts' {
  interface Extensions {
    readonly 'x-cost'?: number
  }
}

const int64 = { type: 'integer', format: 'int64', minimum: 5, multipleOf: 5 }
const query = (name: string, schema: object) => ({ in: 'query', name, schema })

t.test('errorOf gets what is wrong in each place', async (t) => {
  const schema = {
    type: 'object',
    required: ['a'],
    properties: { a: {}, n: { enum: [1, 2] }, s: { type: 'string', maxLength: 1 } },
  }
  const operation = {
    ...json({ ...schema, additionalProperties: false }),
    parameters: [query('id', int64), query('text', { type: 'string' })],
  }
  const problems: RequestProblem[] = []
  const errorOf = (problem: RequestProblem) => {
    problems.push(problem)
    return Object.assign(new Error(problem.code), { statusCode: 418 })
  }
  const send = await serve(t, { operations: { 'POST /a': operation }, options: { errorOf } })
  const headers = { 'content-type': 'application/json' }
  const cases: [url: string, payload: string, errors: [place: string, rule: string][]][] = [
    [
      '/a',
      '{"n":3,"s":"long","x":1}',
      [
        ['body a', 'required'],
        ['body', 'additionalProperties'],
        ['body n', 'enum'],
        ['body s', 'maxLength'],
      ],
    ],
    ['/a', '{"a":', [['body', 'syntax']]],
    ['/a', '', [['body', 'required']]],
    ['/a?id=x', '{"a":1}', [['query id', 'type']]],
    ['/a?id=0', '{"a":1}', [['query id', 'minimum']]],
    ['/a?id=7', '{"a":1}', [['query id', 'multipleOf']]],
    ['/a?text=%ff', '{"a":1}', [['query', 'syntax']]],
  ]
  for (const [url, payload, errors] of cases) {
    t.equal(await send({ method: 'POST', url, payload, headers }), '418 invalid_request')
    const found = problems.at(-1)?.errors.map(({ place, rule }) => [place, rule])
    t.strictSame(found?.sort(), errors.sort(), `${url} ${payload}`)
  }
  t.equal(
    await send({ method: 'POST', url: '/a', payload: 'a', headers: { 'content-type': 'text/plain' } }),
    '418 unsupported_media_type',
  )
})

const document = (servers: unknown) =>
  ({
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    servers,
    paths: { '/a': { get: { operationId: 'ask', security: [], responses: { 200: { description: 'Done.' } } } } },
  }) as unknown as Document

t.test('operations are at the path of the first server, unless a prefix is given', async (t) => {
  const cases: [servers: unknown, prefix: string | undefined, url: string][] = [
    [undefined, undefined, '/a'],
    [[{ url: 'https://api.example.com/v1/' }, { url: '/v2' }], undefined, '/v1/a'],
    [[{ url: '/{base}/x:y', variables: { base: { default: 'b c' } } }], undefined, '/b%20c/x:y/a'],
    [[{ url: '{host}' }], undefined, '/a'],
    [[{ url: '/v1' }], '/v2', '/v2/a'],
    [[{ url: '/v1' }], '', '/a'],
  ]
  for (const [servers, prefix, url] of cases) {
    const app = Fastify()
    t.teardown(() => app.close())
    const handlers = { ask: async () => ({ status: 200 }) }
    await app.register(exactOpenapi, { document: document(servers), handlers, ...(prefix !== undefined && { prefix }) })
    t.equal((await app.inject(url)).statusCode, 200, url)
  }
})

t.test('bodies are limited by bodyLimit', async (t) => {
  const send = await serve(t, { operations: { 'POST /a': json({}) }, options: { bodyLimit: 10 } })
  const post = (payload: string) =>
    send({ method: 'POST', url: '/a', payload, headers: { 'content-type': 'application/json' } })
  t.equal(await post('"12345678"'), '{"body":"12345678"}')
  t.match(await post('"123456789"'), /^413 /)
})

t.test('a handler gets the request beside services, and hooks its parts as checked values', async (t) => {
  let seen: unknown
  const app = Fastify({ genReqId: () => 'seven' })
  t.teardown(() => app.close())
  app.addHook('preHandler', async ({ params, query, body }) => {
    seen = { params, query, body }
  })
  const parameters = [
    { ...query('id', int64), in: 'path', required: true },
    query('n', { type: 'integer', default: 4 }),
  ]
  const post = {
    operationId: 'ask',
    security: [],
    parameters,
    ...json({}),
    responses: { 200: { description: 'Done.' } },
  }
  const handlers = {
    ask: async (_input: object, services: string, { id, signal, headers }: FastifyRequest) => {
      const body = { services, id, isAborted: signal.aborted, extra: headers['x-extra'] }
      return { status: 200, body }
    },
  }
  const paths = { '/a/{id}': { post } }
  await app.register(exactOpenapi, { document: { ...document([]), paths } as never, handlers, services: 'all' })
  const response = await app.inject({
    method: 'POST',
    url: '/a/10',
    payload: '[1]',
    headers: { 'content-type': 'application/json', 'x-extra': 'e' },
  })
  t.strictSame(response.json(), { services: 'all', id: 'seven', isAborted: false, extra: 'e' })
  t.strictSame(seen, { params: { id: 10n }, query: { n: 4 }, body: [1] })
})

t.test('extensions that an application declares are typed', async (t) => {
  const get = { 'x-cost': 7, responses: {} }
  const [operation] = modelOf({ ...document([]), paths: { '/a': { get } } } as never).operations
  const cost: number | undefined = operation?.extensions['x-cost']
  t.equal(cost, 7)
})

t.test('a path parameter that may be longer than the router takes is reported', async (t) => {
  const parameters = [{ in: 'path', name: 'p', required: true, schema: { type: 'string', maxLength: 101 } }]
  const get = { operationId: 'ask', security: [], parameters, responses: { 200: { description: 'Done.' } } }
  for (const [maxParamLength, isReported] of [
    [undefined, true],
    [101, false],
  ] as const) {
    const lines: string[] = []
    const logger = { stream: { write: (line: string) => lines.push(line) } }
    const app = Fastify({ logger, ...(maxParamLength && { routerOptions: { maxParamLength } }) })
    t.teardown(() => app.close())
    const paths = { '/a/{p}': { get } }
    const handlers = { ask: async () => ({ status: 200 }) }
    await app.register(exactOpenapi, { document: { ...document([]), paths } as never, handlers })
    const message = 'ask: path p may have 101 characters: give Fastify routerOptions: { maxParamLength: 101 }'
    t.equal(lines.join('').includes(message), isReported)
    t.equal((await app.inject(`/a/${'x'.repeat(101)}`)).statusCode, isReported ? 414 : 200)
  }
})

t.test('handlers, senders and contentOf may be async or not', async (t) => {
  const output = { status: 200, type: 'text/plain', body: 'done' }
  const failure = Object.assign(new Error('No.'), { statusCode: 418 })
  const sender = (send: Sender['send']): Partial<ExactOptions<unknown>> => ({
    senders: [{ accepts: () => true, send }],
  })
  const cases: [options: Partial<ExactOptions<unknown>>, expected: string | RegExp][] = [
    [{ handlers: { 'POST /a': () => output } }, 'done'],
    [{ handlers: { 'POST /a': async () => output } }, 'done'],
    [{ handlers: { 'POST /a': () => Promise.reject(failure) } }, '418 No.'],
    [
      {
        handlers: {
          'POST /a': () => {
            throw failure
          },
        },
      },
      '418 No.',
    ],
    [{ handlers: { 'POST /a': (() => {}) as never } }, '500 POST /a returned no { status }'],
    [{ handlers: { 'POST /a': (async () => 1) as never } }, '500 POST /a returned no { status }'],
    [sender((reply) => reply.send('sent')), 'sent'],
    [
      sender(async (reply) => {
        await reply.send('sent')
      }),
      'sent',
    ],
    [
      sender(async () => {
        throw failure
      }),
      '418 No.',
    ],
    [
      sender(() => {
        throw failure
      }),
      '418 No.',
    ],
    [{ contentOf: () => ({ type: 'application/json', bytes: Buffer.from('1') }) }, '{"body":1}'],
    [{ contentOf: async () => ({ type: 'application/json', bytes: Buffer.from('1') }) }, '{"body":1}'],
    [{ contentOf: async () => ({ type: 'application/json', bytes: Buffer.from('"a"') }) }, /^400 body must be/],
    [
      {
        contentOf: async () => {
          throw failure
        },
      },
      '418 No.',
    ],
  ]
  for (const [options, expected] of cases) {
    const send = await serve(t, { operations: { 'POST /a': json({ type: 'integer' }) }, options })
    const headers = { 'content-type': 'application/json' }
    t.match(await send({ method: 'POST', url: '/a', payload: '1', headers }), expected)
  }
})
