import t from 'tap'
import { until } from 'test-kit/until'
import { API_KEYS, headers, startServer, stop } from '../fixtures/process.ts'
import { insertOrders, migratedDatabase } from '../postgres/orders.ts'
import { proxyTo, through } from '../postgres/proxy.ts'
import { collector } from '../telemetry/collector.ts'

const DATABASE_TIMEOUT = '20' // ample, as in tests of the store

t.test('two servers on one database respond as one, and export the spans of their statements', async (t) => {
  const db = await migratedDatabase(t)
  await insertOrders(db, [
    { id: 1n, petId: 7n, status: 'pending' },
    { id: 2n, status: 'pending' },
  ])
  const receiver = await collector(t)
  const proxy = await proxyTo(t, db.port)
  const env = { API_KEYS, DATABASE_TIMEOUT, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }
  const urls = [db.url, through(db, proxy.port)]
  const servers = urls.map((url) => startServer(t, { ...env, DATABASE_URL: url }))
  const [first = '', second = ''] = await Promise.all(servers.map(({ origin }) => origin))
  const ask = (origin: string, path: string, init = {}) => fetch(`${origin}/v1${path}`, { headers, ...init })
  t.equal(await (await ask(first, '/store/orders')).text(), '[{"id":1,"petId":7},{"id":2}]')
  t.equal((await ask(second, '/store/orders/2', { method: 'DELETE' })).status, 204)
  t.equal((await ask(first, '/store/orders/2', { method: 'DELETE' })).status, 404)
  const lists = await Promise.all([first, second].map((origin) => ask(origin, '/store/orders')))
  t.strictSame(await Promise.all(lists.map((list) => list.text())), Array(2).fill('[{"id":1,"petId":7}]'))
  t.equal(lists[0]?.headers.get('etag'), lists[1]?.headers.get('etag'))
  t.equal((await ask(first, '/pets/7')).status, 200)
  for (const server of servers) await stop(t, server)
  await until(() => proxy.ends().length === proxy.connections())
  t.strictSame([...new Set(proxy.ends())], ['terminated'], 'the store is closed')
  const isWithin = receiver.spans.filter(({ parentSpanId }) => parentSpanId !== undefined)
  t.ok(isWithin.length > 0)
  for (const { kind, name } of isWithin) t.equal(kind, 3, `${name} is a statement of a request`)
})
