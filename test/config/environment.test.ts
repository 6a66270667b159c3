import process from 'node:process'
import t from 'tap'
import { messageOf } from 'test-kit/message'
import * as environment from '../../config/environment.ts'
import { proxyEnvOf, proxyWarnings } from '../../config/proxies.ts'
import { neededEnv } from '../domains/environment.js'

const { loadApiAccess, loadConfig, loadConnection, loadDatabase, loadKeyFile, loadWebhook } = environment

const longKey = 'a'.repeat(32)
const defaults = loadConfig({})
const domainsDefaults = loadConfig(neededEnv).domains as environment.DomainsConfig
const [authority] = domainsDefaults.engine.authorities
const { servers, app } = defaults

t.test('what has no default in the tables of docs/configuration.md is empty or off', async (t) => {
  const { dnsServers } = domainsDefaults.engine
  const lists = [defaults.apiKeys, app.corsOrigins, app.trustProxy, defaults.warnings, defaults.misspelled]
  t.strictSame([...lists, dnsServers, domainsDefaults.encryptionKeys, domainsDefaults.keys], Array(8).fill([]))
  const off = { apiKeysFile: undefined, ordersFile: undefined, database: undefined, domains: undefined }
  t.match(defaults, { ...off, metrics: undefined, tracing: undefined, isProduction: false, shutdownDelay: 0 })
  t.match(defaults, {
    servers: { production: undefined, staging: undefined },
    app: { rateLimits: { requests: undefined } },
  })
  const directoryUrl = 'https://acme-v02.api.letsencrypt.org/directory'
  t.match(authority, { directoryUrl, email: 'operator@platform.test', profile: undefined, externalAccount: undefined })
  const [platform, target] = ['orders.platform.test', ['sites.platform.test']]
  t.match(domainsDefaults, { engine: { platform, target, webhook: undefined, proxyEnv: undefined } })
  t.equal(domainsDefaults.configurationFile, undefined)
})

const secret = `whsec_${Buffer.alloc(24).toString('base64')}`
const longestSecret = `whsec_${Buffer.alloc(64, 255).toString('base64')}`

const invalidKeys = 'hunter2|shop:|:hunter2|shop:hunter 2|shop:hun=ter|a:b,|sh op:hunter2|a:b;c:d'.split('|')
/** For each variable: values with the part of the configuration that they set, and invalid ones. */
type Rules = Record<string, [accepted: Record<string, object>, rejected: string[]]>

const ofApp = (changed: object) => ({ app: { ...app, ...changed } })
const rateLimits = (changed: object) => ofApp({ rateLimits: { ...app.rateLimits, ...changed } })
const apiKeys = [
  { name: 'shop', key: 'abcdefgh-._~+/==' },
  { name: 'night.run_2-b', key: 'xxxxxxxxxxxxxxxx' },
]

