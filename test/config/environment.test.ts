import process from 'node:process'
import t from 'tap'
import { loadConfig, loadConnection, loadDatabase } from '../../config/environment.ts'
import { messageOf } from '../fixtures/message.ts'

const defaults = {
  host: '127.0.0.1',
  port: 3000,
  apiKeys: [],
  apiKeysFile: undefined,
  ordersFile: undefined,
  servers: { production: undefined, staging: undefined },
  corsOrigins: [],
  trustProxy: [],
  logLevel: 'info',
  isProduction: false,
  database: undefined,
  domains: undefined,
}

/** What custom domains cannot do without. */
const neededEnv = {
  PLATFORM_DOMAIN: 'orders.platform.test',
  PLATFORM_CNAME_TARGET: 'sites.platform.test',
  ACME_EMAIL: 'operator@platform.test',
}

const domainsDefaults = {
  platform: { domain: 'orders.platform.test', cnameTarget: 'sites.platform.test' },
  plan: 'pro',
  acme: { directoryUrl: 'https://acme-v02.api.letsencrypt.org/directory', email: 'operator@platform.test' },
  ports: { http: 80, https: 443 },
  dataDir: 'data',
  configurationFile: undefined,
  dnsServers: [],
  keys: [],
}

const keyForm =
  'must be name:key pairs with commas between them, a name of letters, digits, ".", "_" and "-", ' +
  'and a key of letters, digits and "-._~+/"'

const messages = {
  PORT: 'PORT must be a port from 0 to 65535',
  API_KEYS: `API_KEYS ${keyForm}`,
  DATABASE_POOL_SIZE: 'DATABASE_POOL_SIZE must be a whole number from 1 to 1000',
  DATABASE_TIMEOUT: 'DATABASE_TIMEOUT must be a whole number from 1 to 300',
  BASE_URL: 'BASE_URL must be an http or https address ending in /v1',
  STAGING_BASE_URL: 'STAGING_BASE_URL must be an http or https address ending in /v1',
  CORS_ORIGINS: 'CORS_ORIGINS must be origins like https://docs.example.com, with commas between them',
  TRUST_PROXY: 'TRUST_PROXY must be addresses or networks like 10.0.0.0/8, with commas between them',
  LOG_LEVEL: 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
}

const domainsMessages = {
  PLATFORM_DOMAIN: 'PLATFORM_DOMAIN must be a domain like docs.example.com',
  PLATFORM_CNAME_TARGET: 'PLATFORM_CNAME_TARGET must be a domain like docs.example.com',
  PLAN: 'PLAN must be one of free, pro, enterprise',
  ACME_DIRECTORY_URL: 'ACME_DIRECTORY_URL must be an https address',
  ACME_EMAIL: 'ACME_EMAIL must be an email address',
  HTTP_PORT: 'HTTP_PORT must be a port from 0 to 65535',
  HTTPS_PORT: 'HTTPS_PORT must be a port from 0 to 65535',
  DNS_SERVERS: 'DNS_SERVERS must be addresses like 9.9.9.9, 127.0.0.1:5353 or [::1]:5353, with commas between them',
  DASHBOARD_KEYS: `DASHBOARD_KEYS ${keyForm}`,
}

t.test('without variables the defaults hold', async (t) => {
  t.strictSame(loadConfig({}), defaults)
})

t.test('an empty variable counts as unset', async (t) => {
  const files = ['API_KEYS_FILE', 'DATABASE_URL', 'ORDERS_FILE', 'DATA_DIR', 'DOMAINS_FILE']
  const names = ['HOST', 'NODE_ENV', ...files, ...Object.keys({ ...messages, ...domainsMessages })]
  t.strictSame(loadConfig(Object.fromEntries(names.map((name) => [name, '']))), defaults)
})

t.test('without an argument the environment of the process is read', async (t) => {
  t.intercept(process, 'env', { value: { PORT: '8080' } })
  t.equal(loadConfig().port, 8080)
  t.equal(loadConnection().port, 8080)
})

t.test('every variable is read', async (t) => {
  const config = loadConfig({
    HOST: '::',
    PORT: '0',
    API_KEYS: 'shop:abc-._~+/==, night.run_2-b:x',
    API_KEYS_FILE: 'keys.txt',
    ORDERS_FILE: 'orders.ndjson.gz',
    BASE_URL: 'https://api.example.com/v1',
    STAGING_BASE_URL: 'http://localhost:8080/store/v1',
    CORS_ORIGINS: 'https://docs.example.com, http://[::1]:8080',
    TRUST_PROXY: '10.0.0.0/8, 192.168.1.1,fd00::/128,::1',
    LOG_LEVEL: 'debug',
    NODE_ENV: 'production',
  })
  t.strictSame(config, {
    host: '::',
    port: 0,
    apiKeys: [
      { name: 'shop', key: 'abc-._~+/==' },
      { name: 'night.run_2-b', key: 'x' },
    ],
    apiKeysFile: 'keys.txt',
    ordersFile: 'orders.ndjson.gz',
    servers: { production: 'https://api.example.com/v1', staging: 'http://localhost:8080/store/v1' },
    corsOrigins: ['https://docs.example.com', 'http://[::1]:8080'],
    trustProxy: ['10.0.0.0/8', '192.168.1.1', 'fd00::/128', '::1'],
    logLevel: 'debug',
    isProduction: true,
    database: undefined,
    domains: undefined,
  })
})

