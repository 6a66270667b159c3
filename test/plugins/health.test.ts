import t from 'tap'
import { capturedLog } from 'test-kit/captured-log'
import { StoreUnavailableError } from '../../store/unavailable.ts'
import { authorization, build, errorOf, storeOf } from '../fixtures/app.ts'

t.test('probes need no key, and are neither cached nor logged at info', async (t) => {
  const { lines, logger } = capturedLog()
  const app = await build(t, { logger: { ...logger, level: 'info' } })
  for (const [url, status] of Object.entries({ '/livez': 'live', '/readyz': 'ready' })) {
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
    t.match(await app.inject({ url }), { statusCode: 200, body: JSON.stringify({ status }), headers })
  }
  for (const { status } of lines) t.not(status, 200)
})

t.test('an unreachable store fails readiness, not liveness', async (t) => {
  let isUnreachable = true
  const orders = {
    ...(await storeOf(t)),
    ping: async () => {
      if (isUnreachable) throw new StoreUnavailableError('unreachable', 2)
    },
  }
  const app = await build(t, { orders })
  t.match(await app.inject('/readyz'), { statusCode: 503, headers: { 'retry-after': /^2$/ }, body: '"unavailable"' })
  t.equal((await app.inject('/livez')).statusCode, 200)
  isUnreachable = false
  t.equal((await app.inject('/readyz')).statusCode, 200)
})

t.test('after a shutdown is announced, only readiness fails', async (t) => {
  const app = await build(t, { shutdown: AbortSignal.abort() })
  const response = await app.inject('/readyz')
  t.equal(response.headers['retry-after'], '1')
  t.strictSame(response.json(), errorOf('unavailable', 'The server is shutting down.'))
  t.equal((await app.inject('/livez')).statusCode, 200)
  t.equal((await app.inject({ url: '/v1/store/orders', headers: { authorization } })).statusCode, 200)
})
