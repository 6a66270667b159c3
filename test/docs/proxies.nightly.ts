// The proxies of docs/ in front of the server, as docs/upgrading.md replaces it.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import t, { type Test } from 'tap'
import { freePort, listen } from 'test-kit/ports'
import { until } from 'test-kit/until'
import { believedHeaders } from '../../cli/check.ts'
import { clientsOf } from '../fixtures/clients.ts'
import { API_KEYS, startServer, stop } from '../fixtures/process.ts'
import { type ProxyName, proxyNames, startProxy } from '../fixtures/proxies.ts'
import { insert, migratedDatabase } from '../postgres/orders.ts'

const RESTARTS = 20
const ORDERS = 50_000
for (const proxy of proxyNames) {
  t.test(`${proxy}: no request of four clients fails or acts twice in ${RESTARTS} restarts`, async (t) => {
    const db = await migratedDatabase(t)
    await db.query(insert, [1, ORDERS])
    const limits = { SHUTDOWN_DELAY: '3s', DATABASE_TIMEOUT: '60s' }
    const env = { API_KEYS, DATABASE_URL: db.url, NODE_ENV: 'production', ...limits }
    async function startInstance(port: number) {
      const server = startServer(t, { ...env, PORT: String(port) })
      await server.origin
      await until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok)
      return server
    }
    const ports = [await freePort(), await freePort()] as const
    const running = await Promise.all(ports.map(startInstance))
    const origin = await startProxy(t, proxy, ports)
    const load = clientsOf(() => origin)
    for (let restart = 0; restart < RESTARTS; restart++) {
      const at = restart % 2
      await stop(t, running[at] as (typeof running)[number])
      running[at] = await startInstance(ports[at] as number)
      t.comment(JSON.stringify(load.counts))
    }
    t.strictSame(await load.stop(), {}, 'none fails')
    const rows = await db.query("SELECT count(*)::int FROM store_orders.orders WHERE status = 'cancelled'")
    t.strictSame(rows, [{ count: load.counts.DELETE }], 'each cancellation has acted once')
    t.ok(load.counts.DELETE > RESTARTS && load.counts.GET > RESTARTS, JSON.stringify(load.counts))
  })
}

for (const proxy of proxyNames) {
  const isRepeated = proxy !== 'haproxy'
  t.test(`${proxy}: a DELETE whose instance fails is ${isRepeated ? '' : 'not '}sent again`, async (t) => {
    const { origin, received } = await balance(t, proxy)
    t.equal((await fetch(origin, { method: 'DELETE' })).status, isRepeated ? 200 : 502)
    t.strictSame(received, isRepeated ? ['DELETE', 'DELETE'] : ['DELETE'])
  })

  t.test(`${proxy}: what clients send in the headers that TRUST_PROXY believes does not arrive`, async (t) => {
    const { origin, forwarded } = await balance(t, proxy)
    const names = believedHeaders.map((name) => name.toLowerCase())
    const evil = Object.fromEntries(names.map((name) => [name, 'evil']))
    await fetch(origin, { headers: evil })
    t.equal((await fetch(origin, { headers: evil })).status, 200)
    const [address, host = new URL(origin).host, scheme, prefix] = names.map((name) => forwarded[name])
    t.strictSame([address, host, scheme, prefix], ['127.0.0.1', new URL(origin).host, 'http', undefined])
  })
}

t.test('nginx: a GET whose instance fails goes to the other one', async (t) => {
  const { origin, received } = await balance(t, 'nginx')
  t.equal((await fetch(origin)).status, 200)
  t.strictSame(received, ['GET', 'GET'])
})

/** Starts a proxy in front of two servers. Whichever gets the first request closes the connection without a response. */
async function balance(t: Test, proxy: ProxyName) {
  const received: string[] = []
  const forwarded: IncomingHttpHeaders = {}
  const start = () => startInstance(t, received, forwarded)
  return { origin: await startProxy(t, proxy, [await start(), await start()]), received, forwarded }
}

async function startInstance(t: Test, received: string[], forwarded: IncomingHttpHeaders): Promise<number> {
  const server = createServer(({ method = '', url, socket, headers }, response) => {
    if (url === '/readyz') return response.end()
    Object.assign(forwarded, headers)
    return received.push(method) === 1 ? socket.destroy() : response.end()
  })
  return listen(t, server)
}
