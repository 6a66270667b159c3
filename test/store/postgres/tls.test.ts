import { setDefaultResultOrder } from 'node:dns'
import { chown, writeFile } from 'node:fs/promises'
import { setDefaultAutoSelectFamily } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import t from 'tap'
import { makeCertificate } from 'test-kit/certificate'
import { asAdmin } from '../../../store/postgres/admin.ts'
import { clientConfig } from '../../../store/postgres/client-config.ts'
import { parseConnectionString } from '../../../store/postgres/connection-string.ts'
import { createCluster, volatile } from '../../postgres/cluster.js'
import { usePasswordFile } from '../../postgres/database.ts'

const settings = [...volatile]
const cluster = await createCluster({ settings })
const file = join(cluster.data, 'server.pem')
await writeFile(file, await makeCertificate('127.0.0.1'), { mode: 0o600 })
if (process.getuid?.() === 0) await chown(file, 65534, 65534)
settings.push('ssl=on', `ssl_cert_file=${file}`, `ssl_key_file=${file}`)
await cluster.start()
t.teardown(() => cluster.remove())

const other = join(t.testdir({ 'other.pem': await makeCertificate('127.0.0.1') }), 'other.pem')

// If `localhost` has several addresses, all but the last get little time.
setDefaultAutoSelectFamily(false)
setDefaultResultOrder('ipv4first')

/** Whether a session over this connection string is encrypted. */
async function isEncrypted(parameters: string, host = '127.0.0.1'): Promise<boolean> {
  const text = `postgres://postgres@${host}:${cluster.port}/postgres?${parameters}`
  const sql = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'
  return asAdmin(parseConnectionString(text, {}), async ({ query }) => {
    const [row] = await query<{ ssl: boolean }>({ text: sql })
    return row?.ssl === true
  })
}

t.test('with its CA configured, the connection is encrypted and verified', async (t) => {
  t.equal(await isEncrypted(`sslrootcert=${file}`), true)
  t.equal(await isEncrypted('sslmode=require'), true, 'not verified')
  t.equal(await isEncrypted(''), false, 'the local machine')
})

t.test('a certificate of another CA or for another name is rejected', async (t) => {
  const refused = { message: /has a certificate that cannot be verified: .*Name its authority with sslrootcert$/ }
  await t.rejects(isEncrypted(`sslrootcert=${other}`), refused)
  await t.rejects(isEncrypted('sslmode=verify-full'), refused)
  await t.rejects(isEncrypted(`sslrootcert=${file}`, 'localhost'), {
    message: /altnames.*\. Connect by a name in it, or set sslmode=verify-ca$/,
  })
  t.equal(await isEncrypted(`sslmode=verify-ca&sslrootcert=${file}`, 'localhost'), true)
})

t.test('a password from the password file, which SASLprep changes, is sent encrypted, without a warning', async (t) => {
  const at = (user: string) =>
    parseConnectionString(`${cluster.url('postgres', user)}`.replace('=disable', '=require'), {})
  await asAdmin(at('postgres'), ({ query }) => query({ text: "CREATE ROLE scram LOGIN PASSWORD 'the\u00a0\ufb01rst'" }))
  const warnings = await usePasswordFile(t, '127.0.0.1:*:postgres:scram:the\u00a0\ufb01rst\n')
  const name = asAdmin(at('scram'), ({ query }) => query<{ name: string }>({ text: 'SELECT current_user AS name' }))
  t.strictSame(await name, [{ name: 'scram' }])
  t.strictSame(warnings, [])
})

t.test('a connection has the name of its program, and is kept alive', async (t) => {
  const options = parseConnectionString('postgres://a?application_name=blue', {})
  const { connection, application_name } = clientConfig(options, { host: 'a', port: 5432 })
  t.equal(application_name, 'blue')
  t.match(connection, { _keepAlive: true, _keepAliveInitialDelayMillis: 10_000 })
})

t.test('a line of the password file for localhost serves the default folders of sockets, as in libpq', async (t) => {
  await usePasswordFile(t, 'localhost:*:*:shop:right\n/sockets:*:*:shop:other\n/tmp:*:*:else:own\n')
  const passwordFor = async (host: string, user: string) => {
    const options = parseConnectionString('postgres://', { PGUSER: user })
    const { password } = clientConfig(options, { host, port: 5432 })
    return (password as unknown as (query: object) => Promise<string>)({ host, port: 5432, database: 'orders', user })
  }
  for (const host of ['localhost', '/tmp', '/var/run/postgresql'])
    t.equal(await passwordFor(host, 'shop'), 'right', host)
  t.equal(await passwordFor('/sockets', 'shop'), 'other')
  t.equal(await passwordFor('/tmp', 'else'), 'own')
  await t.rejects(passwordFor('/elsewhere', 'shop'), { message: 'no password is configured' })
})