const sampleWarning = 'the orders are a small sample: DATABASE_URL and ORDERS_FILE are not set'
const rules: Rules = {
  HOST: [{ '::': { host: '::' } }, ['999.1.1.1', '10.0.0', 'a b', '-', 'http://a', ':3000']],
  PORT: [
    { 0: { port: 0 }, 65535: { port: 65535 } },
    ['abc', '-1', '65536', '100000', '1e3', '0x50', '80.0', ' 80', '80 '],
  ],
  API_KEYS: [{ 'shop:abcdefgh-._~+/==, night.run_2-b:xxxxxxxxxxxxxxxx': { apiKeys } }, invalidKeys],
  NODE_ENV: [
    { development: {}, test: {}, production: { isProduction: true, shutdownDelay: 5_000, warnings: [sampleWarning] } },
    ['Production', '"production"', 'production\r', 'staging'],
  ],
  DATABASE_POOL_SIZE: [{}, ['0', '1001', '-1', '1.5', '1e2', 'ten']],
  DATABASE_TIMEOUT: [{}, ['0', '0s', '301', '6m', '1.5s', '5 s']],
  BASE_URL: [
    { 'https://a.example/v1': { servers: { ...servers, production: 'https://a.example/v1' } } },
    [
      ...['api.example.com/v1', 'ftp://example.com/v1', 'https://example.com'],
      ...['/v1/', '/xv1', '/v1?a=1', '/v1?', '/v1#a'].map((path) => `https://example.com${path}`),
    ],
  ],
  STAGING_BASE_URL: [
    { 'http://localhost:8080/store/v1': { servers: { ...servers, staging: 'http://localhost:8080/store/v1' } } },
    ['/v1'],
  ],
  CORS_ORIGINS: [
    { 'https://a.example, http://[::1]:8080': ofApp({ corsOrigins: ['https://a.example', 'http://[::1]:8080'] }) },
    [
      ...['*', 'null', 'docs.example.com', 'ftp://example.com', 'https://example.com/', 'https://Example.com'],
      ...['https://example.com:443', 'https://a.example,', 'https://a.example https://b.example'],
    ],
  ],
  TRUST_PROXY: [
    {
      '10.0.0.0/8, 192.1.1.1,fd00::/128,::1': ofApp({ trustProxy: ['10.0.0.0/8', '192.1.1.1', 'fd00::/128', '::1'] }),
      '10.0.0.1/32,0.0.0.0/1': ofApp({ trustProxy: ['10.0.0.1/32', '0.0.0.0/1'] }),
    },
    ['true', 'localhost', '10.0.0', '10.0.0.0/33', '10.0.0.0/0', '::/129', '10.0.0.0/8/8', '::1,', '1.1.1.1/a'],
  ],
  LOG_LEVEL: [{ debug: { logLevel: 'debug' } }, ['verbose', 'INFO', '30', ' info']],
  KEEP_ALIVE_TIMEOUT: [{ '620s': ofApp({ keepAliveTimeout: 620_000 }) }, ['0', '3601', '72 s']],
  SHUTDOWN_DELAY: [
    { 20: { shutdownDelay: 20_000 }, '5m': { shutdownDelay: 300_000 }, '1500ms': { shutdownDelay: 1_500 } },
    ['-1', '301', '301s', 's'],
  ],
  METRICS_PORT: [{ 9464: { metrics: { host: '127.0.0.1', port: 9464 } } }, ['65536']],
  METRICS_HOST: [{ '::': {} }, []],
  RATE_LIMIT: [
    { '600/1m': rateLimits({ requests: { max: 600, seconds: 60 } }) },
    ['600', '600/60', '0/60s', '-1/60s', '600/0s', '600/s', '1e3/60s', '600/1.5s', '600/1500ms', '600/60s/1', 'off'],
  ],
  AUTH_FAILURE_LIMIT: [
    {
      '5/1h': rateLimits({ failedAuthentications: { max: 5, seconds: 3600 } }),
      off: rateLimits({ failedAuthentications: undefined }),
    },
    ['100', 'none', '0/60s'],
  ],
  MAX_EVENT_LOOP_DELAY: [
    Object.fromEntries(
      Object.entries({ 300: 300, '1s': 1_000, 0: 0 }).map(([text, ms]) => [text, ofApp({ maxEventLoopDelay: ms })]),
    ),
    ['-1', '10000', '10s'],
  ],
  MAX_ADDRESS_SHARE: [{ '.5': { maxAddressShare: 0.5 } }, ['0', '0.0', '1.1', '-0.5', '25%']],
  CHECK_RESPONSES: [
    { true: ofApp({ checkResponses: true }), 1: ofApp({ checkResponses: true }), false: {}, 0: {} },
    ['yes', '2'],
  ],
}

const noDomains = 'localhost|a.b/|https://a.b|a..b|.a.b|a.b.|-a.b|a-.b|a.b-|a b.c|ä.b|*.a.b'.split('|')
const engine = (options: object) => ({ engine: { ...domainsDefaults.engine, ...options } })
const first = (fields: object) => engine({ authorities: [{ ...authority, ...fields }] })

