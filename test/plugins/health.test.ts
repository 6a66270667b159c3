import type { Socket } from 'node:net'
import t from 'tap'
import { capturedLog } from 'test-kit/captured-log'
import { ask, dial } from 'test-kit/raw'
import { StoreUnavailableError } from '../../store/unavailable.ts'
import { authorization, build, errorOf, storeOf } from '../fixtures/app.ts'

t.test('probes need no key, and are neither cached nor logged at info', async (t) => {
  const { lines, logger } = capturedLog()
  const app = await build(t, { logger: { ...logger, level: 'info' } })
  for (const [url, status] of [
    ['/livez', 'live'],
    ['/readyz', 'ready'],
  ] as const) {
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
    t.match(await app.inject({ url }), { statusCode: 200, body: JSON.stringify({ status }), headers })
    const head = await app.inject({ method: 'HEAD', url })
    t.strictSame([head.statusCode, head.body], [200, ''])
    const options = await app.inject({ method: 'OPTIONS', url })
    t.strictSame([options.statusCode, options.headers.allow], [204, 'GET, HEAD'])
    const post = await app.inject({ method: 'POST', url })
    t.strictSame([post.statusCode, post.headers.allow, post.json().code], [405, 'GET, HEAD', 'method_not_allowed'])
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

t.test('a closing server is alive but not ready', async (t) => {
  const app = await build(t)
  const statuses: number[] = []
  const sockets: Socket[] = []
  app.addHook('preClose', async () => {
    for (const [index, path] of ['/livez', '/readyz'].entries()) {
      const { status } = await ask(sockets[index] as Socket, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
      statuses.push(status)
    }
  })
  for (const _ of ['one', 'another']) {
    const { socket, arrived } = await dial(t, app)
    await arrived(0)
    sockets.push(socket)
  }
  await app.close()
  t.strictSame(statuses, [200, 503])
})
