// Follows docs/upgrading.md with the tarballs of the last release and of this version: replaces instances under traffic,
// and goes back. node test/deploy/upgrade.js, with POSTGRES_BIN naming a folder that also holds pg_dump and pg_restore.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { cleanUp, domainsOf, folder, installed, machine, snapshot } from './machine.js'
import { installBoth, lastRelease } from './tarballs.js'
import { traffic } from './traffic.js'

/** @typedef {import('./machine.js').Installed} Installed */

const bin = process.env.POSTGRES_BIN ?? ''
const host = 'docs.customer.example.com'
/** Long enough for the balancer of the tests to notice. */
const SHUTDOWN_DELAY = '1'

const release = lastRelease()
try {
  if (release) await upgradeFrom(release)
  else console.log('There is no release yet to upgrade from.')
} finally {
  await cleanUp()
}

/** @param {string} release its tag */
async function upgradeFrom(release) {
  console.log(`from ${release}`)
  const folders = installBoth(folder, release)
  const [former, present] = [installed(folders.former), installed(folders.present)]
  await withPostgres(former, present)
  await withFiles(former, present)
}

/** @param {Installed} former @param {Installed} present */
async function withPostgres(former, present) {
  const env = { ...domainsOf(await machine('database'), 'database'), SHUTDOWN_DELAY }
  const orders = Array.from({ length: 20_000 }, (_, index) => index + 1)
  const file = join(folder, 'orders.ndjson')
  writeFileSync(file, orders.map((id) => `{"id":${id},"complete":false}\n`).join(''))
  former.run(env, 'migrate')
  former.run(env, 'import', file)
  const key = former.run(env, 'keys', 'new', 'shop').trim()
  const old = [await former.serve(env), await former.serve(env)]
  former.run({ ...env, PORT: String(old[0]?.port) }, 'domains', 'add', host)
  const dump = join(folder, 'orders.dump')
  execFileSync(join(bin, 'pg_dump'), ['--format=custom', `--file=${dump}`, env.DATABASE_URL])

  const clients = traffic(key, orders)
  old.forEach(clients.add)
  clients.start()
  await clients.progress()
  present.run(env, 'migrate')
  await clients.progress()
  const late = spawnSync('node', [join(folder, 'former/dist/cli/index.js'), 'check'], { env, encoding: 'utf8' })
  if (late.status !== 0) assert.match(late.stderr, /newer than this server's/) // unless both have the same schema
  const replaced = []
  for (const server of old) {
    const next = await present.serve(env)
    clients.add(next)
    await clients.progress()
    await clients.replace(server)
    replaced.push(next)
  }
  await clients.progress()
  await clients.stop()
  const { lists, cancelled } = clients.counts
  const after = await Promise.all(replaced.map((server) => snapshot(server, key)))
  assert.equal(after[0]?.count, orders.length - cancelled)
  assert.deepEqual(after[1], after[0])
  for (const server of replaced) assert.match(JSON.stringify(server.domains()), new RegExp(host))
  for (const server of replaced) await server.stop()
  console.log(`PostgreSQL: ${lists} lists and ${cancelled} cancellations during the upgrade, none failed`)

  execFileSync(join(bin, 'psql'), [env.DATABASE_URL, '--quiet', '--command=CREATE DATABASE former'])
  const restored = { ...env, DATABASE_URL: env.DATABASE_URL.replace('/postgres?', '/former?') }
  execFileSync(join(bin, 'pg_restore'), ['--no-owner', '--no-privileges', `--dbname=${restored.DATABASE_URL}`, dump])
  const back = await former.serve(restored)
  assert.equal((await snapshot(back, key)).count, orders.length)
  assert.match(JSON.stringify(back.domains()), new RegExp(host))
  await back.stop()
  console.log('PostgreSQL: the former version serves the dump')
}

/** @param {Installed} former @param {Installed} present */
async function withFiles(former, present) {
  const env = { ...domainsOf(await machine('files'), 'files'), DATABASE_URL: '', API_KEYS_FILE: '', API_KEYS: 'a:b' }
  const [data, copy] = [env.DATA_DIR, join(folder, 'copy')]
  const first = await former.serve(env)
  former.run({ ...env, PORT: first.port }, 'domains', 'add', host)
  await first.stop()
  cpSync(data, copy, { recursive: true })

  const next = await present.serve(env)
  assert.match(JSON.stringify(next.domains()), new RegExp(host))
  await next.stop()

  rmSync(data, { recursive: true })
  cpSync(copy, data, { recursive: true })
  const back = await former.serve(env)
  assert.match(JSON.stringify(back.domains()), new RegExp(host))
  await back.stop()
  console.log('files: both versions serve the domains')
}