/** Of custom domains: the parts are those of `domains`. */
const domainsRules: Rules = {
  PLATFORM_DOMAIN: [{ 'Docs.Platform.test': engine({ platform: 'docs.platform.test' }) }, noDomains],
  PLATFORM_CNAME_TARGET: [
    {
      'xn--sites-9ua.test': engine({ target: ['xn--sites-9ua.test'] }),
      'New.test,former.test': engine({ target: ['new.test', 'former.test'] }),
    },
    [...noDomains, 'a.b,-c.d'],
  ],
  ACME_EMAIL: [{ 'a@b.test': first({ email: 'a@b.test' }) }, ['operator', '@a.b', 'a@', 'a@b@c', 'a @b.c']],
  ACME_DIRECTORY_URL: [
    { 'https://ca.test:14000/dir': first({ directoryUrl: 'https://ca.test:14000/dir' }) },
    ['http://ca.example.com/dir', 'ca.example.com', 'https://'],
  ],
  ACME_PROFILE: [{ shortlived: first({ profile: 'shortlived' }) }, ['a b']],
  ACME_ORDER_LIMIT: [{ 5000: first({ orderLimit: 5000 }) }, ['0', '1000001']],
  DOMAINS_MAX: [{ 1: engine({ limit: 1 }), 100000: engine({ limit: 100_000 }) }, ['0', '100001', '1.5', 'all']],
  DNS_SERVERS: [
    { '9.9.9.9, [::1]:65535,::1, [fe80::1]': engine({ dnsServers: ['9.9.9.9', '[::1]:65535', '::1', '[fe80::1]'] }) },
    [
      ...['localhost', '9.9.9', '9.9.9.9:', '9.9.9.9:dns', '9.9.9.9:0', '9.9.9.9:65536', '9.9.9.9:100000'],
      ...['[::1', '[::1]:', '[::1]:0', '[]', '9.9.9.9,', '9.9.9.9 8.8.8.8'],
    ],
  ],
  DOMAINS_HSTS: [
    { 31536000: engine({ hstsSeconds: 31_536_000 }), '365d': engine({ hstsSeconds: 31_536_000 }) },
    ['-1', '63072001', '731d', '1234567s', '1.5d', '-1d', '1 d', '1D', '1y', '1d2h'],
  ],
  DOMAINS_WEBHOOK_URL: [{}, []],
  DOMAINS_WEBHOOK_SECRET: [{}, []],
  PLAN: [{ enterprise: { plan: 'enterprise' } }, ['none', 'Pro']],
  HTTP_PORT: [{ 0: { ports: { http: 0, https: 443 } } }, ['65536', 'http']],
  HTTPS_PORT: [{ 8443: { ports: { http: 80, https: 8443 } } }, ['-1']],
  DOMAINS_ENCRYPTION_KEYS: [{}, ['secret', 'g'.repeat(64), 'a'.repeat(63)]],
  DOMAINS_SERVE_API: [{ true: { isApiAtDomains: true } }, []],
  DASHBOARD_KEYS: [
    { [`operator:${longKey}`]: { keys: [{ name: 'operator', key: longKey }] } },
    [...invalidKeys, `operator:${longKey.slice(1)}`],
  ],
}
const allRules: Rules = { ...rules, ...domainsRules }

/** The rejection of a value, which is not repeated if it may be a secret. */
function rejectionOf(name: string, value: string) {
  const isSecret = /KEYS?$|SECRET$|^DATABASE_URL$|WEBHOOK_URL$/.test(name)
  const escaped = JSON.stringify(value).replace(/\W/g, '\\$&')
  return new RegExp(`^${name} must ${isSecret ? '((?!, not).)+' : `.+, not ${escaped}`}$`)
}

for (const [name, [accepted, rejected]] of Object.entries(allRules)) {
  t.test(`${name} sets a part of the configuration, or its value is rejected`, async (t) => {
    const needed = name in domainsRules ? neededEnv : {}
    for (const [value, part] of Object.entries(accepted)) {
      const domains = { domains: { ...domainsDefaults, ...part } }
      const expected = { ...defaults, ...(name in domainsRules ? domains : part) }
      t.strictSame(loadConfig({ ...needed, [name]: value }), expected, value)
    }
    for (const value of rejected)
      t.match(await messageOf(() => loadConfig({ ...needed, [name]: value })), rejectionOf(name, value))
  })
}

