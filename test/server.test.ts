import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { constants } from 'node:os'
import { promisify } from 'node:util'
import t from 'tap'
import type { Written } from './fixtures/app.ts'
import { collector } from './fixtures/collector.ts'
import { listen } from './fixtures/listen.ts'
import { moduleOf, startServer, stop } from './fixtures/process.ts'

/** tap's hooks catch signals. */
const withoutTap = 'unset NODE_OPTIONS'
const API_KEYS = 'tests:test-key'
const headers = { authorization: 'Bearer test-key' }

t.test('without keys, one is generated and printed apart from the log, with a command to try it', async (t) => {
  const server = startServer(t)
  const origin = await server.origin
  const [, key] = await server.printed(/\n(so_\w{50})\n.*\n\n$/s)
  t.equal(
    server.stderr(),
    `\nNo API key is configured. This one is valid for this run:\n\n${key}\n\n` +
      `curl -H 'Authorization: Bearer ${key}' ${origin}/v1/store/orders\n\n`,
  )
  const list = await fetch(`${origin}/v1/store/orders`, { headers: { authorization: `Bearer ${key}` } })
  t.equal(list.status, 200)
  t.notMatch(server.stdout(), String(key))
  await stop(t, server)
})

/** Preloaded, it prints which of the optional packages have been loaded. */
const printLoaded = moduleOf(`import { createRequire } from 'node:module'
process.on('exit', () => {
  const loaded = Object.keys(createRequire(process.cwd() + '/server.ts').cache).join()
  console.error(['prom-client', '@opentelemetry/sdk-trace'].filter((name) => loaded.includes(name)).join())
})`)

t.test('a server with metrics', async (t) => {
  const server = startServer(t, { API_KEYS, METRICS_PORT: '0' }, { preload: printLoaded })
  const origin = await server.origin

  await t.test('the log is JSON lines on stdout, one of them with the addresses of the API and the docs', async (t) => {
    const lines = server.stdout().trim().split('\n')
    const messages = lines.map((line) => JSON.parse(line).msg)
    t.equal(messages.filter((message) => message === `API at ${origin}/v1, docs at ${origin}/docs`).length, 1)
    t.equal(server.stderr(), '')
  })

  await t.test('metrics are served at their own port', async (t) => {
    const [, address = ''] = await server.printed(/metrics at (http:\S+\/metrics)"/)
    t.equal((await fetch(`${origin}/v1/store/orders`, { headers })).status, 200)
    t.match(await (await fetch(address)).text(), /^http_server_request_duration_seconds_count\{.*\} 1$/m)
  })

  await t.test('SIGUSR1 and SIGUSR2 are logged and ignored, as is SIGHUP without a terminal', async (t) => {
    for (const signal of ['SIGUSR1', 'SIGUSR2', 'SIGHUP'] as const) {
      server.child.kill(signal)
      await server.printed(new RegExp(`"msg":"${signal} ignored"`))
    }
    t.equal((await fetch(`${origin}/v1/store/orders`, { headers })).status, 200)
    t.equal(server.stderr(), '', 'no debugger')
  })

  await t.test('SIGTERM ends the process with 0 despite an idle connection; tracing was not loaded', async (t) => {
    await stop(t, server)
    t.equal(server.stderr(), 'prom-client\n')
  })
})

t.test('spans go to a collector, and the last ones when SIGINT ends the server', async (t) => {
  const receiver = await collector(t)
  const env = { API_KEYS, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }
  const server = startServer(t, env, { preload: printLoaded })
  await fetch(`${await server.origin}/v1/store/orders`, { headers })
  await stop(t, server, 'SIGINT')
  t.equal(server.stderr(), '@opentelemetry/sdk-trace\n', 'metrics were not loaded')
  t.strictSame(
    receiver.spans.map(({ name, service }) => [name, service]),
    [['listOrders', 'store-orders']],
  )
  t.match(server.stdout(), `"trace_id":"${receiver.spans[0]?.traceId}"`)
})

t.test('an unreachable collector is reported in the log, and delays nothing', async (t) => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_BSP_SCHEDULE_DELAY: '1' }
  const server = startServer(t, { API_KEYS, ...env, OTEL_EXPORTER_OTLP_TIMEOUT: '100' })
  t.equal((await fetch(`${await server.origin}/v1/store/orders`, { headers })).status, 200)
  await server.printed(/"level":40,.*"msg":"traces: .*ECONNREFUSED/)
  await stop(t, server)
})

