// Follows docs/backup.md: saves a server's database, folder and keys, restores each on an empty machine, and serves them.
// node test/deploy/restore.js, with POSTGRES_BIN naming a folder that also holds pg_dump and pg_restore.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { cleanUp, domainsOf, folder, installed, machine, snapshot } from './machine.js'

const bin = process.env.POSTGRES_BIN ?? ''
const { run, serve } = installed('.')

try {
  const before = await machine('before')
  run(before, 'migrate')
  run(before, 'import', 'store/memory/sample.ndjson')
  const key = run(before, 'keys', 'new', 'shop').trim()
  for (const storage of ['files', 'database']) {
    const server = await serve(domainsOf(before, storage))
    run({ ...before, PORT: server.port }, 'domains', 'add', `docs.${storage}.example.com`)
    if (storage === 'files') assert.equal((await server.request('DELETE', '/1007', key)).status, 204)
    await server.stop()
  }
  const server = await serve(domainsOf(before, 'database'))
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
    const restored = await serve(domainsOf(after, storage))
    assert.deepEqual(await snapshot(restored, key), expected, 'the orders of the moment of the dump')
    assert.match(JSON.stringify(restored.domains()), new RegExp(`docs\\.${storage}\\.example\\.com`))
    await restored.stop()
    console.log(`restored with the domains in ${storage}: ${expected.count} orders`)
  }
} finally {
  await cleanUp()
}
