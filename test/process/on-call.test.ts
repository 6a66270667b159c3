// Each row of the symptoms in docs/on-call.md: its fault is made to happen, and its line checked.
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { appendFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import t, { type Test } from 'tap'
import { responds, until } from 'test-kit/until'
import { parse } from 'yaml'
import { digestOf } from '../../config/keys/key.ts'
import * as processes from '../fixtures/process.ts'
import { sessionOn } from '../postgres/database.ts'
import { migratedDatabase } from '../postgres/orders.ts'
import { proxyTo, through } from '../postgres/proxy.ts'

const { headers, moduleOf, start, startServer, startWithDomains, startWithOutput, stop } = processes
const base = { API_KEYS: processes.API_KEYS }
const list = (origin: string, init: RequestInit = {}) => fetch(`${origin}/v1/store/orders`, { headers, ...init })
const cancel = (origin: string, id: number) => fetch(`${origin}/v1/store/orders/${id}`, { method: 'DELETE', headers })
/** Connections that send nothing. */
function holdConnections(t: Test, port: number, count: number) {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => {}))
  t.teardown(() => sockets.map((socket) => socket.destroy()))
}

/** On a loaded machine, a fault may show another symptom first. */
function repeat(t: Test, fault: () => Promise<unknown>) {
  let isOver = false
  t.teardown(() => {
    isOver = true
  })
  const untilTheEnd = async () => {
    while (!isOver) await fault()
  }
  untilTheEnd().catch(() => {}) // the server ends first
}

type Server = Pick<ReturnType<typeof startServer>, 'printed' | 'origin' | 'stdout' | 'stderr'>
/** Makes the fault happen. @returns the server that prints the line */
type Fault = (t: Test) => Promise<Server> | Server

const keyFile = (t: Test, text: string) => `${t.testdir({ keys: text })}/keys`
const expired = `shop sha256:${digestOf('shop')} expires=2026-01-31\n`
const valid = `tests sha256:${digestOf('test-key')}\n`

/** It has started and been stopped. */
async function stopped(t: Test, env: Record<string, string>) {
  const server = startServer(t, env)
  await server.origin
  await stop(t, server)
  return server
}

/** It has responded to requests for the list, with these keys, in this way. */
async function asked(t: Test, env: Record<string, string>, keys: Record<string, number[]>) {
  const server = startServer(t, env)
  const origin = await server.origin
  for (const [key, statuses] of Object.entries(keys)) {
    const headers: Record<string, string> = key === 'none' ? {} : { authorization: `Bearer ${key}` }
    for (const status of statuses) t.equal((await list(origin, { headers })).status, status)
  }
  return server
}