t.test('variables work together', async (t) => {
  const cases: [env: Record<string, string>, expected: object][] = [
    [
      { API_KEYS_FILE: 'keys.txt', ORDERS_FILE: 'a.ndjson.gz' },
      { apiKeysFile: 'keys.txt', ordersFile: 'a.ndjson.gz' },
    ],
    [{ NODE_ENV: 'production', SHUTDOWN_DELAY: '0' }, { shutdownDelay: 0 }],
    [{ NODE_ENV: 'production', DATABASE_URL: 'postgres://shop@localhost' }, { warnings: { length: 0 } }],
    [{ METRICS_HOST: '::' }, { metrics: undefined }],
    [{ METRICS_HOST: '::', METRICS_PORT: '0' }, { metrics: { host: '::', port: 0 } }],
    [
      { ...neededEnv, DATA_DIR: '/var/lib/orders', DOMAINS_FILE: 'domains.json' },
      { domains: { dataDir: '/var/lib/orders', configurationFile: 'domains.json' } },
    ],
  ]
  for (const [env, expected] of cases) t.match(loadConfig(env), expected, JSON.stringify(env))
})

t.test('no text has control characters, which would garble the messages that name it', async (t) => {
  const message = /^API_KEYS_FILE must be text without control characters.*, not "keys\\r"$/
  t.match(await messageOf(() => loadConfig({ API_KEYS_FILE: 'keys\r' })), message)
})

t.test('an empty variable counts as unset', async (t) => {
  const files = ['API_KEYS_FILE', 'DATABASE_URL', 'ORDERS_FILE', 'DATA_DIR', 'DOMAINS_FILE']
  const names = ['NODE_ENV', ...files, ...Object.keys(allRules)]
  t.strictSame(loadConfig(Object.fromEntries(names.map((name) => [name, '']))), defaults)
})

t.test('without an argument, the environment of the process is read', async (t) => {
  const own = { PORT: '8080', API_KEYS_FILE: 'own', DATABASE_URL: 'postgres://?port=x', DOMAINS_WEBHOOK_URL: 'hooks' }
  t.intercept(process, 'env', { value: own })
  t.equal(loadConnection().port, 8080)
  t.equal(loadKeyFile(), 'own')
  const database = 'DATABASE_URL has an invalid port'
  t.equal(await messageOf(() => loadDatabase()), database)
  t.match(await messageOf(() => loadConfig()), database)
  t.match(await messageOf(() => loadWebhook()), rejectionOf('DOMAINS_WEBHOOK_URL', ''))
})

t.test('a secret can be in a file', async (t) => {
  const dir = t.testdir({ url: '\uFEFFpostgres://shop@db/orders\r\n', keys: `a:${longKey}\n`, empty: '\n', bad: 'a:b' })
  const env = { ...neededEnv, DATABASE_URL_FILE: `${dir}/url`, DASHBOARD_KEYS_FILE: `${dir}/keys`, HOME: dir }
  const { database, domains, misspelled } = loadConfig(env)
  t.match(database?.connection, { user: 'shop', hosts: [{ host: 'db' }], database: 'orders' })
  t.strictSame(domains?.keys, [{ name: 'a', key: longKey }])
  t.strictSame(misspelled, [])
  t.equal(loadApiAccess({ STORE_ORDERS_KEY_FILE: `${dir}/bad` }).apiKey, 'a:b')
  for (const [changed, message] of [
    [{ DATABASE_URL: 'postgres://db/orders' }, 'DATABASE_URL_FILE and DATABASE_URL are both set: keep one'],
    [{ DATABASE_URL_FILE: `${dir}/none` }, `DATABASE_URL_FILE names a file that cannot be read, ${dir}/none (ENOENT)`],
    [{ DATABASE_URL_FILE: `${dir}/empty` }, `DATABASE_URL_FILE names an empty file, ${dir}/empty`],
    [{ DASHBOARD_KEYS_FILE: `${dir}/bad` }, rejectionOf('DASHBOARD_KEYS', '')],
  ] as const)
    t.match(await messageOf(() => loadConfig({ ...env, ...changed })), message)
  const inDomains = ['ACME_EAB_HMAC_KEY', 'ACME_FALLBACK_EAB_HMAC_KEY', 'DOMAINS_ENCRYPTION_KEYS']
  for (const name of [...inDomains, 'DOMAINS_WEBHOOK_SECRET', 'DATABASE_URL', 'DASHBOARD_KEYS'])
    t.match(await messageOf(() => loadConfig({ ...neededEnv, [`${name}_FILE`]: dir })), `${name}_FILE names a file`)
})

