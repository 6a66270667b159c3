import { chmod } from 'node:fs/promises'
import t from 'tap'
import { runCommand } from '../fixtures/command.ts'
import { database } from '../fixtures/postgres/database.ts'
import { start } from '../fixtures/process.ts'

const run = (args: string[], env: Record<string, string>) => runCommand(['migrate', ...args], env)

t.test('the schema is checked, created, and found up to date', async (t) => {
  const { url, port } = await database(t)
  const env = { DATABASE_URL: url }
  t.strictSame(await run(['--check'], env), {
    code: 1,
    stdout: '',
    stderr: 'store-orders: there is no schema yet. Run: store-orders migrate\n',
  })
  const upToDate = 'The schema is up to date.\n'
  const applied =
    'Applied 0001-orders.sql.\nApplied 0002-cancelled-orders.sql.\nApplied 0003-domains.sql.\nApplied 0004-cancel-in-groups.sql.\nApplied 0005-domain-keys.sql.\nApplied 0006-log-of-rows.sql.\nApplied 0007-domain-records.sql.\nApplied 0008-log-triggers.sql.\n'
  t.strictSame(await run([], env), { code: 0, stdout: applied + upToDate, stderr: '' })
  t.strictSame(await run([], env), { code: 0, stdout: upToDate, stderr: '' })
  t.strictSame(await run(['--check'], env), { code: 0, stdout: upToDate, stderr: '' })
  const granted = `${upToDate}Role postgres has what a server needs.\n`
  t.strictSame(await run(['--grant', 'postgres'], env), { code: 0, stdout: granted, stderr: '' })
  t.match(await run([], { DATABASE_URL: url.replace(`:${port}`, ':1,127.0.0.1:2') }), {
    code: 1,
    stderr: /^store-orders: 127\.0\.0\.1:1 does not respond: .*\n127\.0\.0\.1:2 does not respond: .*\n$/,
  })
})

t.test('the error names the privileges that a role lacks', async (t) => {
  const { name, url, query } = await database(t)
  const role = `role_of_${name}`
  await query(`CREATE ROLE ${role} LOGIN`)
  const { code, stderr } = await run([], { DATABASE_URL: url.replace('//postgres@', `//${role}@`) })
  await query(`DROP ROLE ${role}`)
  t.equal(code, 1)
  t.match(
    stderr,
    /cannot create tables in the schema store_orders\. As an administrator: CREATE SCHEMA store_orders AUTHORIZATION "role_of_/,
  )
})

t.test('the password is read from the file that PGPASSFILE names', async (t) => {
  const { name, port, url, query } = await database(t)
  await query(
    "DO $$ BEGIN CREATE ROLE scram LOGIN PASSWORD 'right'; EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$",
  )
  const file = `${t.testdir({ passwords: `127.0.0.1:${port}:${name}:scram:right\n` })}/passwords`
  await chmod(file, 0o600)
  const { ended, stderr } = start(t, 'cli/index', ['migrate', '--check'], {
    DATABASE_URL: url.replace('//postgres@', '//scram@'),
    PGPASSFILE: file,
  })
  t.equal(await ended, 1)
  t.equal(stderr(), 'store-orders: there is no schema yet. Run: store-orders migrate\n', 'and there is no warning')
})

t.test('the database must be named', async (t) => {
  t.match(await run([], {}), { code: 1, stderr: /^store-orders: DATABASE_URL must name the database/ })
})
