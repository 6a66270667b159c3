// docs/nginx.conf in the real nginx.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { believedHeaders } from '../../cli/check.ts'
import { startNginx } from '../fixtures/nginx.ts'

t.test('a GET whose instance fails goes to the other one', async (t) => {
  const { origin, received } = await balance(t)
  t.equal((await fetch(origin)).status, 200)
  t.strictSame(received, ['GET', 'GET'])
})

t.test('a DELETE whose instance fails is not sent again', async (t) => {
  const { origin, received } = await balance(t)
  t.equal((await fetch(origin, { method: 'DELETE' })).status, 502)
  t.strictSame(received, ['DELETE'])
})

t.test('what clients send in the headers that TRUST_PROXY believes does not arrive', async (t) => {
  const { origin, forwarded } = await balance(t)
  const names = believedHeaders.map((name) => name.toLowerCase())
  t.equal((await fetch(origin, { headers: names.map((name): [string, string] => [name, 'evil']) })).status, 200)
  t.strictSame(
    names.map((name) => forwarded[name]),
    ['127.0.0.1', undefined, 'http', undefined],
  )
})

/** Starts nginx in front of two servers. Whichever gets the first request closes the connection without a response. */
async function balance(t: Test) {
  const received: string[] = []
  const forwarded: IncomingHttpHeaders = {}
  const ports = await Promise.all([1, 2].map(() => startInstance(t, received, forwarded)))
  return { origin: await startNginx(t, ports), received, forwarded }
}

async function startInstance(t: Test, received: string[], forwarded: IncomingHttpHeaders): Promise<string> {
  const server = createServer(({ method = '', socket, headers }, response) => {
    Object.assign(forwarded, headers)
    if (received.push(method) === 1) socket.destroy()
    else response.end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return String((server.address() as AddressInfo).port)
}
