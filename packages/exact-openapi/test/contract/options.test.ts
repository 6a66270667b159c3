// What an application says beside the document.
import Fastify, { type FastifyRequest } from 'fastify'
import t from 'tap'
import { contractOptions, type ExactOptions, type RequestProblem, type Sender } from '../../src/index.ts'
import { modelOf } from '../../src/model/index.ts'
import { describe, json, post, serve, start } from '../fixtures/serve.ts'

declare module '../../src/index.ts' {
  interface Extensions {
    readonly 'x-cost'?: number
  }
}

const int64 = { type: 'integer', format: 'int64', minimum: 5, multipleOf: 5 }
const query = (name: string, schema: object) => ({ in: 'query', name, schema })

t.test('errorOf gets what is wrong in each place', async (t) => {
  const properties = { a: {}, n: { enum: [1, 2] }, s: { type: 'string', maxLength: 1 } }
  const schema = { type: 'object', required: ['a'], properties, additionalProperties: false }
  const kind = { in: 'header', name: 'X-Kind', schema: { enum: ['a', 'b'] } }
  const operation = { ...json(schema), parameters: [query('id', int64), query('text', { type: 'string' }), kind] }
  const problems: RequestProblem[] = []
  const errorOf = (problem: RequestProblem) => {
    problems.push(problem)
    return Object.assign(new Error(problem.code), { statusCode: 418 })
  }
  const send = await serve(t, { operations: { 'POST /a': operation }, options: { errorOf } })
  const cases: [url: string, payload: string, errors: string[]][] = [
    [
      '/a',
      '{"n":3,"s":"long","x":1}',
      ['body additionalProperties', 'body a required', 'body n enum', 'body s maxLength'],
    ],
    ['/a', '{"a":', ['body syntax']],
    ['/a', '', ['body required']],
    ['/a?id=x', '{"a":1}', ['query id type']],
    ['/a?id=0', '{"a":1}', ['query id minimum']],
    ['/a?id=7', '{"a":1}', ['query id multipleOf']],
    ['/a?text=%ff', '{"a":1}', ['query syntax']],
  ]
  for (const [url, payload, errors] of cases) {
    t.equal(await send({ ...post(payload), url }), '418 invalid_request')
    const found = problems.at(-1)?.errors.map(({ place, rule }) => `${place} ${rule}`)
    t.strictSame(found?.sort(), errors.sort(), `${url} ${payload}`)
  }
  const headers = { 'content-type': 'application/json', 'x-kind': 'c' }
  await send({ ...post('{}'), url: '/a?id=x', headers })
  const ofParameters = 'query id must be a 64-bit integer in plain decimal digits; headers X-Kind must be one of a, b; '
  t.equal(problems.at(-1)?.message, `${ofParameters}body a is required.`)
  t.equal(await send(post('a', 'text/plain')), '418 unsupported_media_type')
})

const ask = { operationId: 'ask' }
const handlers = { ask: async () => ({ status: 200 }) }

t.test('operations are at the path of the first server, unless a prefix is given', async (t) => {
  const cases: [servers: unknown, prefix: string | undefined, url: string][] = [
    [undefined, undefined, '/a'],
    [[{ url: 'https://api.example.com/v1/' }, { url: '/v2' }], undefined, '/v1/a'],
    [[{ url: '/v1' }], '/v2', '/v2/a'],
    [[{ url: '/v1' }], '', '/a'],
  ]
  for (const [servers, prefix, url] of cases) {
    const document = { ...describe({ operations: { 'GET /a': ask } }), servers } as never
    const app = await start(t, document, { handlers, ...(prefix !== undefined && { prefix }) })
    t.equal((await app.inject(url)).statusCode, 200, url)
  }
})

t.test('bodies are limited by bodyLimit', async (t) => {
  const send = await serve(t, { operations: { 'POST /a': json({}) }, options: { bodyLimit: 10 } })
  t.equal(await send(post('"12345678"')), '{"body":"12345678"}')
  t.match(await send(post('"123456789"')), /^413 /)
})

t.test('a handler gets the request beside services, and hooks its parts as checked values', async (t) => {
  let seen: unknown
  const id = { ...query('id', int64), in: 'path', required: true }
  const operation = { ...ask, parameters: [id, query('n', { type: 'integer', default: 4 })], ...json({}) }
  const handlers = {
    ask: async (_input: object, services: string, { id, signal, headers }: FastifyRequest) => {
      const body = { services, id, isAborted: signal.aborted, extra: headers['x-extra'] }
      return { status: 200, body }
    },
  }
  const document = describe({ operations: { 'POST /a/{id}': operation } })
  const options = { handlers, services: 'all' } as Partial<ExactOptions<unknown>>
  const app = await start(t, document, options, { genReqId: () => 'seven' })
  app.addHook('preHandler', async ({ params, query, body }) => {
    seen = { params, query, body }
  })
  const { headers, ...request } = { ...post('[1]'), url: '/a/10' }
  const response = await app.inject({ ...request, headers: { ...headers, 'x-extra': 'e' } })
  t.strictSame(response.json(), { services: 'all', id: 'seven', isAborted: false, extra: 'e' })
  t.strictSame(seen, { params: { id: 10n }, query: { n: 4 }, body: [1] })
})

