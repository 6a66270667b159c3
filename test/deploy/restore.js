// Follows docs/backup.md: saves a server's database, folder and keys, restores each on an empty machine, and serves them.
// node test/deploy/restore.js, with POSTGRES_BIN naming a folder that also holds pg_dump and pg_restore.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createCluster } from '../fixtures/postgres/cluster.js'

const bin = process.env.POSTGRES_BIN ?? ''
const folder = mkdtempSync(join(tmpdir(), 'store-orders-restore-'))
const encryptionKey = randomBytes(32).toString('hex')
const dashboardKey = `operator:${randomBytes(24).toString('hex')}`
/** @type {(() => unknown)[]} */
const endings = [() => rmSync(folder, { recursive: true })]

try {
  const before = await machine('before')
  run(before, 'migrate')
  run(before, 'import', 'store/memory/sample.ndjson')
  const key = run(before, 'keys', 'new', 'shop').trim()
  for (const storage of ['files', 'database']) {
    const server = await serve(before, storage)
    run({ ...before, PORT: server.port }, 'domains', 'add', `docs.${storage}.example.com`)
    if (storage === 'files') assert.equal((await server.request('DELETE', '/1007', key)).status, 204)
    await server.stop()
  }
  const server = await serve(before, 'database')
  const expected = await snapshot(server, key)

  // While it serves
  const dump = join(folder, 'orders.dump')
  execFileSync(join(bin, 'pg_dump'), ['--format=custom', `--file=${dump}`, before.DATABASE_URL])
  const files = join(folder, 'files.tar')
  execFileSync('tar', ['-cf', files, '-C', before.home, 'data', 'keys'])
  assert.equal((await server.request('DELETE', '/1009', key)).status, 204)
  await server.stop()

  const after = await machine('after')
  execFileSync(join(bin, 'pg_restore'), ['--no-owner', '--no-privileges', `--dbname=${after.DATABASE_URL}`, dump])
  execFileSync('tar', ['-xf', files, '-C', after.home])
  for (const storage of ['files', 'database']) {
    console.log(run(domainsOf(after, storage), 'check').trim())
    const restored = await serve(after, storage)
    assert.deepEqual(await snapshot(restored, key), expected, 'the orders of the moment of the dump')
    const domains = JSON.parse(run({ ...after, PORT: restored.port }, 'domains', 'list', '--json'))
    assert.match(JSON.stringify(domains), new RegExp(`docs\\.${storage}\\.example\\.com`))
    await restored.stop()
    console.log(`restored with the domains in ${storage}: ${expected.count} orders`)
  }
} finally {
  for (const end of endings.reverse()) await end()
}

/** A machine with PostgreSQL and an empty folder, as the environment of its commands. @param {string} name */
async function machine(name) {
  const home = join(folder, name)
  mkdirSync(home)
  const cluster = await createCluster({ settings: [] })
  endings.push(cluster.remove)
  await cluster.start()
  return {
    home,
    PATH: String(process.env.PATH),
    DATABASE_URL: cluster.url(),
    API_KEYS_FILE: join(home, 'keys'),
    DASHBOARD_KEYS: dashboardKey,
    PORT: '0',
  }
}

/** @param {Awaited<ReturnType<typeof machine>>} env @param {string} storage of the domains */
function domainsOf(env, storage) {
  return {
    ...env,
    DATA_DIR: join(env.home, 'data'),
    PLATFORM_DOMAIN: 'orders.platform.test',
    PLATFORM_CNAME_TARGET: 'sites.platform.test',
    ACME_EMAIL: 'operator@platform.test',
    ACME_DIRECTORY_URL: 'https://127.0.0.1:1/directory',
    DNS_SERVERS: '127.0.0.1:1',
    HTTP_PORT: '0',
    HTTPS_PORT: '0',
    DOMAINS_ENCRYPTION_KEYS: storage === 'database' ? encryptionKey : '',
  }
}

/** @param {Record<string, string>} env @param {string[]} args */
function run(env, ...args) {
  return execFileSync('node', ['dist/cli/index.js', ...args], { env, encoding: 'utf8' })
}

/** @param {Awaited<ReturnType<typeof machine>>} env @param {string} storage of the domains */
async function serve(env, storage) {
  const child = spawn('node', ['dist/cli/index.js', 'serve'], {
    env: domainsOf(env, storage),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  endings.push(() => child.kill('SIGKILL'))
  let log = ''
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    log += text
    if (/domains at ports/.test(log)) break
  }
  const origin = /API at (\S+)\/v1/.exec(log)?.[1]
  if (!origin) throw new Error(`the server did not start: ${log}`)
  child.stdout.resume()
  return {
    port: new URL(origin).port,
    /** @param {string} method @param {string} path @param {string} key */
    request: (method, path, key) =>
      fetch(`${origin}/v1/store/orders${path}`, { method, headers: { authorization: `Bearer ${key}` } }),
    async stop() {
      child.kill('SIGTERM')
      assert.equal(await ended, 0)
    },
  }
}

/** @param {Awaited<ReturnType<typeof serve>>} server @param {string} key */
async function snapshot(server, key) {
  const response = await server.request('GET', '', key)
  const text = await response.text()
  return { text, etag: response.headers.get('etag'), count: JSON.parse(text).length }
}
