// The server as a process: a start, a request, each signal and a stop. test/process/ has the rest.
import t from 'tap'
import { API_KEYS, headers, moduleOf, startServer, stop } from './fixtures/process.ts'
import { collector } from './telemetry/collector.ts'

t.test('without keys, one is generated and printed apart from the log, with a command to try it', async (t) => {
  const server = startServer(t)
  const origin = await server.origin
  const [, key] = await server.printed(/\n(so_\w{50})\n.*\/docs\n\n$/s)
  t.equal(
    server.stderr(),
    `\nNo API key is configured. This one is valid for this run:\n\n${key}\n\n` +
      `curl -H 'Authorization: Bearer ${key}' ${origin}/v1/store/orders\n\n` +
      `Its documentation: ${origin}/docs\n\n`,
  )
  const list = await fetch(`${origin}/v1/store/orders`, { headers: { authorization: `Bearer ${key}` } })
  t.equal(list.status, 200)
  t.notMatch(server.stdout(), String(key))
  await stop(t, server)
})

t.test('a program that imports the server does not start it', async (t) => {
  const preload = new URL('../dist/server.js', import.meta.url).href
  const importing = startServer(t, { API_KEYS }, { preload, program: '-', stdio: ['ignore', 'pipe', 'pipe'] })
  t.equal(await importing.ended, 0)
  t.equal(importing.stdout() + importing.stderr(), '')
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
    t.match(messages[0], /^Store Orders \d+\.\d+\.\d+, commit \w+, on Node\.js \d+\.\d+\.\d+$/)
    t.equal(messages.filter((message) => message === `API at ${origin}/v1, docs at ${origin}/docs`).length, 1)
    t.equal(server.stderr(), '')
  })

  await t.test('metrics are served at their own port', async (t) => {
    t.equal((await fetch(`${origin}/v1/store/orders`, { headers })).status, 200)
    t.match(await server.metrics(), /^http_server_request_duration_seconds_count\{.*\} 1$/m)
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
  t.match(receiver.spans, [{ name: 'listOrders', service: 'store-orders' }])
  t.equal(receiver.spans.length, 1)
  t.match(server.stdout(), `"trace_id":"${receiver.spans[0]?.traceId}"`)
})
