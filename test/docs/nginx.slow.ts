// docs/nginx.conf in the real nginx.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import t, { type Test } from 'tap'
import { believedHeaders } from '../../cli/check.ts'
import { freePort, isOpen } from '../fixtures/ports.js'
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
  const port = await freePort()
  const folder = t.testdir({ 'nginx.conf': configurationOf(port, ports) })
  const args = ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')]
  const nginx = spawn('nginx', args, { stdio: ['ignore', 'inherit', 'inherit'] })
  const ended = once(nginx, 'close')
  t.teardown(async () => {
    nginx.kill()
    await ended
  })
  await until(() => isOpen(port))
  return { origin: `http://127.0.0.1:${port}/`, received, forwarded }
}

/** The documented configuration, with these ports and all files in the folder of the test. */
function configurationOf(port: number, ports: string[]): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`)
  return readFileSync('docs/nginx.conf', 'utf8')
    .replace(/^pid .*$/m, `pid nginx.pid; daemon off; ${process.getuid?.() === 0 ? 'user root;' : ''}`)
    .replace(/(server 127\.0\.0\.1:\d+;\s*)+/, ports.map((each) => `server 127.0.0.1:${each};\n`).join(''))
    .replace(/listen \S+;/, `listen 127.0.0.1:${port};`)
    .replace('access_log off;', `access_log off; ${paths.join(' ')}`)
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
