import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { hostname } from 'node:os'
import { connect as connectSecurely } from 'node:tls'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { makeCertificate } from 'test-kit/certificate'
import { listen } from 'test-kit/ports'
import { converse, parseAnswer } from 'test-kit/raw'
import { until } from 'test-kit/until'
import { readCertificate } from '../../packages/custom-domains/src/certificates/certificate.ts'
import { parseName } from '../../packages/custom-domains/src/dns/name.ts'
import { sha256 } from '../../packages/custom-domains/src/files/records.ts'
import { get, platformHost } from '../../packages/custom-domains/test/fixtures/ports.ts'
import { domainsEnv } from '../domains/environment.js'
import { moduleOf, startServer, startWithDomains, stop } from '../fixtures/process.ts'
import { migratedDatabase } from '../postgres/orders.ts'
import { proxyTo, through } from '../postgres/proxy.ts'

const API_KEYS = 'tests:test-key'
const DASHBOARD_KEYS = 'operator:dashboard-key-of-at-least-32-characters'
const headers = { authorization: 'Bearer dashboard-key-of-at-least-32-characters', 'content-type': 'application/json' }

/** The files of a live domain with a certificate. */
function live(host: string, certificate: string) {
  const { hosts, ...dates } = readCertificate(certificate)
  const since = { addedAt: new Date().toISOString(), attempts: 0 }
  const domain = { ...since, name: parseName(host, []), state: 'live', certificate: dates }
  const record = JSON.stringify({ name: host, value: domain })
  const records = { domain: { [sha256(host).slice(0, 2)]: { [`${host}.json`]: record } } }
  return { records, certificates: { [`${host}.pem`]: certificate } }
}