t.test('the database comes from a connection string, and the rest from the variables of psql', async (t) => {
  const env = {
    DATABASE_URL: 'postgres://db-1,db-2/orders',
    PGUSER: 'shop',
    PGSSLMODE: 'disable',
    HOME: '/nonexistent',
  }
  const connection = {
    hosts: [
      { host: 'db-1', port: 5432 },
      { host: 'db-2', port: 5432 },
    ],
    user: 'shop',
    database: 'orders',
    password: undefined,
    tls: false,
    applicationName: 'store-orders',
  }
  t.strictSame(loadConfig(env).database, { connection, poolSize: 10, timeout: 5000 })
  t.strictSame(loadConfig({ ...env, DATABASE_POOL_SIZE: '1000', DATABASE_TIMEOUT: '300' }).database, {
    connection,
    poolSize: 1000,
    timeout: 300_000,
  })
  t.strictSame(loadDatabase(env), connection)
})

t.test('a wrong database is refused', async (t) => {
  t.equal(
    await messageOf(() => loadConfig({ DATABASE_URL: 'orders' })),
    'DATABASE_URL must be like postgres://user@host:5432/database',
  )
  t.equal(
    await messageOf(() => loadConfig({ DATABASE_URL: 'postgres://', ORDERS_FILE: 'orders.ndjson' })),
    'ORDERS_FILE must be empty where DATABASE_URL is set: run store-orders import FILE instead',
  )
  t.equal(
    await messageOf(() => loadDatabase({})),
    'DATABASE_URL must name the database, like postgres://user@host:5432/database',
  )
  t.intercept(process, 'env', { value: { DATABASE_URL: 'postgres://?port=x' } })
  t.equal(await messageOf(() => loadDatabase()), 'DATABASE_URL has a port that is none')
})

t.test('every variable of custom domains is read', async (t) => {
  const { domains } = loadConfig({
    PLATFORM_DOMAIN: 'Orders.Platform.test',
    PLATFORM_CNAME_TARGET: 'xn--sites-9ua.platform.test',
    PLAN: 'enterprise',
    ACME_DIRECTORY_URL: 'https://ca.example.com:14000/dir',
    ACME_EMAIL: 'operator@platform.test',
    HTTP_PORT: '0',
    HTTPS_PORT: '8443',
    DATA_DIR: '/var/lib/store-orders',
    DOMAINS_FILE: 'domains.json',
    DNS_SERVERS: '9.9.9.9, 127.0.0.1:5353,[::1]:65535,::1, [fe80::1]',
    DASHBOARD_KEYS: 'operator:abc',
  })
  t.strictSame(domains, {
    platform: { domain: 'orders.platform.test', cnameTarget: 'xn--sites-9ua.platform.test' },
    plan: 'enterprise',
    acme: { directoryUrl: 'https://ca.example.com:14000/dir', email: 'operator@platform.test' },
    ports: { http: 0, https: 8443 },
    dataDir: '/var/lib/store-orders',
    configurationFile: 'domains.json',
    dnsServers: ['9.9.9.9', '127.0.0.1:5353', '[::1]:65535', '::1', '[fe80::1]'],
    keys: [{ name: 'operator', key: 'abc' }],
  })
})

t.test('custom domains need three variables, and have defaults for the others', async (t) => {
  t.strictSame(loadConfig(neededEnv), { ...defaults, domains: domainsDefaults })
  const missing = Object.keys(neededEnv) as (keyof typeof neededEnv)[]
  for (const wanted of [{ DOMAINS_FILE: 'domains.json' }, { DASHBOARD_KEYS: 'operator:abc' }]) {
    t.equal(
      await messageOf(() => loadConfig(wanted)),
      missing.map((name) => `${domainsMessages[name]}: custom domains need it`).join('\n'),
    )
  }
  for (const name of missing) {
    t.equal(
      await messageOf(() => loadConfig({ ...neededEnv, [name]: '' })),
      `${domainsMessages[name]}: custom domains need it`,
    )
  }
})

t.test('variables that only say how do not ask for custom domains', async (t) => {
  const how = { PLAN: 'free', ACME_DIRECTORY_URL: 'no!', HTTP_PORT: 'no!', DATA_DIR: 'data', DNS_SERVERS: 'no!' }
  t.strictSame(loadConfig(how), defaults)
})

