// Follows docs/backup.md, with POSTGRES_BIN naming a folder that also holds pg_dump and pg_restore.
import { execFileSync } from 'node:child_process'
import t from 'tap'
import { stop } from '../fixtures/process.ts'
import { installed, machine, postgres } from './machine.ts'

t.test("a server's database, folder and keys are saved, restored on an empty machine, and served", async (t) => {
  const folder = t.testdir()
  const { run, serve } = installed(t, '.')
  const before = await machine(t, `${folder}/before`)
  await run(before, 'migrate')
  await run(before, 'import', 'store/memory/sample.ndjson')
  const authorization = `Bearer ${await run(before, 'keys', 'new', 'shop')}`
  const cancel = (origin: string, id: number) =>
    fetch(`${origin}/v1/store/orders/${id}`, { method: 'DELETE', headers: { authorization } })
  const storages = { files: { DOMAINS_ENCRYPTION_KEYS: '' }, database: {} }
  for (const [storage, env] of Object.entries(storages)) {
    const server = await serve({ ...before, ...env })
    t.equal((await server.add(`docs.${storage}.example.com`)).status, 201)
    if (storage === 'files') t.equal((await cancel(server.origin, 1007)).status, 204)
    await stop(t, server)
  }
  const server = await serve(before)
  const expected = await server.listed(authorization)

  // While it serves
  postgres('pg_dump', '--format=custom', `--file=${folder}/orders.dump`, before.DATABASE_URL)
  execFileSync('tar', ['-cf', `${folder}/files.tar`, '-C', `${folder}/before`, 'data', 'keys'])
  t.equal((await cancel(server.origin, 1009)).status, 204)
  await stop(t, server)

  const after = await machine(t, `${folder}/after`)
  postgres('pg_restore', '--no-owner', '--no-privileges', `--dbname=${after.DATABASE_URL}`, `${folder}/orders.dump`)
  execFileSync('tar', ['-xf', `${folder}/files.tar`, '-C', `${folder}/after`])
  for (const [storage, env] of Object.entries(storages)) {
    await run({ ...after, ...env }, 'check')
    const restored = await serve({ ...after, ...env })
    t.strictSame(await restored.listed(authorization), expected, 'the orders of the moment of the dump')
    t.match(await restored.domains(), `docs.${storage}.example.com`)
    await stop(t, restored)
  }
})
