// docs/nginx.conf in the real nginx, as the benchmark also runs it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { balancerCommand } from '../../bench/peers/balancer.js'
import { freePort, isOpen } from '../fixtures/free-port.js'
import { until } from '../fixtures/until.ts'

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

/** Starts nginx in front of two servers. Whichever gets the first request closes the connection without a response. */
async function balance(t: Test) {
  const received: string[] = []
  const ports = await Promise.all([startInstance(t, received), startInstance(t, received)])
  const port = await freePort()
  const [command = '', ...args] = balancerCommand({ folder: t.testdir({}), host: '127.0.0.1', port, ports })
  const nginx = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  const ended = once(nginx, 'close')
  t.teardown(async () => {
    nginx.kill()
    await ended
  })
  await until(() => isOpen(port))
  return { origin: `http://127.0.0.1:${port}/`, received }
}

async function startInstance(t: Test, received: string[]): Promise<string> {
  const server = createServer(({ method = '', socket }, response) => {
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
