// The server under a low limit of descriptors.
import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { until } from 'test-kit/until'
import { API_KEYS, startServer, stop } from '../fixtures/process.ts'
import { samplesIn } from '../telemetry/metrics/scrape.ts'

t.test('an address gets a quarter of the connections, with one warning and a metric', async (t) => {
  const server = startServer(t, { API_KEYS, METRICS_PORT: '0' }, { shell: 'ulimit -n 256' })
  const port = await server.port()
  function from(localAddress: string) {
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
    t.teardown(() => socket.destroy())
    return socket
  }
  await new Promise<void>((resolve) => {
    let left = 2
    for (let count = 0; count < 46; count++) from('127.0.0.1').once('close', () => --left === 0 && resolve())
  })
  const other = from('127.0.0.2').setEncoding('latin1')
  other.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
  t.match((await once(other, 'data'))[0], /^HTTP\/1.1 200 /)
  t.match(await server.metrics(), /^store_orders_address_limited_total{resource="connections"} 2$/m)
  await stop(t, server)
  const warning =
    /"level":40,.*"ip":"127.0.0.1","resource":"connections".*an address holds as much as MAX_ADDRESS_SHARE/g
  t.equal(server.stdout().match(warning)?.length, 1)
})

t.test('of the descriptors, the connections to the database and those of the metrics are kept free', async (t) => {
  const database = { DATABASE_URL: 'postgres://127.0.0.1:1/orders', DATABASE_TIMEOUT: '1s', DATABASE_POOL_SIZE: '20' }
  const server = startServer(t, { API_KEYS, METRICS_PORT: '0', ...database }, { shell: 'ulimit -n 200' })
  t.equal(samplesIn(await server.metrics()).get('store_orders_connections_max'), 150 - 20 - 16)
  await stop(t, server)
})

t.test('requests to the metrics that never end cannot fill the API, whose own cannot fill the metrics', async (t) => {
  const env = { API_KEYS, METRICS_PORT: '0', TRUST_PROXY: '127.0.0.1' } // a proxy may hold all
  const server = startServer(t, env, { shell: 'ulimit -n 200' })
  const origin = await server.origin
  const [, metrics = ''] = await server.printed(/metrics at (http:\S+)\/metrics"/)
  function hold(at: string, count: number) {
    const sockets = Array.from({ length: count }, () => connect(Number(new URL(at).port), '127.0.0.1'))
    const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    for (const socket of sockets) socket.on('error', () => {}).write('GET /metrics HTTP/1.1\r\n')
    function release() {
      for (const socket of sockets) socket.destroy()
      return Promise.all(closed)
    }
    t.teardown(release)
    return { release, full: Promise.any(closed) }
  }
  const scrapers = hold(metrics, 180)
  await server.printed(/the port of the metrics has 16 connections, as many as it may/)
  t.equal((await fetch(`${origin}/livez`)).status, 200)
  await scrapers.release()
  await hold(origin, 180).full
  for (const path of ['livez', 'readyz', 'metrics'])
    await until(async () => (await fetch(`${metrics}/${path}`).catch(() => undefined))?.ok === true)
  const found = samplesIn(await server.metrics())
  const [open, max, refused = 0] = ['open', 'max', 'refused_total'].map((name) =>
    found.get(`store_orders_connections_${name}`),
  )
  t.strictSame([open, max], [134, 134])
  t.ok(refused > 0)
  await stop(t, server)
})
