import fastify from 'fastify'
import t, { type Test } from 'tap'
import { traffic } from '../../http/connections.ts'
import overload from '../../plugins/overload.ts'
import protocol, { protocolOptions } from '../../plugins/protocol/index.ts'

/** An API whose samples the test takes: each call advances the time, during part of which the event loop is idle. */
async function build(t: Test, maxEventLoopDelay = 250) {
  let [time, idleTime] = [0, 0]
  let sample = () => {}
  const clock = {
    now: () => time,
    idle: () => idleTime,
    every(ms: number, callback: () => void) {
      sample = callback
      return setInterval(() => {}, ms).unref()
    },
  }
  const app = fastify(protocolOptions)
  const before = { ...traffic }
  t.teardown(() => {
    Object.assign(traffic, before)
    return app.close()
  })
  await app.register(protocol)
  await app.register(async (api) => {
    await api.register(overload, { maxEventLoopDelay, clock })
    api.get('/orders', async () => 'orders')
  })
  app.get('/livez', async () => 'live')
  return {
    pass(ms: number, idle = 0) {
      time += ms
      idleTime += idle
      sample()
    },
    /** Advances the time within one iteration of the event loop. */
    block(ms: number) {
      time += ms
    },
    send: (url = '/orders') => app.inject({ url, headers: { host: 'x' } }),
    status: async (url = '/orders') => (await app.inject({ url, headers: { host: 'x' } })).statusCode,
  }
}

t.test('while the event loop is delayed, API requests get 503 before any work, unlike other routes', async (t) => {
  const { pass, send, status } = await build(t)
  pass(400)
  t.equal(await status(), 200, 'one pause is not an overload')
  pass(50)
  pass(400)
  t.equal(await status(), 200)
  pass(400)
  const { statusCode, headers, body } = await send()
  t.equal(statusCode, 503)
  t.equal(body, '{"code":"unavailable","message":"The server is overloaded. Try again.","status":503}')
  t.match(headers, {
    'retry-after': '1',
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  })
  t.ok(headers['x-request-id'])
  t.equal(await status('/livez'), 200)
  pass(50)
  t.equal(await status(), 200, 'it recovers')
})

t.test('while more responses are pending than the time to wait allows, requests get 503', async (t) => {
  const { pass, status } = await build(t)
  traffic.pending = 51
  for (let second = 0; second < 10; second++) {
    traffic.completed += 190
    pass(950)
    traffic.completed += 10
    pass(50)
  }
  t.equal(await status(), 503, '51 at 200 a second')
  traffic.pending = 49
  t.equal(await status(), 200)
  traffic.pending = 51
  pass(50, 5)
  t.equal(await status(), 200, 'the event loop is idle, so the clients are slow')
})

t.test('a few pending responses are never too many', async (t) => {
  const { pass, status } = await build(t)
  traffic.pending = 8
  pass(50)
  t.equal(await status(), 200)
  traffic.pending = 9
  t.equal(await status(), 503)
})

t.test('an event loop that is blocked counts as busy before the next sample shows it', async (t) => {
  const { pass, block, status } = await build(t)
  pass(50, 50)
  traffic.pending = 9
  t.equal(await status(), 200)
  block(101)
  t.equal(await status(), 503)
})

t.test('rejected requests do not count as completed work', async (t) => {
  const { pass, status } = await build(t)
  traffic.pending = 20
  pass(50)
  for (let times = 0; times < 10; times++) {
    t.equal(await status(), 503)
    traffic.completed++
    pass(50)
  }
})

t.test('without a limit, nothing is rejected', async (t) => {
  const { pass, status } = await build(t, 0)
  traffic.pending = 1000
  pass(5000)
  pass(5000)
  t.equal(await status(), 200)
})

t.test('responses over sockets are counted', async (t) => {
  const app = fastify(protocolOptions)
  t.teardown(() => app.close())
  await app.register(protocol)
  let pending = 0
  app.get('/', async () => {
    pending = traffic.pending
    return 'done'
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const before = { ...traffic }
  await (await fetch(origin)).text()
  t.equal(pending, before.pending + 1)
  await app.close()
  t.strictSame(traffic, { pending: before.pending, completed: before.completed + 1 })
})

t.test('without a given clock, it uses that of the system', async (t) => {
  const app = fastify(protocolOptions)
  t.teardown(() => app.close())
  await app.register(protocol)
  await app.register(overload, { maxEventLoopDelay: 60_000 })
  app.get('/orders', async () => 'orders')
  t.equal((await app.inject({ url: '/orders', headers: { host: 'x' } })).statusCode, 200)
})