t.test('the database comes from a connection string and the libpq variables', async (t) => {
  const DATABASE_URL = 'postgres://db-1,db-2/orders?connect_timeout=10'
  const env = { DATABASE_URL, PGUSER: 'shop', PGSSLMODE: 'disable', HOME: '/nonexistent' }
  const hosts = ['db-1', 'db-2'].map((host) => ({ host, port: 5432 }))
  const connection = { hosts, user: 'shop', database: 'orders', ignored: ['connect_timeout'] }
  const { database, warnings } = loadConfig(env)
  t.match(database, { connection, poolSize: 10, timeout: 5000 })
  t.strictSame(warnings, ['DATABASE_URL: connect_timeout has no effect'])
  const { database: limited } = loadConfig({ ...env, DATABASE_POOL_SIZE: '1000', DATABASE_TIMEOUT: '300' })
  t.match(limited, { connection, poolSize: 1000, timeout: 300_000 })
  t.match(loadDatabase(env), connection)
})

t.test('an invalid database is rejected', async (t) => {
  const like = 'like postgres://user@host:5432/database'
  t.equal(await messageOf(() => loadConfig({ DATABASE_URL: 'orders' })), `DATABASE_URL must be ${like}`)
  t.equal(await messageOf(() => loadDatabase({})), `DATABASE_URL must name the database, ${like}`)
  const both = { DATABASE_URL: 'postgres://', ORDERS_FILE: 'orders.ndjson' }
  const instead = 'ORDERS_FILE must be empty where DATABASE_URL is set: run store-orders import FILE instead'
  t.equal(await messageOf(() => loadConfig(both)), instead)
})

t.test('a webhook has an address and secrets, which no message contains', async (t) => {
  const url = 'http://127.0.0.1:8080/'
  const env = { DOMAINS_WEBHOOK_URL: url, DOMAINS_WEBHOOK_SECRET: `${secret}, ${longestSecret}` }
  const webhook = { proxyEnv: undefined, url, secrets: [Buffer.alloc(24), Buffer.alloc(64, 255)] }
  t.strictSame(loadWebhook(env), webhook)
  t.match(loadConfig({ ...neededEnv, ...env }).domains?.engine.webhook, { url, secrets: { length: 2 } })
  t.equal(loadConfig({ ...neededEnv, DOMAINS_WEBHOOK_SECRET: secret }).domains?.engine.webhook, undefined)
  for (const url of ['http://localhost/', 'http://[::1]:8080/a', 'http://127.9.9.9/', 'https://x/'])
    t.equal(loadWebhook({ ...env, DOMAINS_WEBHOOK_URL: url }).url, url)
  const [aboutUrl, aboutSecret] = ['URL', 'SECRET'].map((name) => rejectionOf(`DOMAINS_WEBHOOK_${name}`, ''))
  const remote = ['http://hooks.example.com/', 'http://127.0.0.1.example.com/']
  for (const url of [...remote, 'https://u@x/', 'https://:p@x/', 'ftp://127.0.0.1/', 'hooks'])
    t.match(await messageOf(() => loadWebhook({ ...env, DOMAINS_WEBHOOK_URL: url })), aboutUrl, url)
  for (const text of ['whsec_', 'whsec_abc', secret.slice(6), `${secret},x`, `${longestSecret}AAAA`])
    t.match(await messageOf(() => loadWebhook({ ...env, DOMAINS_WEBHOOK_SECRET: text })), aboutSecret, text)
  const missing = 'DOMAINS_WEBHOOK_SECRET must be set: it signs the messages'
  t.equal(await messageOf(() => loadConfig({ ...neededEnv, ...env, DOMAINS_WEBHOOK_SECRET: '' })), missing)
  t.match(await messageOf(() => loadWebhook({})), aboutUrl)
})

