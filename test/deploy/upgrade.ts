// Follows docs/upgrading.md with the tarballs of the last release and of this version: replaces instances under load, and
// goes back. POSTGRES_BIN names a folder that also holds pg_dump and pg_restore.
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { until } from 'test-kit/until'
import { clientsOf } from '../fixtures/clients.ts'
import { API_KEYS, start, stop } from '../fixtures/process.ts'
import { installed, machine, postgres } from './machine.ts'
import { installBoth, lastRelease } from './tarballs.js'

const host = 'docs.customer.example.com'
const ORDERS = 200_000
const release = lastRelease()
const skip = release === undefined && 'there is no release yet to upgrade from'

t.test('an upgrade from the last release, and back', { skip }, async (t) => {
  const folder = t.testdir()
  const folders = installBoth(folder, String(release))
  const [former, present] = [installed(t, folders.former), installed(t, folders.present)]
  // Long enough for the balancer of the test to notice.
  const env = { ...(await machine(t, `${folder}/machine`)), API_KEYS, SHUTDOWN_DELAY: '1' }

  await t.test('with PostgreSQL, no request fails while instances are replaced', async (t) => {
    writeFileSync(`${folder}/orders.ndjson`, Array.from({ length: ORDERS }, (_, id) => `{"id":${id + 1}}\n`).join(''))
    await former.run(env, 'migrate')
    await former.run(env, 'import', `${folder}/orders.ndjson`)
    const authorization = `Bearer ${await former.run(env, 'keys', 'new', 'shop')}`
    const old = [await former.serve(env), await former.serve(env)]
    await old[0]?.add(host)
    postgres('pg_dump', '--format=custom', `--file=${folder}/orders.dump`, env.DATABASE_URL)

    let turn = 0
    const ready = old.map(({ origin }) => origin)
    const load = clientsOf(() => String(ready[turn++ % ready.length]))
    /** Waits for more requests. */
    async function progress() {
      const { GET, DELETE } = { ...load.counts }
      await until(() => load.counts.GET >= GET + 30 && load.counts.DELETE >= DELETE + 10)
    }
    await progress()
    await present.run(env, 'migrate')
    await progress()
    const late = start(t, 'cli/index', ['check'], env, { program: `${folders.former}/dist/cli/index.js` })
    if ((await late.ended) !== 0) t.match(late.stderr(), "newer than this server's") // unless both have the same schema
    const replaced = []
    for (const server of old) {
      const next = await present.serve(env)
      replaced.push(next)
      ready.push(next.origin)
      await progress()
      const stopped = stop(t, server)
      await until(async () => !(await fetch(`${server.origin}/readyz`)).ok)
      ready.splice(ready.indexOf(server.origin), 1)
      await stopped
    }
    await progress()
    t.strictSame(await load.stop(), {})
    for (const server of replaced) {
      t.equal((await server.listed(authorization)).count, ORDERS - load.counts.DELETE)
      t.match(await server.domains(), host)
      await stop(t, server)
    }

    postgres('psql', env.DATABASE_URL, '--quiet', '--command=CREATE DATABASE former')
    const DATABASE_URL = env.DATABASE_URL.replace('/postgres?', '/former?')
    postgres('pg_restore', '--no-owner', '--no-privileges', `--dbname=${DATABASE_URL}`, `${folder}/orders.dump`)
    const back = await former.serve({ ...env, DATABASE_URL })
    t.equal((await back.listed(authorization)).count, ORDERS)
    t.match(await back.domains(), host)
    await stop(t, back)
  })

  await t.test('with files, both versions serve the domains', async (t) => {
    const inFiles = { ...env, DATABASE_URL: '', DOMAINS_ENCRYPTION_KEYS: '' }
    const first = await former.serve(inFiles)
    await first.add(host)
    await stop(t, first)
    cpSync(env.DATA_DIR, `${folder}/copy`, { recursive: true })
    for (const version of [present, former]) {
      rmSync(env.DATA_DIR, { recursive: true })
      cpSync(`${folder}/copy`, env.DATA_DIR, { recursive: true })
      const server = await version.serve(inFiles)
      t.match(await server.domains(), host)
      await stop(t, server)
    }
  })
})