const faults: Record<string, Fault> = {
  '502 or 504 from the proxy': (t) => stopped(t, base),
  async '502 now and then, and the log starts again'(t) {
    const server = startServer(t, base)
    await server.origin
    server.child.kill('SIGKILL')
    t.equal(await server.ended, 'SIGKILL')
    t.notMatch(server.stdout(), /shutdown/)
    return startServer(t, base)
  },
  async '429 for one key'(t) {
    const server = await asked(t, { ...base, RATE_LIMIT: '1/1h' }, { 'test-key': [200, 429, 429] })
    await stop(t, server)
    t.equal(server.stdout().match(/a key exceeds RATE_LIMIT/g)?.length, 1, 'one warning a day')
    return server
  },
  '429 for wrong keys': (t) => asked(t, { ...base, AUTH_FAILURE_LIMIT: '1/1h' }, { wrong: [401, 429] }),
  '401 for one key': (t) => asked(t, { API_KEYS_FILE: keyFile(t, expired + valid) }, { shop: [401] }),
  '401 for all keys': (t) => stopped(t, { API_KEYS_FILE: keyFile(t, expired) }),
  '401, though a key is sent': (t) => asked(t, base, { none: [401] }),
  async '200 for a revoked key'(t) {
    const file = keyFile(t, valid)
    const server = startServer(t, { API_KEYS_FILE: file })
    await server.origin
    await appendFile(file, 'invalid\n')
    return server
  },
  async '503 for orders'(t) {
    const DATABASE_URL = 'postgres://127.0.0.1:1/orders'
    const server = startServer(t, { ...base, DATABASE_URL, DATABASE_TIMEOUT: '1s' })
    const { status, headers } = await list(await server.origin)
    t.strictSame([status, headers.get('retry-after')], [503, '2'])
    return server
  },
  async '503 for the change of one order'(t) {
    const db = await migratedDatabase(t)
    await db.query('INSERT INTO store_orders.orders (id) VALUES (1)')
    const forgotten = await sessionOn(t, db.url)
    await forgotten.query('BEGIN; SELECT FROM store_orders.orders WHERE id = 1 FOR UPDATE')
    const server = startServer(t, { ...base, DATABASE_URL: db.url, DATABASE_TIMEOUT: '1s' })
    const origin = await server.origin
    t.equal((await cancel(origin, 1)).status, 503)
    repeat(t, () => cancel(origin, 1))
    return server
  },
  async '503 for changes of domains'(t) {
    const folder = `${t.testdir({})}/data`
    const server = startWithDomains(t, { DATA_DIR: folder })
    await server.ports
    const replace = () => rm(folder, { recursive: true, force: true }).then(() => writeFile(folder, ''))
    await until(() => responds(replace())) // unless the server has just created it again
    t.equal((await server.add('docs.shop.test')).status, 503)
    return server
  },
  async '503 for some requests'(t) {
    const costly = `import { Server } from 'node:http'
const { emit } = Server.prototype
Server.prototype.emit = function (name, ...args) {
  for (const end = performance.now() + 1; name === 'request' && performance.now() < end; );
  return emit.call(this, name, ...args)
}`
    const server = startServer(t, { ...base, MAX_EVENT_LOOP_DELAY: '5ms' }, { preload: moduleOf(costly) })
    const port = await server.port()
    const request = `GET /v1/pets/504 HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.authorization}\r\n\r\n`
    // Enough for two seconds wait in the kernel, even where this process seldom runs.
    for (let clients = 0; clients < 10; clients++)
      repeat(t, async () => {
        const socket = connect(port, '127.0.0.1')
        socket.resume().end(request.repeat(200))
        await once(socket, 'close')
      })
    return server
  },
  async 'slow responses'(t) {
    const server = startServer(t, base)
    await server.origin
    server.child.kill('SIGSTOP')
    await sleep(2_000)
    server.child.kill('SIGCONT')
    return server
  },
  async 'slow responses with PostgreSQL'(t) {
    const db = await migratedDatabase(t)
    const proxy = await proxyTo(t, db.port)
    const server = startServer(t, { ...base, DATABASE_URL: through(db, proxy.port), DATABASE_TIMEOUT: '60s' })
    const origin = await server.origin
    proxy.delay(1_100)
    list(origin).catch(() => {})
    await server.printed(/is slow/)
    proxy.delay(0)
    return server
  },
  async 'slow lists with PostgreSQL'(t) {
    const db = await migratedDatabase(t)
    await db.query('ALTER TABLE store_orders.orders DISABLE TRIGGER orders_updated')
    return asked(t, { ...base, DATABASE_URL: db.url }, { 'test-key': [200, 200] })
  },
  async 'closed connections'(t) {
    const server = startServer(t, { ...base, MAX_ADDRESS_SHARE: '1' }, { shell: 'ulimit -n 128' })
    holdConnections(t, await server.port(), 120)
    return server
  },
  async '502, closed connections or 429, all by one address'(t) {
    const server = startServer(t, { ...base, MAX_ADDRESS_SHARE: '0.001' })
    holdConnections(t, await server.port(), 800)
    return server
  },
  async '400 for everything'(t) {
    const server = startServer(t, { ...base, HOST: '::' })
    await once(connectTls(await server.port(), '127.0.0.1'), 'error')
    await server.printed(/"remoteAddress":"127\.0\.0\.1".*"cause":"TLS/)
    return server
  },
  async 'errors in browsers only (CORS)'(t) {
    const server = startServer(t, base)
    const { headers } = await list(await server.origin, { method: 'OPTIONS', headers: { origin: 'https://page.test' } })
    t.equal(headers.get('access-control-allow-origin'), null)
    return server
  },
  async 'nothing, but memory grows'(t) {
    const growing = moduleOf('setTimeout(() => { for (const kept = []; ; ) kept.push({ kept: [] }) }, 500)')
    const shell = 'ulimit -c 0; node=$1; shift; set -- "$node" --max-old-space-size=100 "$@"'
    return startServer(t, base, { preload: growing, shell })
  },
  async 'nothing, as they hang up'(t) {
    const server = startServer(t, base)
    const socket = connect(await server.port(), '127.0.0.1')
    const head = `DELETE /v1/store/orders/1007 HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.authorization}\r\n`
    socket.write(`${head}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`)
    await once(socket, 'data')
    socket.resetAndDestroy()
    return server
  },
  async 'nothing, but the log ends'(t) {
    const full = openSync('/dev/full', 'a')
    t.teardown(() => closeSync(full))
    const { origin, ...server } = await startWithOutput(t, { stdout: full })
    return { ...server, origin: Promise.resolve(origin) }
  },
  async 'nothing, but keys cannot be changed'(t) {
    const file = keyFile(t, valid)
    const full = `import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
const { open } = fs
fs.open = async (...args) => Object.assign(await open(...args), { writeFile: fail })
async function fail() { throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' }) }
syncBuiltinESMExports()`
    const options = { preload: moduleOf(full) }
    const command = start(t, 'cli/index', ['keys', 'new', 'other'], { API_KEYS_FILE: file }, options)
    t.equal(await command.ended, 1)
    t.equal(readFileSync(file, 'utf8'), valid, 'the file is as before')
    return { ...command, origin: Promise.resolve('') }
  },
  async 'nothing, but traces end'(t) {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.invalid', OTEL_BSP_SCHEDULE_DELAY: '1' }
    const more = { OTEL_EXPORTER_OTLP_TIMEOUT: '100', METRICS_PORT: '0' }
    const server = await asked(t, { ...base, ...env, ...more }, { 'test-key': [200] })
    await server.printed(/"level":40,.*"msg":"traces: spans are lost/)
    t.match(await server.metrics(), /^store_orders_spans_lost_total 1$/m)
    await stop(t, server)
    return server
  },
  'an empty list': (t) => stopped(t, { ...base, ORDERS_FILE: `${t.testdir({ 'orders.json': '[]' })}/orders.json` }),
  'other data than expected': (t) => startServer(t, { ...base, NODE_ENV: 'production' }),
  'data that differs by request': (t) => startServer(t, base),
  async 'old data, or a list without a key'(t) {
    const server = startServer(t, base)
    const ids = [await list(await server.origin), await list(await server.origin)].map(({ headers }) => {
      t.match(headers.get('cache-control'), /private/, 'a proxy that stores it breaks a rule')
      return headers.get('x-request-id')
    })
    t.not(ids[0], ids[1], 'so that the same one twice comes from a cache')
    for (const id of ids) await server.printed(new RegExp(`"reqId":"${id}"`))
    return server
  },
  async 'a warning of the certificate'(t) {
    const server = startWithDomains(t, { DATA_DIR: t.testdir({}) })
    await server.ports
    await server.add('docs.shop.test')
    return server
  },
}

const page = readFileSync('docs/on-call.md', 'utf8')
const [, section = ''] = /^## Symptoms\n(.*?)^## /ms.exec(page) ?? []
const rows = [...section.matchAll(/^\| (?!what|---)(.+) \|$/gm)].map(([, row = '']) =>
  row.split('|').map((cell) => cell.trim()),
)
interface Rule {
  alert?: string
  annotations?: { runbook_url: string }
}
const { groups }: { groups: { rules: Rule[] }[] } = parse(readFileSync('deploy/alerts.yaml', 'utf8'))
const rules = groups.flatMap(({ rules }) => rules)
const alerts = rules.flatMap(({ alert }) => alert ?? [])
const code = (cell = '') => /`(.+?)`/.exec(cell)?.[1] ?? ''
const patternOf = (line: string) => new RegExp(line.replace(/[^\w\s…]/g, '\\$&').replaceAll('…', '.+?'))

t.test('every alert leads to the section that names it', async (t) => {
  for (const { alert = '', annotations } of rules.filter(({ alert }) => alert)) {
    const [, anchor = ''] = /^https:\/\/RUNBOOKS\/on-call\.md#(.+)$/.exec(annotations?.runbook_url ?? '') ?? []
    const sections = page.split(/^## /m)
    const section = sections.find((text) => text.toLowerCase().replaceAll(' ', '-').startsWith(`${anchor}\n`))
    t.ok(section?.includes(`\`${alert}\``), alert)
  }
})

t.test('every row has a fault', async (t) => {
  t.strictSame(rows.map(([symptom]) => symptom).toSorted(), Object.keys(faults).toSorted())
})

for (const [symptom = '', line, alert] of rows) {
  t.test(`${symptom}: the line and the alert are those of the page`, async (t) => {
    const server = await (faults[symptom] as Fault)(t)
    await server.printed(patternOf(code(line)))
    if (code(alert)) t.ok(alerts.includes(code(alert)), code(alert))
  })
}