t.test('extensions that an application declares are typed', async (t) => {
  const [operation] = modelOf(describe({ operations: { 'GET /a': { 'x-cost': 7 } } })).operations
  const cost: number | undefined = operation?.extensions['x-cost']
  t.equal(cost, 7)
})

t.test('a path parameter that may be longer than the router takes is reported', async (t) => {
  const parameters = [{ in: 'path', name: 'p', required: true, schema: { type: 'string', maxLength: 101 } }]
  const document = describe({ operations: { 'GET /a/{p}': { ...ask, parameters } } })
  for (const maxParamLength of [undefined, 101]) {
    const isReported = maxParamLength === undefined
    const lines: string[] = []
    const logger = { stream: { write: (line: string) => lines.push(line) } }
    const fastify = { logger, ...(maxParamLength && { routerOptions: { maxParamLength } }) }
    const app = await start(t, document, { handlers }, fastify)
    const message = 'ask: path p may have 101 characters: give Fastify routerOptions: { maxParamLength: 101 }'
    t.equal(lines.join('').includes(message), isReported)
    t.equal((await app.inject(`/a/${'x'.repeat(101)}`)).statusCode, isReported ? 414 : 200)
  }
})

t.test('handlers, senders and contentOf may be async or not', async (t) => {
  const output = { status: 200, type: 'text/plain', body: 'done' }
  const fails = () => {
    throw Object.assign(new Error('No.'), { statusCode: 418 })
  }
  const rejects = async () => fails()
  const handler = (handle: unknown) => ({ handlers: { 'POST /a': handle as never } })
  const sender = (send: Sender['send']) => ({ senders: [{ accepts: () => true, send }] })
  const content = (text: string) => ({ type: 'application/json', bytes: Buffer.from(text) })
  const cases: [options: Partial<ExactOptions<unknown>>, expected: string | RegExp][] = [
    [handler(() => output), 'done'],
    [handler(async () => output), 'done'],
    [handler(rejects), '418 No.'],
    [handler(fails), '418 No.'],
    [handler(() => {}), '500 POST /a returned no { status }'],
    [handler(async () => 1), '500 POST /a returned no { status }'],
    [sender((reply) => reply.send('sent')), 'sent'],
    [sender(async (reply) => void (await reply.send('sent'))), 'sent'],
    [sender(rejects), '418 No.'],
    [sender(fails), '418 No.'],
    [{ contentOf: () => content('1') }, '{"body":1}'],
    [{ contentOf: async () => content('1') }, '{"body":1}'],
    [{ contentOf: async () => content('"a"') }, /^400 body must be/],
    [{ contentOf: rejects }, '418 No.'],
  ]
  for (const [options, expected] of cases) {
    const send = await serve(t, { operations: { 'POST /a': json({ type: 'integer' }) }, options })
    t.match(await send(post('1')), expected)
  }
})

t.test('an operation without a handler responds with 501 if that is wanted', async (t) => {
  const operations = { 'GET /a': {}, 'POST /a': { operationId: 'toString' } }
  const handlers = { 'GET /a': async () => ({ status: 200 }) }
  await t.rejects(serve(t, { operations, options: { handlers } }), { message: 'toString has no handler' })
  const message = 'other has a handler, but is no operation of the document'
  const others = { ...handlers, other: handlers['GET /a'] }
  await t.rejects(serve(t, { operations, options: { handlers: others, missing: 501 } }), { message })
  const send = await serve(t, { operations, options: { handlers, missing: 501 } })
  t.equal(await send('/a'), '')
  t.equal(await send({ method: 'POST', url: '/a' }), '501 This operation is not implemented.')
})

t.test('an operationId of two operations stops the start', async (t) => {
  const operations = { 'GET /a': {}, 'GET /b': { operationId: 'GET /a' } }
  await t.rejects(serve(t, { operations }), { message: 'GET /a is the operationId of two operations' })
})

t.test('a route with a schema for Fastify stops the start', async (t) => {
  const app = Fastify(contractOptions)
  app.get('/', { schema: { querystring: { type: 'object' } } }, async () => '')
  const message = 'a route has a schema: write it in the document instead'
  await t.rejects(async () => void (await app.ready()), { message })
})