t.test('an external account has an identifier and a key, both or none', async (t) => {
  const env = { PLATFORM_DOMAIN: 'p.test', PLATFORM_CNAME_TARGET: 'c.p.test', ACME_EMAIL: 'o@p.test' }
  const account = { ACME_EAB_KEY_ID: 'kid-1', ACME_EAB_HMAC_KEY: 'c2Vj' }
  const externalAccount = { kid: 'kid-1', hmacKey: 'c2Vj' }
  t.strictSame(loadConfig({ ...env, ...account }).domains?.engine.authorities, [
    { ...authority, email: 'o@p.test', externalAccount },
  ])
  for (const [kid, key, message] of [
    ['kid-1', '', 'ACME_EAB_HMAC_KEY is missing: an external account has both'],
    ['', 'abc', 'ACME_EAB_KEY_ID is missing: an external account has both'],
    ['kid-1', 'a b', 'ACME_EAB_HMAC_KEY must be base64url text, as the certificate authority shows it'],
  ] as const) {
    t.throws(() => loadConfig({ ...env, ACME_EAB_KEY_ID: kid, ACME_EAB_HMAC_KEY: key }), { message }, message)
  }
})

t.test('the fallback is another authority and needs an address', async (t) => {
  const missing = 'ACME_FALLBACK_DIRECTORY_URL is missing: it names the authority'
  const account = { ACME_FALLBACK_EAB_KEY_ID: 'kid-2', ACME_FALLBACK_EAB_HMAC_KEY: 'c2Vjb25k' }
  const other = { ACME_FALLBACK_DIRECTORY_URL: 'https://other.test/dir', ACME_FALLBACK_PROFILE: 'classic' }
  const { orderLimit: _, ...fields } = { ...authority, directoryUrl: 'https://other.test/dir', profile: 'classic' }
  const fallback = { ...fields, externalAccount: { kid: 'kid-2', hmacKey: 'c2Vjb25k' } }
  const { domains } = loadConfig({ ...neededEnv, ...account, ...other })
  t.strictSame(domains?.engine.authorities, [authority, fallback])
  const at = (ACME_FALLBACK_DIRECTORY_URL: string) => ({ ACME_FALLBACK_DIRECTORY_URL })
  const half = { ...account, ...at('https://ca.test'), ACME_FALLBACK_EAB_HMAC_KEY: '' }
  const url = 'ACME_FALLBACK_DIRECTORY_URL'
  for (const [env, message] of [
    [{ ACME_FALLBACK_PROFILE: 'classic' }, missing],
    [account, missing],
    [at(authority.directoryUrl), `${url} must name another authority than ACME_DIRECTORY_URL`],
    [at('http://ca.test'), `${url} must be an https address, not "http://ca.test"`],
    [half, 'ACME_FALLBACK_EAB_HMAC_KEY is missing: an external account has both'],
  ] as const)
    t.equal(await messageOf(() => loadConfig({ ...neededEnv, ...env })), message)
})

t.test('with encryption keys, custom domains are in the database', async (t) => {
  const keys = { DOMAINS_ENCRYPTION_KEYS: `${'a'.repeat(64)},${'0B'.repeat(32)}` }
  const env = { ...neededEnv, DATABASE_URL: 'postgres://shop@localhost/shop', ...keys }
  t.strictSame(loadConfig(env).domains?.encryptionKeys, [Buffer.alloc(32, 0xaa), Buffer.alloc(32, 0x0b)])
  const message =
    'DOMAINS_ENCRYPTION_KEYS is for domains in PostgreSQL: set DATABASE_URL\n' +
    'DOMAINS_FILE must be empty where DOMAINS_ENCRYPTION_KEYS is set'
  t.equal(await messageOf(() => loadConfig({ ...neededEnv, ...keys, DOMAINS_FILE: 'domains.json' })), message)
})

t.test('custom domains need three variables, and have defaults for the others', async (t) => {
  t.strictSame(loadConfig(neededEnv), { ...defaults, domains: domainsDefaults })
  const missing = Object.keys(neededEnv) as (keyof typeof neededEnv)[]
  for (const wanted of [{ DOMAINS_FILE: 'domains.json' }, { DASHBOARD_KEYS: `operator:${longKey}` }]) {
    const lines = missing.map((name) => `${name} must .+: custom domains need it`)
    t.match(await messageOf(() => loadConfig(wanted)), new RegExp(`^${lines.join('\n')}$`))
  }
  for (const name of missing) {
    const line = new RegExp(`^${name} must .+: custom domains need it$`)
    t.match(await messageOf(() => loadConfig({ ...neededEnv, [name]: '' })), line)
  }
})

