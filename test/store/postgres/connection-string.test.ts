import { readFile, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { messageOf } from 'test-kit/message'
import { parseConnectionString } from '../../../store/postgres/connection-string.ts'
import { knownVariables } from '../../../store/postgres/libpq.ts'
import { binariesFolder } from '../../postgres/binaries.js'

const tlsOf = (text: string, env: Record<string, string>) => parseConnectionString(text, env).tls()
const hostsOf = ({ hosts }: ReturnType<typeof parseConnectionString>) =>
  hosts.map(({ host, port }) => `${host}:${port}`)
const noHome = { HOME: '/nonexistent' }
const user = userInfo().username
const others = { sslnegotiation: 'postgres', enableChannelBinding: false, options: '', ignored: [] }

t.test('the shortest string names the local server and the system user', async (t) => {
  t.match(parseConnectionString('postgres://', noHome), {
    hosts: [{ host: 'localhost', port: 5432 }],
    user,
    database: user,
    password: undefined,
    ...others,
    applicationName: 'store-orders',
  })
})

t.test('a user ID without a name needs a user in the string', async (t) => {
  const nameless = (): never => {
    throw new Error('A system error occurred: uv_os_get_passwd returned ENOENT')
  }
  const system = { homedir: nameless, userInfo: nameless }
  t.equal(parseConnectionString('postgres://shop@db', {}, system).user, 'shop')
  t.throws(() => parseConnectionString('postgres://db', {}, system), {
    message: 'must name the user, like postgres://user@host: that of this process has no name',
  })
})

t.test('a complete string takes precedence over the variables', async (t) => {
  const env = { ...noHome, PGHOST: 'x', PGPORT: '1', PGUSER: 'x', PGPASSWORD: 'x', PGDATABASE: 'x', PGAPPNAME: 'x' }
  const text = 'postgresql://shop:p%40ss%2F%3A@a,b:5433,[::1]:5434/orders%201?application_name=blue&sslmode=disable'
  const whole = { user: 'shop', password: 'p@ss/:', database: 'orders 1', ...others, applicationName: 'blue' }
  const parsed = parseConnectionString(text, { ...env, PGSSLMODE: 'require' })
  t.match({ ...parsed, hosts: hostsOf(parsed) }, { hosts: ['a:1', 'b:5433', '::1:5434'], ...whole })
})

t.test('parts missing from the string come from the libpq variables', async (t) => {
  const env = { PGHOST: 'a,b', PGPORT: '5433,5434', PGUSER: 'shop', PGPASSWORD: 'secret', PGSSLMODE: 'disable' }
  const parsed = parseConnectionString('postgres://', env)
  t.strictSame(hostsOf(parsed), ['a:5433', 'b:5434'])
  t.match(parsed, { user: 'shop', password: 'secret', database: 'shop' })
  t.strictSame(hostsOf(parseConnectionString('postgres://', { ...env, PGPORT: '5433' })), ['a:5433', 'b:5433'])
  const partly = { user: 'u', database: 'orders', hosts: [{ port: 9 }] }
  t.match(parseConnectionString('postgres:///orders?user=u&port=9', env), partly)
})

t.test('a plus is a plus, also in a parameter', async (t) => {
  const text = 'postgres://a+b:c+d@host/e+f?application_name=g+h&sslmode=disable'
  const parts = { user: 'a+b', password: 'c+d', database: 'e+f', applicationName: 'g+h' }
  t.match(parseConnectionString(text, noHome), parts)
})

t.test('a Unix socket is named by its directory', async (t) => {
  t.match(parseConnectionString('postgres://%2Fvar%2Frun/orders', noHome), { hosts: [{ host: '/var/run' }] })
  t.match(parseConnectionString('postgres:///orders?host=/var/run', noHome), { hosts: [{ host: '/var/run' }] })
})

t.test('remote connections are encrypted and verified, local ones are not', async (t) => {
  const tls = (text: string, env = {}) => tlsOf(text, { ...noHome, ...env })
  t.strictSame(tls('postgres://db.example.com/orders'), { rejectUnauthorized: true })
  t.strictSame(tls('postgres://localhost,db.example.com/orders'), { rejectUnauthorized: true })
  for (const local of ['localhost', '127.0.0.1', '127.9.9.9', '[::1]', '%2Frun'])
    t.equal(tls(`postgres://${local}`), false, local)
  t.strictSame(tls('postgres://localhost?sslmode=verify-full'), { rejectUnauthorized: true })
  t.equal(tls('postgres://db.example.com', { PGSSLMODE: 'disable' }), false)
  t.match(tls('postgres://db.example.com?sslmode=require'), { rejectUnauthorized: false })
  t.match(tls('postgres://db.example.com?sslmode=verify-ca'), { rejectUnauthorized: true })
  const verified = tls('postgres://db.example.com?sslmode=verify-ca')
  t.equal(Object(verified).checkServerIdentity(), undefined, 'whatever name the certificate has')
})

t.test('the CA and the client certificate are read from files', async (t) => {
  const dir = t.testdir({
    'ca.pem': 'the authority',
    '.postgresql': { 'root.crt': 'root', 'root.crl': 'list', 'postgresql.crt': 'cert', 'postgresql.key': 'key' },
  })
  const [text, file] = ['postgres://db.example.com/orders', `${dir}/ca.pem`]
  const verified = { rejectUnauthorized: true }
  t.match(tlsOf(`${text}?sslrootcert=${file}`, noHome), { ca: 'the authority', ...verified })
  t.match(tlsOf(`${text}?sslmode=require&sslrootcert=${file}`, noHome), verified)
  const found = { ...verified, ca: 'root', crl: 'list', cert: 'cert', key: 'key' }
  t.strictSame(tlsOf(text, { HOME: dir }), found)
  const system = { homedir: () => dir, userInfo: () => ({ username: 'shop' }) }
  t.strictSame(parseConnectionString(text, {}, system).tls(), found, 'the home of the user, without a variable')
  t.notOk('ca' in Object(tlsOf(text, { ...noHome, PGSSLROOTCERT: 'system' })))
  t.match(tlsOf(text, { ...noHome, PGSSLCERT: file, PGSSLKEY: file }), { cert: 'the authority' })
  const message = `has sslrootcert=${dir}/none, which cannot be read: ENOENT`
  t.equal(await messageOf(() => parseConnectionString(`${text}?sslrootcert=${dir}/none`, {})), message)
})

t.test('what providers print is accepted', async (t) => {
  const parameters = [
    'sslmode=require&channel_binding=require&sslnegotiation=direct&options=endpoint%3Dblue',
    'target_session_attrs=any&connect_timeout=10&load_balance_hosts=random&keepalives=1&gssencmode=disable',
  ]
  t.match(parseConnectionString(`postgres://a?${parameters.join('&')}`, noHome), {
    sslnegotiation: 'direct',
    enableChannelBinding: true,
    options: 'endpoint=blue',
    ignored: ['connect_timeout', 'load_balance_hosts', 'keepalives', 'gssencmode'],
  })
})

t.test('a certificate that is replaced is used from the next connection on', async (t) => {
  const dir = t.testdir({ 'ca.pem': 'old' })
  const connection = parseConnectionString(`postgres://a?sslrootcert=${dir}/ca.pem`, noHome)
  await writeFile(`${dir}/ca.pem`, 'new')
  t.match(connection.tls(), { ca: 'new' })
})

t.test('an invalid string is rejected without quoting what may be a password', async (t) => {
  const refused: [text: string, message: string | RegExp][] = [
    ['', 'must be like postgres://user@host:5432/database'],
    ['host=a dbname=b', 'must be like postgres://user@host:5432/database'],
    ['postgres://u:p@ss@host/db', 'has an invalid host: write an @ in a password as %40'],
    ['postgres://a,,b/db', 'has an invalid host: write an @ in a password as %40'],
    ['postgres://u:pa/ss', 'has an invalid port'],
    ['postgres://a:0', 'has an invalid port'],
    ['postgres://a:65536', 'has an invalid port'],
    ['postgres://u:100%@a', 'has a % that is not part of an escape: write it as %25'],
    ['postgres://a?sslmode=prefer', 'has sslmode=prefer: it must be one of disable, require, verify-ca, verify-full'],
    ['postgres://a?target_session_attrs=standby', 'has target_session_attrs=standby: cancellations need read-write'],
    ['postgres://a?channel_binding=yes', 'has channel_binding=yes: it must be one of disable, prefer, require'],
    ['postgres:///b?channel_binding=require', 'has channel_binding=require, but no TLS: set sslmode=verify-full'],
    ['postgres://a?max=1', /^has the parameter "max", which is not supported: use host, /],
  ]
  for (const [text, message] of refused) t.match(await messageOf(() => parseConnectionString(text, {})), message, text)
  for (const valid of ['postgres://a?target_session_attrs=primary', 'postgres://a:65535', 'postgres://a:1'])
    t.doesNotThrow(() => parseConnectionString(valid, {}), valid)
})

t.test('every variable of libpq is used, rejected by name, or without an effect', async (t) => {
  const library = await readFile(join(binariesFolder(), '../lib/libpq.so.5'), 'latin1')
  const named = new Set(library.match(/(?<=\0)PG(?!RES_)[A-Z_]+(?=\0)/g))
  t.ok(named.size > 30)
  for (const name of named) t.ok(knownVariables.has(name), name)
})

t.test('a setting that libpq enforces is enforced or rejected', async (t) => {
  const dir = t.testdir({ 'root.pem': 'root', 'list.pem': 'revoked' })
  const tls = (query: string, env = {}) => tlsOf(`postgres://a?${query}`, { ...noHome, ...env })
  t.match(tls('ssl_min_protocol_version=TLSv1.3'), { minVersion: 'TLSv1.3' })
  t.match(tls('', { PGSSLMAXPROTOCOLVERSION: 'TLSv1.2' }), { maxVersion: 'TLSv1.2' })
  t.match(tls(`sslcrl=${dir}/list.pem`), { crl: 'revoked', rejectUnauthorized: true })
  const [least, most] = ['ssl_min_protocol_version', 'ssl_max_protocol_version']
  const rejected: [query: string, env: Record<string, string>, message: string][] = [
    ['', { PGSERVICE: 'shop' }, 'does not support PGSERVICE=shop: unset it'],
    ['', { PGHOSTADDR: '10.0.0.1' }, 'does not support PGHOSTADDR=10.0.0.1: unset it'],
    ['hostaddr=10.0.0.1', {}, 'has hostaddr=10.0.0.1, which is not supported: remove it'],
    ['', { PGREQUIREPEER: 'postgres' }, 'does not support PGREQUIREPEER=postgres: unset it'],
    ['sslcertmode=require', {}, 'has sslcertmode=require, which is not supported: remove it'],
    ['gssencmode=require', {}, 'has gssencmode=require, which is not supported: remove it'],
    ['', { PGSSLCRLDIR: '/crl' }, 'does not support PGSSLCRLDIR=/crl: unset it'],
    ['', { PGSSLMINPROTOCOLVERSION: 'TLSv1.1' }, `has ${least}=TLSv1.1: it must be one of TLSv1.2, TLSv1.3`],
    [`${least}=TLSv1.3&${most}=TLSv1.2`, {}, `has an ${least} above its ${most}`],
    [
      'sslmode=verify-ca&sslrootcert=system',
      {},
      'has sslrootcert=system, which needs sslmode=verify-full, not verify-ca',
    ],
    [`sslmode=require&sslcrl=${dir}/list.pem`, {}, 'has a revocation list, but no authority: set sslmode=verify-full'],
  ]
  for (const [query, env, message] of rejected) t.equal(await messageOf(() => tls(query, env)), message)
  const variables = { PGCONNECT_TIMEOUT: '5', PGGSSENCMODE: 'require' }
  const { ignored } = parseConnectionString('postgres://a?gssencmode=prefer', { ...noHome, ...variables })
  t.strictSame(ignored, ['gssencmode', 'PGCONNECT_TIMEOUT'], 'a parameter replaces its variable')
})
