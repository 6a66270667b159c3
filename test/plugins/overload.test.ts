import fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import errors from '../../plugins/errors.ts'
import overload, { type OverloadOptions } from '../../plugins/overload.ts'

async function build(t: Test, options: OverloadOptions) {
  const app = fastify()
  t.teardown(() => app.close())
  await app.register(errors)
  await app.register(async (api) => {
    await api.register(overload, { sampleInterval: 20, ...options })
    api.get('/orders', async () => (options.maxEventLoopDelay > 0 && api.isUnderPressure() ? 'late' : 'orders'))
  })
  app.get('/livez', async () => 'live')
  return app
}

/** Holds up the event loop, and then sends a request. */
async function sendLate(app: FastifyInstance, url = '/orders') {
  for (const end = Date.now() + 30; Date.now() < end; );
  await new Promise((resolve) => setTimeout(resolve))
  return app.inject({ url })
}

t.test('while the event loop is late, requests are 503 before any work, but not those of other routes', async (t) => {
  const app = await build(t, { maxEventLoopDelay: 5 })
  t.equal((await app.inject({ url: '/orders' })).statusCode, 200)
  let answer = await sendLate(app)
  while (answer.statusCode === 200) answer = await sendLate(app)
  t.equal(answer.statusCode, 503)
  t.equal(answer.headers['retry-after'], '1')
  t.equal(answer.body, '{"code":"unavailable","message":"The server is overloaded. Try again.","status":503}')
  t.equal((await sendLate(app, '/livez')).statusCode, 200)
  while ((await app.inject({ url: '/orders' })).statusCode === 503)
    await new Promise((resolve) => setTimeout(resolve, 5))
  t.pass('it recovers')
})

t.test('the delay of the start is not that of requests', async (t) => {
  const app = await build(t, { maxEventLoopDelay: 5, warmUp: 1_000_000 })
  let answer = await sendLate(app)
  while (answer.body !== 'late') answer = await sendLate(app)
  t.equal(answer.statusCode, 200)
})

t.test('without a warm-up, the first requests are rejected as well', async (t) => {
  const app = await build(t, { maxEventLoopDelay: 5, warmUp: 0 })
  let answer = await sendLate(app)
  while (answer.statusCode === 200) answer = await sendLate(app)
  t.equal(answer.statusCode, 503)
})

t.test('without a limit nothing is measured', async (t) => {
  const app = await build(t, { maxEventLoopDelay: 0 })
  t.notOk(app.hasDecorator('isUnderPressure'))
  for (let times = 0; times < 5; times++) t.equal((await sendLate(app)).statusCode, 200)
})
