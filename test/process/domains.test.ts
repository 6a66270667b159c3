import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { hostname } from 'node:os'
import { connect as connectSecurely } from 'node:tls'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { makeCertificate } from 'test-kit/certificate'
import { converse, parseAnswer } from 'test-kit/raw'
import { until } from 'test-kit/until'
import { readCertificate } from '../../packages/custom-domains/src/certificates/certificate.ts'
import { parseName } from '../../packages/custom-domains/src/dns/name.ts'
import { sha256 } from '../../packages/custom-domains/src/files/records.ts'
import { get, platformHost } from '../../packages/custom-domains/test/fixtures/ports.ts'
import { API_KEYS, headers, moduleOf, startServer, startWithDomains, stop } from '../fixtures/process.ts'
import { migratedDatabase } from '../postgres/orders.ts'
import { proxyTo, through } from '../postgres/proxy.ts'

const host = 'docs.shop.test'

/** The files of a live domain with a certificate. */
function live(host: string, certificate: string) {
  const { hosts, ...dates } = readCertificate(certificate)
  const since = { addedAt: new Date().toISOString(), attempts: 0 }
  const domain = { ...since, name: parseName(host, []), state: 'live', certificate: dates }
  const record = JSON.stringify({ name: host, value: domain })
  const records = { domain: { [sha256(host).slice(0, 2)]: { [`${host}.json`]: record } } }
  return { records, certificates: { [`${host}.pem`]: certificate } }
}

/** The ports of the domains are open at every address, unlike that of the API. */
const visit = async (port: number, path: string, host = platformHost) =>
  parseAnswer(await converse(connect(port, '127.0.0.2'), get(path, `Host: ${host}`))).status

