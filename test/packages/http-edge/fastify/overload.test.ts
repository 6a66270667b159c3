// Real load: clients that send the next request as soon as they have their response, until the test ends.
import { once } from 'node:events'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import fastify, { type FastifyInstance } from 'fastify'
import { httpEdge } from 'http-edge/fastify'
import t, { type Test } from 'tap'
import { capturedLog } from 'test-kit/captured-log'
import { block, until } from 'test-kit/until'
import { rejection } from '../../../../packages/http-edge/src/fastify/overload.ts'
import { authorization, build } from '../../../fixtures/app.ts'
import { metricsOf, scrape } from '../../../telemetry/metrics/scrape.ts'

const LIMIT_MS = 20
const CLIENTS = 64

type Answer = { status: number; headers: IncomingHttpHeaders; body: string }
type Get = (path: string, headers?: Record<string, string>) => Promise<Answer>

/** Clients that each send the next request once they have a response, until one is a 503 that counts. @returns that one */
async function overloadWith(get: () => Promise<Answer>, counts = () => true): Promise<Answer> {
  let rejection: Answer | undefined
  async function client() {
    while (!rejection) {
      const answer = await get()
      if (answer.status !== 200 && counts()) rejection = answer
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return rejection as unknown as Answer
}

/** @returns how many requests have been rejected for a reason, as metrics show it */
async function counter(t: Test) {
  const values = await scrape(t, metricsOf())
  return async (reason: string) =>
    (await values()).get(`store_orders_shed_requests_total{reason="${reason}"}`) as number
}

async function getterOf(t: Test, app: FastifyInstance): Promise<Get> {
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  return async (path, headers = {}) => {
    const [response] = await once(request(`${origin}${path}`, { agent, headers }).end(), 'response')
    return { status: response.statusCode, headers: response.headers, body: await text(response) }
  }
}

t.test('while lists wait too long to begin, authenticated requests get 503', async (t) => {
  const count = await counter(t)
  const records = Array.from({ length: 20_000 }, (_, id) => `{"id":${id}}`)
  const { lines, logger } = capturedLog()
  const corsOrigins = ['https://shop.example']
  const app = await build(t, { records, maxEventLoopDelay: LIMIT_MS, checkResponses: false, logger, corsOrigins })
  const get = await getterOf(t, app)
  const list = (headers = {}) => get('/v1/store/orders', headers)
  const withoutKey = new Set<number>()
  let isOver = false
  async function stranger() {
    while (!isOver) withoutKey.add((await list()).status)
  }
  const visit = stranger()
  const waiting = 'large responses wait too long to begin'
  // On a crowded machine, the event loop may be late before.
  const isWaiting = () => lines.some(({ status, reason }) => status === 503 && reason === waiting)
  const { status, headers, body } = await overloadWith(() => list({ authorization }), isWaiting)
  isOver = true
  await visit
  t.equal(status, 503)
  t.equal(body, '{"code":"unavailable","message":"The server is overloaded. Try again.","status":503}')
  const sent = { 'content-type': 'application/json', 'cache-control': 'no-store', vary: 'Origin', 'x-request-id': /./ }
  t.match(headers, { 'retry-after': /^[123]$/, ...sent })
  t.strictSame([...withoutKey], [401])
  t.ok((await count('responses')) > 0)
  while ((await list({ authorization })).status !== 200) t.pass('it recovers')
  t.strictSame(new Set(lines.flatMap(({ status, code }) => (status === 503 ? [code] : []))), new Set(['unavailable']))
  const told = () => lines.filter(({ msg }) => /overloaded/.test(String(msg))).map(({ level, msg }) => [level, msg])
  await until(() => told().length % 2 === 0)
  t.match(told().slice(0, 2), [
    [40, /^overloaded: .* wait too long .*; rejecting further ones with 503$/],
    [30, 'no longer overloaded'],
  ])
})

/** An API whose handler blocks the event loop. */
async function blocking(t: Test, maxEventLoopDelay: number) {
  const edge = httpEdge()
  const app = fastify(edge.options)
  t.teardown(() => app.close())
  await app.register(edge.plugin)
  await app.register(async (api) => {
    edge.shedLoad(api, maxEventLoopDelay)
    api.get('/slow', async () => {
      block(2)
      return 'done'
    })
    api.get('/fast', async () => 'fast')
  })
  app.get('/other', async () => 'other')
  return getterOf(t, app)
}

t.test('while the event loop gets to requests too late, they get 503, unlike those of other routes', async (t) => {
  const count = await counter(t)
  const get = await blocking(t, LIMIT_MS)
  const others = new Set<number>()
  const rejection = await overloadWith(async () => {
    others.add((await get('/other')).status)
    return get('/slow')
  })
  t.equal(rejection.status, 503)
  t.strictSame([...others], [200])
  t.ok((await count('event_loop')) > 0)
})

t.test('waits are measured every 10 milliseconds, until the app closes', async (t) => {
  const timers = t.capture(globalThis, 'setInterval', setInterval)
  const app = fastify()
  httpEdge().shedLoad(app, LIMIT_MS)
  await app.close()
  t.match(timers(), [{ args: [Function, 10], returned: { _destroyed: true } }])
})

t.test('rejected clients are told to return at different times, within three seconds', async (t) => {
  const reject = rejection(() => ({}))
  const app = fastify().get('/', (_request, reply) => reject(reply, 'responses'))
  const answers = await Promise.all(Array.from({ length: 99 }, () => app.inject('/')))
  t.strictSame(new Set(answers.map(({ headers }) => headers['retry-after'])), new Set(['1', '2', '3']))
})

t.test('without a limit, nothing is rejected', async (t) => {
  const get = await blocking(t, 0)
  const statuses = new Set<number>()
  async function client() {
    for (let sent = 0; sent < 10; sent++) statuses.add((await get('/slow')).status)
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  t.strictSame([...statuses], [200])
})
