import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import process from 'node:process'
import t from 'tap'
import { listen } from 'test-kit/ports'
import { domainsEnv } from '../domains/environment.js'
import type { Written } from '../fixtures/app.ts'
import { API_KEYS, dashboardKey, headers, moduleOf, startServer, stop } from '../fixtures/process.ts'
import { samplesIn } from '../telemetry/metrics/scrape.ts'

t.test('an unexpected error is logged, and ends the process with 1', async (t) => {
  const preload = moduleOf('process.stdin.once("data", () => { throw new Error("planted") })')
  const server = startServer(t, { API_KEYS }, { preload })
  await server.origin
  server.child.stdin?.write('now')
  t.equal(await server.ended, 1)
  const [fatal = ''] = /^.*"level":60.*$/m.exec(server.stdout()) ?? []
  t.match(JSON.parse(fatal), { msg: 'unexpected error', err: { message: 'planted' } })
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

t.test('it serves with few descriptors, and reports a wrong clock and no orders', async (t) => {
  const preload = moduleOf('const { now } = Date; Date.now = () => now() - 1e12')
  const ORDERS_FILE = `${t.testdir({ 'none.json': '[]' })}/none.json`
  const server = startServer(t, { API_KEYS, ORDERS_FILE }, { shell: 'ulimit -n 80', preload })
  t.equal((await fetch(`${await server.origin}/docs`)).status, 200)
  for (const warning of ['the clock of this machine is wrong', '0 orders in '])
    t.match(server.stdout(), new RegExp(`"level":40,.*${warning}`))
  await stop(t, server)
})

t.test('with what the image may read, the metrics show memory and descriptors', async (t) => {
  const [, entry = ''] = /^ENTRYPOINT (.*)$/m.exec(await readFile('deploy/Dockerfile', 'utf8')) ?? []
  const allowed = (JSON.parse(entry) as string[]).filter((flag) => flag.startsWith('--allow-'))
  const folders: Record<string, string> = { '/app/': `${process.cwd()}/`, '/data/': `${t.testdir({})}/` }
  const placed = allowed.map((flag) => flag.replace(/(?<==)\/(app|data)\/$/, (folder) => folders[folder] as string))
  const model = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission'
  const net = process.allowedNodeEnvironmentFlags.has('--allow-net') ? ['--allow-net'] : [] // since Node.js 25
  const ofTests = [...net, '--allow-worker', `--allow-fs-write=${resolve('.tap')}`]
  const env = { API_KEYS, METRICS_PORT: '0' }
  const options = { shell: `export NODE_OPTIONS='${[model, ...placed, ...ofTests].join(' ')}'` }
  const found = samplesIn(await startServer(t, env, options).metrics())
  for (const name of ['process_resident_memory_bytes', 'process_open_fds', 'process_max_fds'])
    t.ok(Number(found.get(name)) > 0, name)
})

t.test('a start that cannot succeed exits with 1 and the reason', async (t) => {
  const port = await listen(t, createServer())
  const redirects = [{ from: 'old.shop.test', to: 'old.shop.test' }]
  const domainsFile = JSON.stringify({ domains: { primary: 'docs.shop.test', redirects } })
  const dir = t.testdir({ 'bad.ndjson': '{"id":"1"}', 'domains.json': domainsFile })
  const withDomains = { ...domainsEnv, API_KEYS, DASHBOARD_KEYS: `operator:${dashboardKey}`, DATA_DIR: `${dir}/data` }
  const elsewhere = { ...withDomains, DATA_DIR: `${dir}/other` }
  const inUse = 'listen EADDRINUSE: address already in use'
  const choose = 'Choose another host or port; port 0 takes any free one.'
  const addresses = 'HOST and METRICS_HOST must be addresses of this machine.'
  const noKey = 'NODE_ENV is production and there is no key: set'
  const misspelled = 'store-orders: API_KEY has no effect; did you mean API_KEYS?'
  const badId = 'line 1: id must be a 64-bit integer in plain digits, not "1"'
  const notRedirected = 'domains.redirects[0].to must be a domain that does not redirect itself'
  const rejected: [env: Record<string, string>, message: string | RegExp][] = [
    [
      { PORT: 'x', LOG_LEVEL: 'loud', LOGLEVEL: 'info' },
      /^PORT must .*, not "x"\nLOG_LEVEL must .*, not "loud"\nLOGLEVEL has no effect; did you mean LOG_LEVEL\?$/,
    ],
    [{ NODE_ENV: 'production', API_KEY: 'a:b' }, `${noKey} API_KEYS or API_KEYS_FILE\n${misspelled}`],
    [{ API_KEYS, PORT: String(port) }, `${inUse} 127.0.0.1:${port}. ${choose}`],
    [{ API_KEYS, HOST: '192.0.2.1' }, `listen EADDRNOTAVAIL: address not available 192.0.2.1. ${addresses}`],
    [{ API_KEYS, HOST: 'nowhere.invalid' }, new RegExp(`^getaddrinfo \\w+ nowhere\\.invalid\\. ${addresses}$`)],
    [{ ORDERS_FILE: `${dir}/bad.ndjson` }, `${dir}/bad.ndjson: nothing was loaded; correct this error:\n  ${badId}`],
    [{ ...elsewhere, HTTPS_PORT: String(port) }, new RegExp(`${inUse} \\S+:${port}. ${choose}$`)],
    [{ ...withDomains, NODE_ENV: 'production', DASHBOARD_KEYS: '' }, `${noKey} DASHBOARD_KEYS`],
    [{ ...withDomains, DOMAINS_FILE: `${dir}/domains.json` }, `${dir}/domains.json: ${notRedirected}`],
  ]
  const failing = rejected.map(async ([env, message]) => {
    const server = startServer(t, env)
    t.equal(await server.ended, 1, String(message))
    t.match(server.stderr().replace(/^store-orders: |\n$/g, ''), message)
    if (!env.HTTPS_PORT) t.notMatch(server.stdout(), 'API at')
  })
  await Promise.all(failing)
})
