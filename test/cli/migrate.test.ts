import { basename } from 'node:path'
import t from 'tap'
import { migrations } from '../../store/postgres/schema.ts'
import { database } from '../postgres/database.ts'
import { runCommand } from './command.ts'

const run = (args: string[], env: Record<string, string>) => runCommand(['migrate', ...args], env)

t.test('the schema is checked, created, and found up to date', async (t) => {
  const { url, port } = await database(t)
  const env = { DATABASE_URL: url }
  const missing = 'store-orders: there is no schema yet. Run: store-orders migrate\n'
  t.strictSame(await run(['--check'], env), { code: 1, stdout: '', stderr: missing })
  const upToDate = 'The schema is up to date.\n'
  const applied = migrations.map((url) => `Applied ${basename(url)}.\n`).join('')
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