t.test('a connection is where the server listens, with the first key of the dashboard', async (t) => {
  t.strictSame(loadConnection({}), { host: '127.0.0.1', port: 3000 })
  const env = { HOST: '::1', PORT: '8080', DASHBOARD_KEYS: 'operator:abc,other:def', PLAN: 'no!' }
  t.strictSame(loadConnection(env), { host: '::1', port: 8080, key: 'abc' })
  t.equal(
    await messageOf(() => loadConnection({ PORT: 'x', DASHBOARD_KEYS: 'abc' })),
    `${domainsMessages.DASHBOARD_KEYS}\n${messages.PORT}, not "x"`,
  )
})

t.test('the bounds of a value are valid', async (t) => {
  t.equal(loadConfig({ PORT: '65535' }).port, 65535)
  t.strictSame(loadConfig({ TRUST_PROXY: '10.0.0.1/32,0.0.0.0/1' }).trustProxy, ['10.0.0.1/32', '0.0.0.0/1'])
})

t.test('an invalid value is refused by the name of its variable', async (t) => {
  const invalid = {
    PORT: ['abc', '-1', '65536', '100000', '1e3', '0x50', '80.0', ' 80', '80 '],
    BASE_URL: [
      'api.example.com/v1',
      'ftp://example.com/v1',
      'https://example.com',
      'https://example.com/v1/',
      'https://example.com/xv1',
      'https://example.com/v1?a=1',
      'https://example.com/v1?',
      'https://example.com/v1#a',
      'https://me:secret@example.com/v1',
    ],
    STAGING_BASE_URL: ['/v1'],
    CORS_ORIGINS: [
      '*',
      'null',
      'docs.example.com',
      'ftp://example.com',
      'https://example.com/',
      'https://Example.com',
      'https://example.com:443',
      'https://a.example,',
      'https://a.example https://b.example',
    ],
    TRUST_PROXY: [
      'true',
      'localhost',
      '10.0.0',
      '10.0.0.0/33',
      '10.0.0.0/0',
      '::/129',
      '10.0.0.0/8/8',
      '::1,',
      '1.1.1.1/a',
    ],
    DATABASE_POOL_SIZE: ['0', '1001', '-1', '1.5', '1e2', 'ten'],
    DATABASE_TIMEOUT: ['0', '301', '5s'],
    LOG_LEVEL: ['verbose', 'INFO', '30', ' info'],
  }
  for (const [name, values] of Object.entries(invalid)) {
    for (const value of values) {
      const message = await messageOf(() => loadConfig({ [name]: value }))
      t.equal(message, `${messages[name as keyof typeof messages]}, not "${value}"`)
    }
  }
})

t.test('an invalid value of custom domains is refused by the name of its variable', async (t) => {
  const domains = [
    'localhost',
    'a.b/',
    'https://a.b',
    'a..b',
    '.a.b',
    'a.b.',
    '-a.b',
    'a-.b',
    'a.b-',
    'a b.c',
    'ä.b',
    '*.a.b',
  ]
  const invalid = {
    PLATFORM_DOMAIN: domains,
    PLATFORM_CNAME_TARGET: domains,
    PLAN: ['none', 'Pro'],
    ACME_DIRECTORY_URL: ['http://ca.example.com/dir', 'ca.example.com', 'https://'],
    ACME_EMAIL: ['operator', '@a.b', 'a@', 'a@b@c', 'a @b.c'],
    HTTP_PORT: ['65536', 'http'],
    HTTPS_PORT: ['-1'],
    DNS_SERVERS: [
      ...['localhost', '9.9.9', '9.9.9.9:', '9.9.9.9:dns', '9.9.9.9:0', '9.9.9.9:65536', '9.9.9.9:100000'],
      ...['[::1', '[::1]:', '[::1]:0', '[]', '9.9.9.9,', '9.9.9.9 8.8.8.8'],
    ],
  }
  for (const [name, values] of Object.entries(invalid)) {
    for (const value of values) {
      const message = await messageOf(() => loadConfig({ ...neededEnv, [name]: value }))
      t.equal(message, `${domainsMessages[name as keyof typeof domainsMessages]}, not "${value}"`)
    }
  }
})

t.test('a wrong value of a secret is not repeated', async (t) => {
  for (const value of [
    'hunter2',
    'shop:',
    ':hunter2',
    'shop:hunter 2',
    'shop:hun=ter',
    'a:b,',
    'sh op:hunter2',
    'a:b;c:d',
  ]) {
    t.equal(await messageOf(() => loadConfig({ API_KEYS: value })), messages.API_KEYS, value)
    const env = { ...neededEnv, DASHBOARD_KEYS: value }
    t.equal(await messageOf(() => loadConfig(env)), domainsMessages.DASHBOARD_KEYS, value)
  }
})

t.test('all wrong values are reported at once, a line each', async (t) => {
  const all = { ...messages, ...domainsMessages }
  const env = Object.fromEntries(Object.keys(all).map((name) => [name, 'no!']))
  const lines = Object.entries(all).map(([name, text]) => (name.endsWith('_KEYS') ? text : `${text}, not "no!"`))
  t.equal(await messageOf(() => loadConfig(env)), lines.join('\n'))
})