t.test('a server with a live domain', async (t) => {
  const DATA_DIR = t.testdir(live('live.shop.test', await makeCertificate('live.shop.test')))
  const env = { DATA_DIR, METRICS_PORT: '0' }
  const server = startWithDomains(t, env)
  const { http, https } = await server.ports

  await t.test('the documentation is served at the platform host, the dashboard where the API listens', async (t) => {
    t.equal((await server.printed(/managed at ([^"]+)/))[1], `${await server.origin}/dashboard`)
    t.equal(await visit(http, '/docs'), 200)
    t.equal(await visit(http, '/docs', 'unknown.test'), 421)
    t.equal(await visit(http, '/dashboard'), 404)
    t.equal((await server.add(host)).status, 201)
    t.match(await (await server.call('GET')).json(), { total: 2, plan: 'pro' })
    t.equal(server.stderr(), '')
  })

  await t.test('the days left of a certificate are a metric', async (t) => {
    t.match(await server.metrics(), /^store_orders_certificate_days_left\{domain="live.shop.test"\} \d/m)
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
  const server = startWithDomains(t, { DASHBOARD_KEYS: '', DATA_DIR: t.testdir() })
  const [, key] = await server.printed(/\n(so_\w{50})\n\n$/)
  const origin = await server.origin
  const lines = `No key of the dashboard is configured. This one opens ${origin}/dashboard for this run:\n\n${key}\n\n`
  t.equal(server.stderr(), lines)
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
  const server = startWithDomains(t, { DNS_SERVERS, DATA_DIR: t.testdir() })
  await server.ports
  t.equal((await server.add(host)).status, 201)
  t.equal((await server.call('POST', `/${host}/verify`)).status, 202)
  await queried
  await stop(t, server)
  t.match(server.stdout(), 'shutting down')
})

t.test('a broken state is reported, and the API starts without the domains', async (t) => {
  const DATA_DIR = t.testdir({ 'batch.json': '{"domains":["docs.shop.test"]}' })
  const server = startWithDomains(t, { DATA_DIR })
  const origin = await server.origin
  t.equal((await fetch(`${origin}/v1/store/orders`, { headers })).status, 200)
  t.equal((await fetch(`${origin}/dashboard`)).status, 404)
  const [, line] = await server.printed(/"msg":"([^"]+batch\.json[^"]+)"/)
  const consequence = 'The API starts without the domains: repair it and restart'
  t.equal(line, `${DATA_DIR}/batch.json cannot be used: it has no array of changes. ${consequence}`)
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
  const ca = await makeCertificate(host)
  const DATA_DIR = t.testdir(live(host, ca))
  const server = startWithDomains(t, { DATA_DIR }, { preload: fullDisk })
  const { https } = await server.ports
  const dial = () => connectSecurely({ port: https, servername: host, ca })
  t.equal(parseAnswer(await converse(dial(), get('/docs', `Host: ${host}`))).status, 200)
  t.equal((await fetch(`${await server.origin}/v1/store/orders`, { headers })).status, 200)

  const reason = `${DATA_DIR} cannot be written: ENOSPC: no space left on device`
  await server.printed(/"msg":"changes to the domains cannot be saved"/)
  t.match(server.stdout(), `"reason":"${reason}"`)
  const unsaved = 'the storage cannot be written: ENOSPC: no space left on device'
  t.match(await (await server.call('GET')).json(), { unsaved, domains: [{ domain: host, state: 'live' }] })

  const removed = await server.call('DELETE', `/${host}`)
  t.equal(removed.status, 503)
  t.match(await removed.json(), { code: 'not_saved', message: /^docs\.shop\.test is no longer/ })
  await t.rejects(once(dial(), 'secureConnect'), { message: /alert handshake failure/ })
})

t.test('with a database and an encryption key, the domains are served from the database', async (t) => {
  const db = await migratedDatabase(t)
  const env = { DATABASE_URL: db.url, DOMAINS_ENCRYPTION_KEYS: 'a'.repeat(64), DATA_DIR: `${t.testdir()}/none` }
  const server = startWithDomains(t, env)
  await server.ports
  t.equal((await server.add(host)).status, 201)
  const hosts = "SELECT name FROM store_orders.domain_records WHERE kind = 'domain' ORDER BY name"
  t.strictSame(await db.query(hosts), [{ name: host }, { name: 'orders.platform.test' }])
  t.notOk(existsSync(env.DATA_DIR))
  await stop(t, server)
})

t.test('the server starts with an unreachable database, responds with 503, logs it once, and recovers', async (t) => {
  const db = await migratedDatabase(t)
  const proxy = await proxyTo(t, db.port)
  proxy.open = false
  const env = { DATABASE_URL: through(db, proxy.port), DATABASE_TIMEOUT: '1', DOMAINS_ENCRYPTION_KEYS: 'a'.repeat(64) }
  const server = startWithDomains(t, env)
  const { http } = await server.ports
  t.equal(await visit(http, '/docs'), 503)
  const message = 'The domains are not available at the moment. Try again later.'
  for (const refused of [await server.call('GET'), await server.add(host)]) {
    t.strictSame([refused.status, refused.headers.get('retry-after')], [503, '2'])
    t.strictSame(await refused.json(), { code: 'unavailable', message, status: 503 })
  }
  proxy.open = true
  await server.printed(/custom domains: PostgreSQL has recovered/)
  const [outage = ''] = server.stdout().split('custom domains: PostgreSQL has recovered')
  t.equal(outage.match(/custom domains: PostgreSQL is unreachable/g)?.length, 1)
  await until(async () => (await server.call('GET')).status !== 503)
  t.equal(await visit(http, '/docs'), 200)
  await server.printed(/this instance now obtains the certificates/)
  await stop(t, server)
})

t.test('SIGTERM ends a server that waits for its database with 0', async (t) => {
  const DATABASE_URL = 'postgres://127.0.0.1:1/orders'
  const server = startWithDomains(t, { DATABASE_URL, DATABASE_TIMEOUT: '1', DOMAINS_ENCRYPTION_KEYS: 'a'.repeat(64) })
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

  await startWithDomains(t, { DATA_DIR: `${dir}/data` }, { preload }).ports
  t.strictSame([...new Set(ofDomains())].sort(), ['/custom-domains/src/runtime/index.js', '/dns-packet/', '/tldts/'])
})
