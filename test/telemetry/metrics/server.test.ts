import { once } from 'node:events'
import { connect, Server } from 'node:net'
import t from 'tap'
import { build } from '../../fixtures/app.ts'
import { metricsOf, withoutProbes } from './scrape.ts'

t.test('the port serves the metrics and nothing else, and waits for no client', async (t) => {
  let served = new Server()
  const { listen } = Server.prototype
  const observed = function (this: Server, ...given: unknown[]) {
    served = this
    return listen.apply(this, given as never)
  }
  t.intercept(Server.prototype, 'listen', { value: observed as typeof listen })
  const warnings: string[] = []
  const { server } = metricsOf({ report: (message) => warnings.push(message) })
  await server.close()
  const address = await server.listen('::1', 0, withoutProbes).catch(() => server.listen('127.0.0.1', 0, withoutProbes))
  t.teardown(server.close)
  t.match(address, /^http:\/\/(\[::1\]|127\.0\.0\.1):\d+\/metrics$/)
  const response = await fetch(`${address}?a`)
  t.equal(response.status, 200)
  t.equal(response.headers.get('cache-control'), 'no-store')
  t.match(response.headers.get('content-type'), /^text\/plain; version=0\.0\.4/)
  t.match(await response.text(), /^nodejs_eventloop_lag_p99_seconds /m)
  t.equal((await fetch(address, { method: 'HEAD' })).status, 200)
  const post = await fetch(address, { method: 'POST' })
  t.strictSame([post.status, post.headers.get('allow')], [405, 'GET, HEAD'])
  t.equal((await fetch(address.replace('/metrics', '/'))).status, 404)
  t.match(served, { requestTimeout: 5_000, headersTimeout: 5_000, timeout: 10_000, maxConnections: 16 })
  let now = 0
  t.intercept(performance, 'now', { value: () => now })
  for (now of [0, 59_000, 61_000]) served.emit('drop')
  t.equal(warnings.length, 2, 'one a minute')
})

t.test('a port in use is an error', async (t) => {
  const first = metricsOf().server
  t.teardown(first.close)
  const { port } = new URL(await first.listen('127.0.0.1', 0, withoutProbes))
  await t.rejects(metricsOf().server.listen('127.0.0.1', Number(port), withoutProbes), { code: 'EADDRINUSE' })
})

t.test("the port serves the app's probes, and closes further connections than its few, with one warning", async (t) => {
  const warnings: string[] = []
  const { server } = metricsOf({ report: (message) => warnings.push(message) })
  const shutdown = new AbortController()
  const app = await build(t, { shutdown: shutdown.signal })
  const address = await server.listen('127.0.0.1', 0, app)
  t.teardown(server.close)
  const at = (path: string, method = 'GET') => fetch(address.replace('/metrics', path), { method })
  const live = await at('/livez?a')
  t.strictSame([live.status, await live.json()], [200, { status: 'live' }])
  t.equal((await at('/readyz', 'HEAD')).status, 200)
  shutdown.abort()
  const leaving = await at('/readyz')
  t.strictSame([leaving.status, leaving.headers.get('retry-after')], [503, '1'])
  await app.close()
  t.equal((await at('/livez')).status, 503)

  const closed = Array.from({ length: 20 }, () => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1').on('error', () => {})
    t.teardown(() => socket.destroy())
    return once(socket, 'close')
  })
  await Promise.any(closed)
  t.match(warnings, ['the port of the metrics has 16 connections, as many as it may; closing further ones'])
})
