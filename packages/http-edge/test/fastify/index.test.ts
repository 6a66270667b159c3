// The plugin without descriptions of operations, as the README shows it.
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { exchange, parseAnswer } from 'test-kit/raw'
import { EdgeError, type EdgeOptions, httpEdge } from '../../src/fastify/index.ts'

async function build(t: Test, options: EdgeOptions = {}): Promise<FastifyInstance> {
  const edge = httpEdge(options)
  const app = Fastify(edge.options)
  t.teardown(() => app.close())
  await app.register(edge.plugin)
  app.post('/echo', async ({ body }) => body)
  return app
}

t.test("Fastify's parsers read bodies, and its error handler gets refusals", async (t) => {
  const app = await build(t)
  const echoed = await app.inject({ method: 'POST', url: '/echo', payload: { a: 1 } })
  t.strictSame([echoed.statusCode, echoed.json()], [200, { a: 1 }])
  t.match(echoed.headers, { 'x-request-id': /./, 'cache-control': 'no-store' })
  const other = await app.inject({ method: 'PUT', url: '/echo' })
  t.strictSame([other.statusCode, other.headers.allow, other.json().code], [405, 'POST', 'method_not_allowed'])
  const malformed = await app.inject({ method: 'POST', url: '/echo/%zz', payload: {} })
  t.match(malformed.json(), { statusCode: 400, code: 'invalid_request', message: 'The URL is not valid.' })
  const files = await build(t, { operationOf: () => undefined })
  files.get('/files/:name', async () => 'found')
  for (const name of ['%zz', 'a'.repeat(200)])
    t.equal((await files.inject(`/files/${name}`)).body, 'found', 'a route that is no operation takes any name')
  t.match(new EdgeError('rate_limited'), { statusCode: 429, message: 'Too many requests. Try again later.' })
})

t.test('a response that no error handler can write has the body that is wanted', async (t) => {
  const app = await build(t, { errorBody: ({ statusCode, message }) => ({ title: message, status: statusCode }) })
  const { status, body } = parseAnswer(await exchange(app, 'nonsense\r\n\r\n'))
  t.strictSame([status, JSON.parse(body)], [400, { title: 'The request is malformed.', status: 400 }])
})

t.test("a body that fails while Fastify's parser reads it gets a response", async (t) => {
  const app = await build(t)
  const head = 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
  const { status, body } = parseAnswer(await exchange(app, `${head}Z\r\n`))
  t.strictSame([status, JSON.parse(body).code], [400, 'invalid_request'])
})

t.test('an application without a log listens to its responses no more than one without the plugin', async (t) => {
  async function listenersIn(app: FastifyInstance) {
    app.get('/', async (_request, { raw }) => ['finish', 'error', 'close'].map((event) => raw.listenerCount(event)))
    return (await app.inject('/')).json()
  }
  t.strictSame(await listenersIn(await build(t)), await listenersIn(Fastify()))
})