t.test('SIGTERM fails readiness, and everything else is served until the delay ends', async (t) => {
  const server = startServer(t, { API_KEYS, SHUTDOWN_DELAY: '300' })
  const origin = await server.origin
  t.equal((await fetch(`${origin}/readyz`)).status, 200)
  server.child.kill('SIGTERM')
  await server.printed(/"shutting down"/)
  t.equal((await fetch(`${origin}/readyz`)).status, 503)
  t.equal((await fetch(`${origin}/livez`)).status, 200)
  t.equal((await fetch(`${origin}/v1/store/orders`, { headers })).status, 200)
  server.child.kill('SIGTERM')
  t.equal(await server.ended, 1)
})

t.test('the server closes after the delay', async (t) => {
  const server = startServer(t, { API_KEYS, SHUTDOWN_DELAY: '1' })
  await server.origin
  await stop(t, server)
})

t.test('a second signal ends the process immediately, with 1', async (t) => {
  const server = startServer(t, { API_KEYS })
  const socket = connect(Number(new URL(await server.origin).port), '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.write('GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n') // the incomplete second request delays the end
  await once(socket, 'data')
  server.child.kill('SIGTERM')
  await server.printed(/"signal":"SIGTERM".*"shutting down"/)
  server.child.kill('SIGTERM')
  t.equal(await server.ended, 1)
  t.match(server.stdout(), /"level":50,.*"second SIGTERM, exiting"}\n$/)
})

const signalItself = "process.kill(process.pid, 'SIGTERM')"

t.test('a signal before the start ends the process as one without a handler', async (t) => {
  const server = startServer(t, { API_KEYS }, { preload: moduleOf(signalItself), shell: withoutTap })
  t.equal(await server.ended, 'SIGTERM')
  t.equal(server.stdout() + server.stderr(), '')
})

t.test('a signal during the start is reported and ends the process, even while a pipe is read', async (t) => {
  const dir = t.testdir()
  await promisify(execFile)('mkfifo', [`${dir}/keys`, `${dir}/orders.ndjson`])
  for (const env of [{ API_KEYS_FILE: `${dir}/keys` }, { API_KEYS, ORDERS_FILE: `${dir}/orders.ndjson` }]) {
    const server = startServer(t, env, { shell: withoutTap })
    // Opening the pipe waits for the server, which then waits for a line.
    const pipe = await open(Object.values(env).at(-1) ?? '', 'w')
    server.child.kill('SIGINT')
    t.equal(await server.ended, 'SIGINT')
    await pipe.close()
    t.equal(server.stderr(), 'store-orders: stopped by SIGINT before startup finished\n')
  }
})

/** Preloaded, it makes a function signal the process before it runs. */
const signalBefore = (object: string, name: string) =>
  moduleOf(`import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { Server } from 'node:net'
const { ${name} } = ${object}
${object}.${name} = function (...args) {
  ${signalItself}
  return ${name}.apply(this, args)
}
syncBuiltinESMExports()`)

t.test('the start ends even if the signal does not kill the process, as for PID 1 of a container', async (t) => {
  // tap's hooks catch signals.
  const server = startServer(t, { API_KEYS }, { preload: signalBefore('fs.promises', 'stat') })
  t.equal(await server.ended, 128 + constants.signals.SIGTERM)
  t.equal(server.stderr(), 'store-orders: stopped by SIGTERM before startup finished\n')
})

t.test('a signal while the server begins to listen ends the process with 0', async (t) => {
  const server = startServer(t, { API_KEYS }, { preload: signalBefore('Server.prototype', 'listen') })
  t.equal(await server.ended, 0)
  t.equal(server.stderr(), '')
})

t.test('a signal that arrives as the handlers of the start are removed ends the process with 0', async (t) => {
  const preload = moduleOf(`const { off } = process
process.off = function (name, ...rest) {
  if (name === 'SIGTERM') {
    process.off = off
    ${signalItself}
  }
  return off.call(this, name, ...rest)
}`)
  const server = startServer(t, { API_KEYS }, { preload })
  t.equal(await server.ended, 0)
})

t.test('SIGHUP ends a server whose terminal closes', async (t) => {
  const preload = moduleOf(`import { syncBuiltinESMExports } from 'node:module'
import tty from 'node:tty'
tty.isatty = () => true
syncBuiltinESMExports()`)
  const server = startServer(t, { API_KEYS }, { preload })
  await server.origin
  await stop(t, server, 'SIGHUP')
})

