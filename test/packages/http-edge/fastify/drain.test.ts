import { once } from 'node:events'
import fastify from 'fastify'
import { httpEdge } from 'http-edge/fastify'
import t from 'tap'
import { capturedLog } from 'test-kit/captured-log'
import { dial, exchange, parseAnswer } from 'test-kit/raw'
import { authorization, build } from '../../../fixtures/app.ts'

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

t.test('from the announcement on, requests are served, and each response ends its connection', async (t) => {
  const shutdown = new AbortController()
  const app = await build(t, { shutdown: shutdown.signal })
  const [before, after] = [await dial(t, app), await dial(t, app)]
  before.socket.write(request('/livez'))
  t.notMatch(String((await once(before.socket, 'data'))[0]), /^connection: close/im)
  shutdown.abort()
  for (const { socket, rest } of [before, after]) {
    socket.write(`DELETE /v1/store/orders/1007 HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`)
    const text = await rest()
    const { status, headers } = parseAnswer(text.slice(text.lastIndexOf('HTTP/1.1 ')))
    t.strictSame([status < 500, headers.connection], [true, 'close'])
  }
})

t.test('closing completes a request in progress, then closes its connection', async (t) => {
  const app = await build(t)
  let [respond, closing] = [() => {}, () => {}]
  app.addHook('preClose', async () => closing())
  const received = new Promise<void>((resolve) => {
    app.get('/slow', (_request, reply) => {
      respond = () => reply.send('done')
      resolve()
    })
  })
  const { socket, rest } = await dial(t, app)
  socket.write(request('/slow'))
  await received
  closing = respond
  const closed = app.close()
  const { status, headers, body } = parseAnswer(await rest())
  t.strictSame([status, headers.connection, body], [200, 'close', 'done'])
  await closed
})

t.test('a request during the close is served, ends its connection and logs no error', async (t) => {
  const { lines, logger } = capturedLog()
  const app = await build(t, { logger })
  let text = ''
  app.addHook('preClose', async () => {
    t.equal(app.server.listening, false, 'what had arrived has been accepted')
    late.socket.write(`GET /v1/pets/504 HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`)
    text = await late.rest()
  })
  const late = await dial(t, app)
  await app.close()
  const { status, headers, body } = parseAnswer(text)
  t.strictSame([status, headers.connection, JSON.parse(body)], [200, 'close', { id: 504 }])
  t.notOk(lines.some(({ level }) => Number(level) > 30))
})

t.test('an endless request is aborted after the grace period, and the last line counts both kinds', async (t) => {
  const { lines, logger } = capturedLog()
  const shutdown = new AbortController()
  const { options, plugin } = httpEdge({ graceMs: 20, shutdown: shutdown.signal })
  const app = fastify({ ...options, logger })
  await app.register(plugin)
  const received = new Promise<void>((resolve) => {
    app.get('/endless', () => resolve())
    app.get('/', async () => 'done')
  })
  const { socket, rest } = await dial(t, app)
  socket.write(request('/endless'))
  await received
  shutdown.abort()
  t.match(await exchange(app, request('/')), /done$/)
  const { socket: late, rest: restOfLate } = await dial(t, app)
  late.write(request('/'))
  await app.close()
  t.equal(await rest(), '', 'aborted')
  t.match(await restOfLate(), /done$/)
  t.match(lines.at(-1), { served: 2, aborted: 1, msg: 'requests since the shutdown began: 2 served, 1 aborted' })
})

t.test('a server that served nothing says so, and an app that has not listened says nothing', async (t) => {
  for (const hasListened of [true, false]) {
    const { lines, logger } = capturedLog()
    const { options, plugin, isShuttingDown } = httpEdge()
    const app = fastify({ ...options, logger })
    await app.register(plugin)
    if (hasListened) await app.listen({ host: '127.0.0.1', port: 0 })
    const timers = t.capture(globalThis, 'setTimeout', setTimeout)
    await app.close()
    t.equal(isShuttingDown(), true)
    t.equal(timers.args().flat().includes(5_000), hasListened, 'requests in progress have five seconds')
    const said = lines.flatMap(({ msg }) => (String(msg).startsWith('requests since') ? [msg] : []))
    t.strictSame(said, hasListened ? ['requests since the shutdown began: 0 served, none aborted'] : [])
  }
})
