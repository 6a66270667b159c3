import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import t from 'tap'
import type { Document } from '../spec/document.ts'
import { startServer } from './fixtures/process.ts'

const API_KEYS = 'tests:test-key'
const headers = { authorization: 'Bearer test-key' }

t.test('without keys, one is made for the run and printed apart from the log, with a command to try it', async (t) => {
  const server = startServer(t)
  const origin = await server.origin
  const [, key] = await server.printed(/\n([\w-]{43})\n.*\n\n$/s)
  t.equal(
    server.stderr(),
    `\nNo API key is configured. This one is valid for this run:\n\n${key}\n\n` +
      `curl -H 'Authorization: Bearer ${key}' ${origin}/v1/store/orders\n\n`,
  )
  const list = await fetch(`${origin}/v1/store/orders`, { headers: { authorization: `Bearer ${key}` } })
  t.equal(list.status, 200)
  t.notMatch(server.stdout(), String(key))
  server.child.kill('SIGTERM')
  t.equal(await server.ended, 0)
})

t.test('the log is JSON lines on stdout, one of them with the addresses of the API and the docs', async (t) => {
  const server = startServer(t, { API_KEYS })
  const origin = await server.origin
  const lines = server
    .stdout()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.equal(lines.filter(({ msg }) => msg === `API at ${origin}/v1, docs at ${origin}/docs`).length, 1)
  t.equal(server.stderr(), '')
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  t.test(`${signal} ends the process with 0, although a connection is kept alive`, async (t) => {
    const server = startServer(t, { API_KEYS })
    const response = await fetch(`${await server.origin}/v1/store/orders`, { headers })
    t.equal(response.status, 200)
    server.child.kill(signal)
    t.equal(await server.ended, 0)
  })
}

t.test('an unexpected error is logged, and ends the process with 1', async (t) => {
  const preload = 'data:text/javascript,process.stdin.once("data", () => { throw new Error("planted") })'
  const server = startServer(t, { API_KEYS }, { preload })
  await server.origin
  server.child.stdin?.write('now')
  t.equal(await server.ended, 1)
  const fatal = server
    .stdout()
    .split('\n')
    .find((line) => line.includes('"level":60'))
  t.match(JSON.parse(String(fatal)), { msg: 'unexpected error', err: { message: 'planted' } })
})

t.test('addresses and orders come from the environment', async (t) => {
  const dir = t.testdir({ 'my.ndjson': '{"id":5}', 'keys.txt': `others sha256:${'2c'.repeat(32)}` })
  const server = startServer(t, {
    API_KEYS,
    API_KEYS_FILE: `${dir}/keys.txt`,
    ORDERS_FILE: `${dir}/my.ndjson`,
    BASE_URL: 'https://api.example.com/v1',
    NODE_ENV: 'production',
  })
  const origin = await server.origin
  t.equal(await (await fetch(`${origin}/v1/store/orders`, { headers })).text(), '[{"id":5}]')
  const document = (await (await fetch(`${origin}/openapi.json`)).json()) as Document
  t.strictSame(document.servers, [{ url: 'https://api.example.com/v1', description: 'Production' }])
})

t.test('a start that cannot succeed ends with 1 and says why', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  t.teardown(() => taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const dir = t.testdir({ 'bad.ndjson': '{"id":"1"}', 'keys.txt': 'key' })
  const refused: [env: Record<string, string>, message: string][] = [
    [
      { PORT: 'x', LOG_LEVEL: 'loud' },
      'PORT must be a port from 0 to 65535, not "x"\nLOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud"',
    ],
    [{ NODE_ENV: 'production' }, 'NODE_ENV is production and there is no key: set API_KEYS or API_KEYS_FILE'],
    [
      { API_KEYS, PORT: String(port) },
      `listen EADDRINUSE: address already in use 127.0.0.1:${port}. Choose another host or port; port 0 takes any free one.`,
    ],
    [
      { API_KEYS, HOST: '192.0.2.1' },
      'listen EADDRNOTAVAIL: address not available 192.0.2.1. Choose another host or port; port 0 takes any free one.',
    ],
    [{ API_KEYS_FILE: `${dir}/none.txt` }, `the key file ${dir}/none.txt cannot be read: ENOENT`],
    [
      { API_KEYS_FILE: `${dir}/keys.txt` },
      `${dir}/keys.txt, line 1: must be "name sha256:HEX", HEX being the 64 digits that sha256sum prints`,
    ],
    [
      { ORDERS_FILE: `${dir}/bad.ndjson` },
      `${dir}/bad.ndjson: nothing was loaded, correct this mistake:\n  line 1: id must be a 64-bit integer in plain digits, not "1"`,
    ],
  ]
  await Promise.all(
    refused.map(async ([env, message]) => {
      const server = startServer(t, env)
      t.equal(await server.ended, 1, message)
      t.equal(server.stderr(), `store-orders: ${message}\n`)
      t.equal(server.stdout().includes('API at'), false)
    }),
  )
})