t.test('a server with a live domain', async (t) => {
  const DATA_DIR = t.testdir(live('live.shop.test', await makeCertificate('live.shop.test')))
  const env = { API_KEYS, DASHBOARD_KEYS, DATA_DIR, METRICS_PORT: '0' }
  const server = startWithDomains(t, env)
  const origin = await server.origin
  const { http, https } = await server.ports

  await t.test(
    'the documentation is served at the platform host, and the dashboard where the API listens',
    async (t) => {
      t.equal((await server.printed(/managed at ([^"]+)/))[1], `${origin}/dashboard`)
      const visit = async (path: string, host: string) =>
        parseAnswer(await converse(connect(http, '127.0.0.1'), get(path, `Host: ${host}`))).status
      t.equal(await visit('/docs', platformHost), 200)
      t.equal(await visit('/docs', 'unknown.test'), 421)
      t.equal(await visit('/dashboard', platformHost), 404)

      const domains = `${origin}/dashboard/v1/domains`
      const body = JSON.stringify({ domain: 'docs.shop.test' })
      t.equal((await fetch(domains, { method: 'POST', headers, body })).status, 201)
      t.match(await (await fetch(domains, { headers })).json(), { total: 2, plan: 'pro' })
      t.equal(server.stderr(), '')
    },
  )

  await t.test('the days left of a certificate are a metric', async (t) => {
    const [, address = ''] = await server.printed(/metrics at (http:\S+\/metrics)"/)
    t.match(await (await fetch(address)).text(), /^store_orders_certificate_days_left\{domain="live.shop.test"\} \d/m)
  })

  await t.test('one process at a time holds the data', async (t) => {
    const second = startWithDomains(t, env)
    t.equal(await second.ended, 1)
    const holder = `process ${server.child.pid} on ${hostname()}`
    t.match(second.stderr(), `store-orders: ${DATA_DIR} is in use by ${holder}: only one server at a time can use it`)
  })

  await t.test('SIGTERM ends the process with 0 despite open connections, and releases the data', async (t) => {
    const held = () =>
      readdirSync(DATA_DIR, { withFileTypes: true }).filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))
    const holders = () => held().filter(({ name }) => readFileSync(`${DATA_DIR}/${name}`, 'utf8').includes('"pid"'))
    t.equal(holders().length, 1)
    for (const port of [http, https]) {
      const socket = connect(port, '127.0.0.1')
      t.teardown(() => socket.destroy())
      await once(socket, 'connect')
    }
    await stop(t, server)
    t.equal(holders().length, 0)
  })
})

t.test('without dashboard keys, one is generated for the run and printed', async (t) => {
  const server = startWithDomains(t, { API_KEYS, DATA_DIR: t.testdir() })
  const [, key] = await server.printed(/\n(so_\w{50})\n\n$/)
  const origin = await server.origin
  t.equal(
    server.stderr(),
    `No key of the dashboard is configured. This one opens ${origin}/dashboard for this run:\n\n${key}\n\n`,
  )
  const list = await fetch(`${origin}/dashboard/v1/domains`, { headers: { authorization: `Bearer ${key}` } })
  t.equal(list.status, 200)
  t.notMatch(server.stdout(), String(key))
  await stop(t, server)
})

t.test('SIGTERM ends the process with 0 even if no DNS server responds', async (t) => {
  const silent = [0, 0, 0].map((port) => createSocket('udp4').bind(port, '127.0.0.1'))
  t.teardown(() => silent.map((socket) => socket.close()))
  await Promise.all(silent.map((socket) => once(socket, 'listening')))
  const queried = Promise.race(silent.map((socket) => once(socket, 'message')))
  const DNS_SERVERS = silent.map((socket) => `127.0.0.1:${socket.address().port}`).join()
  const server = startWithDomains(t, { API_KEYS, DASHBOARD_KEYS, DNS_SERVERS, DATA_DIR: t.testdir() })
  await server.ports
  const domains = `${await server.origin}/dashboard/v1/domains`
  const body = JSON.stringify({ domain: 'docs.shop.test' })
  t.equal((await fetch(domains, { method: 'POST', headers, body })).status, 201)
  const verified = await fetch(`${domains}/docs.shop.test/verify`, {
    method: 'POST',
    headers: { authorization: headers.authorization },
  })
  t.equal(verified.status, 202)
  await queried
  await stop(t, server)
  t.match(server.stdout(), 'shutting down')
})

t.test('a start that cannot succeed exits with 1 and the reason', async (t) => {
  const redirects = [{ from: 'old.shop.test', to: 'old.shop.test' }]
  const files = { 'domains.json': JSON.stringify({ domains: { primary: 'docs.shop.test', redirects } }) }
  const dir = t.testdir({ ...files, data: {} })
  const port = await listen(t, createServer())
  const refused: [env: Record<string, string>, message: string | RegExp][] = [
    [
      { DASHBOARD_KEYS, DATA_DIR: `${dir}/other`, HTTPS_PORT: String(port) },
      /listen EADDRINUSE: address already in use \S+:\d+\. Choose another host or port; port 0 takes any free one\.\n$/,
    ],
    [{ NODE_ENV: 'production' }, 'NODE_ENV is production and there is no key: set DASHBOARD_KEYS'],
    [
      { DASHBOARD_KEYS, DATA_DIR: `${dir}/data`, DOMAINS_FILE: `${dir}/domains.json` },
      `${dir}/domains.json: domains.redirects[0].to must be a domain that does not redirect itself`,
    ],
  ]
  await Promise.all(
    refused.map(async ([env, message]) => {
      const server = startWithDomains(t, { API_KEYS, ...env })
      t.equal(await server.ended, 1, String(message))
      t.match(server.stderr(), message)
    }),
  )
})

t.test('a broken state is reported, and the API starts without the domains', async (t) => {
  const DATA_DIR = t.testdir({ 'batch.json': '{"domains":["docs.shop.test"]}' })
  const server = startServer(t, { ...domainsEnv, API_KEYS, DASHBOARD_KEYS, DATA_DIR })
  const origin = await server.origin
  const authorization = 'Bearer test-key'
  t.equal((await fetch(`${origin}/v1/store/orders`, { headers: { authorization } })).status, 200)
  t.equal((await fetch(`${origin}/dashboard`)).status, 404)
  const [, line] = await server.printed(/"msg":"([^"]+batch\.json[^"]+)"/)
  t.equal(
    line,
    `${DATA_DIR}/batch.json cannot be used: it has no array of changes. ` +
      'The API starts without the domains: repair it and restart',
  )
  t.match(readFileSync(`${DATA_DIR}/batch.json`, 'utf8'), 'docs.shop.test')
  await stop(t, server)
})

/** Preloaded, it makes all writes fail. */
const fullDisk = moduleOf(`import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const { open, writeFile } = fs.promises
const full = (call) => async (file, ...rest) => {
  const isWrite = call === writeFile || rest[0] === 'w'
  if (isWrite) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  return call(file, ...rest)
}
Object.assign(fs.promises, { open: full(open), writeFile: full(writeFile) })
syncBuiltinESMExports()`)

t.test('with a full disk, API and domains are served, and the log and the list report the failure', async (t) => {
  const certificate = await makeCertificate('docs.shop.test')
  const DATA_DIR = t.testdir(live('docs.shop.test', certificate))
  const server = startWithDomains(t, { API_KEYS, DASHBOARD_KEYS, DATA_DIR }, { preload: fullDisk })
  const { https } = await server.ports
  const origin = await server.origin
  const socket = connectSecurely({ port: https, servername: 'docs.shop.test', ca: certificate })
  t.equal(parseAnswer(await converse(socket, get('/docs', 'Host: docs.shop.test'))).status, 200)
  t.equal((await fetch(`${origin}/v1/store/orders`, { headers: { authorization: 'Bearer test-key' } })).status, 200)

  const reason = `${DATA_DIR} cannot be written: ENOSPC: no space left on device`
  await server.printed(/"msg":"changes to the domains cannot be saved"/)
  t.match(server.stdout(), `"reason":"${reason}"`)
  const list = await (await fetch(`${origin}/dashboard/v1/domains`, { headers })).json()
  const unsaved = 'the storage cannot be written: ENOSPC: no space left on device'
  t.match(list, { unsaved, domains: [{ domain: 'docs.shop.test', state: 'live' }] })

  const removed = await fetch(`${origin}/dashboard/v1/domains/docs.shop.test`, {
    method: 'DELETE',
    headers: { authorization: headers.authorization },
  })
  t.match(
    [removed.status, await removed.json()],
    [503, { code: 'not_saved', message: /^docs\.shop\.test is no longer/ }],
  )
  const gone = connectSecurely({ port: https, servername: 'docs.shop.test', ca: certificate })
  await t.rejects(once(gone, 'secureConnect'), { message: /alert handshake failure/ })
})

t.test('with a database and an encryption key, the domains are served from the database', async (t) => {
  const db = await migratedDatabase(t)
  const env = { DATABASE_URL: db.url, DOMAINS_ENCRYPTION_KEYS: 'a'.repeat(64), DATA_DIR: `${t.testdir()}/none` }
  const server = startWithDomains(t, { API_KEYS, DASHBOARD_KEYS, ...env })
  await server.ports
  const domains = `${await server.origin}/dashboard/v1/domains`
  const body = JSON.stringify({ domain: 'docs.shop.test' })
  t.equal((await fetch(domains, { method: 'POST', headers, body })).status, 201)
  const hosts = "SELECT name FROM store_orders.domain_records WHERE kind = 'domain' ORDER BY name"
  t.strictSame(await db.query(hosts), [{ name: 'docs.shop.test' }, { name: 'orders.platform.test' }])
  t.notOk(existsSync(env.DATA_DIR))
  await stop(t, server)
})

t.test('the server starts with an unreachable database, responds with 503, logs it once, and recovers', async (t) => {
  const db = await migratedDatabase(t)
  const proxy = await proxyTo(t, db.port)
  proxy.open = false
  const server = startWithDomains(t, {
    API_KEYS,
    DASHBOARD_KEYS,
    DATABASE_URL: through(db, proxy.port),
    DATABASE_TIMEOUT: '1',
    DOMAINS_ENCRYPTION_KEYS: 'a'.repeat(64),
  })
  const { http } = await server.ports
  const domains = `${await server.origin}/dashboard/v1/domains`
  const visit = async () =>
    parseAnswer(await converse(connect(http, '127.0.0.1'), get('/docs', `Host: ${platformHost}`))).status
  t.equal(await visit(), 503)
  for (const init of [{ headers }, { method: 'POST', headers, body: JSON.stringify({ domain: 'docs.shop.test' }) }]) {
    const refused = await fetch(domains, init)
    const message = 'The domains are not available at the moment. Try again later.'
    t.strictSame(
      [refused.status, refused.headers.get('retry-after'), await refused.json()],
      [503, '2', { code: 'unavailable', message, status: 503 }],
    )
  }
  proxy.open = true
  await server.printed(/custom domains: PostgreSQL has recovered/)
  const [outage = ''] = server.stdout().split('custom domains: PostgreSQL has recovered')
  t.equal(outage.match(/custom domains: PostgreSQL is unreachable/g)?.length, 1)
  await until(async () => (await fetch(domains, { headers })).status !== 503)
  t.equal(await visit(), 200)
  await server.printed(/this instance now obtains the certificates/)
  await stop(t, server)
})

t.test('SIGTERM ends a server that waits for its database with 0', async (t) => {
  const DATABASE_URL = 'postgres://127.0.0.1:1/orders'
  const env = { DATABASE_URL, DATABASE_TIMEOUT: '1', DOMAINS_ENCRYPTION_KEYS: 'a'.repeat(64) }
  const server = startWithDomains(t, { API_KEYS, DASHBOARD_KEYS, ...env })
  await server.ports
  await stop(t, server)
})

t.test('the packages of custom domains are loaded only with them', async (t) => {
  const dir = t.testdir({
    // Unlike loader hooks, the debugger also sees what require() loads.
    'preload.mjs': `import { appendFileSync } from 'node:fs'
      import { Session } from 'node:inspector'
      const session = new Session()
      session.connect()
      session.on('Debugger.scriptParsed', ({ params }) =>
        appendFileSync(new URL('loaded', import.meta.url), params.url + '\\n'))
      session.post('Debugger.enable')`,
    data: {},
  })
  const preload = pathToFileURL(`${dir}/preload.mjs`).href
  const root = pathToFileURL('.').href // its own path may contain the word, too
  const loaded = () => readFileSync(`${dir}/loaded`, 'utf8').replaceAll(root, '')
  const ofDomains = () => loaded().match(/\/(custom-domains\/src\/runtime\/index\.[jt]s|dns-packet\/|tldts\/)/g) ?? []

  await startServer(t, { API_KEYS }, { preload }).origin
  t.match(loaded(), /\/app\.[jt]s/)
  t.strictSame(ofDomains(), [])

  const { ports } = startWithDomains(t, { API_KEYS, DASHBOARD_KEYS, DATA_DIR: `${dir}/data` }, { preload })
  await ports
  t.strictSame([...new Set(ofDomains())].sort(), ['/custom-domains/src/runtime/index.js', '/dns-packet/', '/tldts/'])
})