t.test('connections beyond the descriptor limit are closed, with one warning, and later ones are served', async (t) => {
  const server = startServer(
    t,
    { API_KEYS, MAX_EVENT_LOOP_DELAY: '', MAX_ADDRESS_SHARE: '1' },
    { shell: 'ulimit -n 256' },
  )
  const origin = await server.origin
  const port = Number(new URL(origin).port)
  const sockets = Array.from({ length: 300 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })
  const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
  await Promise.any(closed)
  for (const socket of sockets) socket.destroy()
  await Promise.all(closed)
  const status = () =>
    fetch(`${origin}/docs`).then(
      (response) => response.status,
      () => 0,
    )
  while ((await status()) !== 200);
  const warnings = server.stdout().match(/"level":40,.*connections are open.*/g) ?? []
  t.equal(warnings.length, 1)
  t.match(warnings[0], /"msg":"192 connections are open, as many as the descriptor limit allows; closing further ones"/)
  await stop(t, server)
})

t.test('an address gets a quarter of the connections, with one warning and a metric', async (t) => {
  const server = startServer(t, { API_KEYS, METRICS_PORT: '0' }, { shell: 'ulimit -n 256' })
  const port = Number(new URL(await server.origin).port)
  const [, metrics] = await server.printed(/metrics at (http:\S+\/metrics)"/)
  function from(localAddress: string) {
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
    t.teardown(() => socket.destroy())
    return socket
  }
  await new Promise<void>((resolve) => {
    let left = 2
    for (let count = 0; count < 50; count++) from('127.0.0.1').once('close', () => --left === 0 && resolve())
  })
  const other = from('127.0.0.2').setEncoding('latin1')
  other.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
  t.match((await once(other, 'data'))[0], /^HTTP\/1.1 200 /)
  t.match(
    await (await fetch(String(metrics))).text(),
    /^store_orders_address_limited_total{resource="connections"} 2$/m,
  )
  await stop(t, server)
  t.equal(server.stdout().match(/"level":40,.*an address holds as much as MAX_ADDRESS_SHARE allows/g)?.length, 1)
})

t.test('an unexpected error is logged, and ends the process with 1', async (t) => {
  const preload = moduleOf('process.stdin.once("data", () => { throw new Error("planted") })')
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
  const document = (await (await fetch(`${origin}/openapi.json`)).json()) as Written
  t.strictSame(document.servers, [{ url: 'https://api.example.com/v1', description: 'Production' }])
})

t.test('a start that cannot succeed exits with 1 and the reason', async (t) => {
  const port = await listen(t, createServer())
  const dir = t.testdir({ 'bad.ndjson': '{"id":"1"}' })
  const rejected: [env: Record<string, string>, message: string | RegExp][] = [
    [
      { PORT: 'x', LOG_LEVEL: 'loud', LOGLEVEL: 'info' },
      /^PORT must .*, not "x"\nLOG_LEVEL must .*, not "loud"\nLOGLEVEL has no effect; did you mean LOG_LEVEL\?$/,
    ],
    [
      { NODE_ENV: 'production', API_KEY: 'a:b' },
      'NODE_ENV is production and there is no key: set API_KEYS or API_KEYS_FILE\nstore-orders: API_KEY has no effect; did you mean API_KEYS?',
    ],
    [
      { API_KEYS, PORT: String(port) },
      `listen EADDRINUSE: address already in use 127.0.0.1:${port}. Choose another host or port; port 0 takes any free one.`,
    ],
    [
      { API_KEYS, HOST: '192.0.2.1' },
      'listen EADDRNOTAVAIL: address not available 192.0.2.1. Choose another host or port; port 0 takes any free one.',
    ],
    [
      { API_KEYS, HOST: 'nowhere.invalid' },
      /^getaddrinfo \w+ nowhere\.invalid\. HOST and METRICS_HOST must be addresses of this machine\.$/,
    ],
    [{ API_KEYS_FILE: `${dir}/none.txt` }, `cannot read the key file ${dir}/none.txt: ENOENT`],
    [
      { ORDERS_FILE: `${dir}/bad.ndjson` },
      `${dir}/bad.ndjson: nothing was loaded; correct this error:\n  line 1: id must be a 64-bit integer in plain digits, not "1"`,
    ],
  ]
  await Promise.all(
    rejected.map(async ([env, message]) => {
      const server = startServer(t, env)
      t.equal(await server.ended, 1)
      t.match(server.stderr().replace(/^store-orders: |\n$/g, ''), message)
      t.equal(server.stdout().includes('API at'), false)
    }),
  )
})