t.test('optional variables do not enable custom domains', async (t) => {
  const how = { PLAN: 'free', ACME_DIRECTORY_URL: 'no!', HTTP_PORT: 'no!', DATA_DIR: 'data', DNS_SERVERS: 'no!' }
  t.strictSame(loadConfig(how), defaults)
})

t.test('an agent needs an API key, and has a default address of the API', async (t) => {
  t.strictSame(loadApiAccess({ STORE_ORDERS_KEY: 'a' }), { baseUrl: 'http://127.0.0.1:3000/v1', apiKey: 'a' })
  const { baseUrl } = loadApiAccess({ STORE_ORDERS_URL: 'https://api.example/v1/', STORE_ORDERS_KEY: 'a' })
  t.equal(baseUrl, 'https://api.example/v1')
  const wrong = /^STORE_ORDERS_URL must .*\nSTORE_ORDERS_KEY must be a key of the API$/
  t.match(await messageOf(() => loadApiAccess({ STORE_ORDERS_URL: 'x' })), wrong)
})

t.test('a command connects to the address of the server with the first dashboard key', async (t) => {
  t.strictSame(loadConnection({}), { host: '127.0.0.1', port: 3000 })
  const env = { HOST: '::1', PORT: '8080', DASHBOARD_KEYS: `operator:${longKey},other:${longKey}2`, PLAN: 'no!' }
  t.strictSame(loadConnection(env), { host: '::1', port: 8080, key: longKey })
  const lines = String(await messageOf(() => loadConnection({ PORT: 'x', DASHBOARD_KEYS: 'abc' }))).split('\n')
  t.match(lines, [rejectionOf('DASHBOARD_KEYS', ''), rejectionOf('PORT', 'x')])
})

t.test('commands need the key file', async (t) => {
  t.equal(loadKeyFile({ API_KEYS_FILE: 'keys' }), 'keys')
  t.equal(await messageOf(() => loadKeyFile({})), 'API_KEYS_FILE must name the file of the API keys')
})

t.test('proxies are those of the environment, if there are outgoing requests', async (t) => {
  const env = { HTTPS_PROXY: 'http://proxy.test:3128', ALL_PROXY: 'socks5://proxy.test' }
  t.strictSame(loadConfig(env).warnings, [])
  for (const used of [neededEnv, { OTEL_TRACES_EXPORTER: 'otlp' }]) {
    const { warnings, domains, tracing } = loadConfig({ ...env, ...used })
    t.strictSame(warnings, proxyWarnings(env))
    t.strictSame((domains?.engine ?? tracing)?.proxyEnv, proxyEnvOf(env))
  }
})

t.test('passwords in URLs are not repeated', async (t) => {
  for (const value of ['https://u:secret@x/v1', 'https://me:secret@example.com/v1', 'u:secret@x/v1'])
    t.match(await messageOf(() => loadConfig({ BASE_URL: value })), /^BASE_URL must ((?!secret).)+$/)
})

t.test('short keys and misspelled variables cause warnings', async (t) => {
  const env = { API_KEYS: 'a:short,b:0123456789abcdef', API_KEY: 'a:b', RATELIMIT: 'x', log_level: 'x', PATH: '/bin' }
  const { warnings, misspelled } = loadConfig(env)
  t.strictSame(misspelled, [
    'API_KEY has no effect; did you mean API_KEYS?',
    'RATELIMIT has no effect; did you mean RATE_LIMIT?',
    'log_level has no effect; did you mean LOG_LEVEL?',
  ])
  t.strictSame(warnings, ['API_KEYS: the key a has fewer than 16 characters, so it is easy to guess'])
})

t.test('all invalid values are reported at once, one per line', async (t) => {
  const names = Object.keys(allRules)
  const env = Object.fromEntries(names.map((name) => [name, 'no!']))
  const lines = String(await messageOf(() => loadConfig(env))).split('\n')
  t.equal(lines.length, names.length)
  for (const [at, name] of names.toSorted().entries()) t.match(lines.toSorted()[at], rejectionOf(name, 'no!'))
})
