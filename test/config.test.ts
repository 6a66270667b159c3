import process from 'node:process'
import t from 'tap'
import { loadConfig } from '../config.ts'
import { messageOf } from './fixtures/message.ts'

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
}

const messages = {
  PORT: 'PORT must be a port from 0 to 65535',
  API_KEYS:
    'API_KEYS must be name:key pairs with commas between them, a name of letters, digits, ".", "_" and "-", ' +
    'and a key of letters, digits and "-._~+/"',
  BASE_URL: 'BASE_URL must be an http or https address ending in /v1',
  STAGING_BASE_URL: 'STAGING_BASE_URL must be an http or https address ending in /v1',
  CORS_ORIGINS: 'CORS_ORIGINS must be origins like https://docs.example.com, with commas between them',
  TRUST_PROXY: 'TRUST_PROXY must be addresses or networks like 10.0.0.0/8, with commas between them',
  LOG_LEVEL: 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
}

t.test('without variables the defaults hold', async (t) => {
  t.strictSame(loadConfig({}), defaults)
})

t.test('an empty variable counts as unset', async (t) => {
  const names = ['HOST', 'API_KEYS_FILE', 'ORDERS_FILE', 'NODE_ENV', ...Object.keys(messages)]
  t.strictSame(loadConfig(Object.fromEntries(names.map((name) => [name, '']))), defaults)
})

t.test('without an argument the environment of the process is read', async (t) => {
  t.intercept(process, 'env', { value: { PORT: '8080' } })
  t.equal(loadConfig().port, 8080)
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
  })
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
    LOG_LEVEL: ['verbose', 'INFO', '30', ' info'],
  }
  for (const [name, values] of Object.entries(invalid)) {
    for (const value of values) {
      const message = await messageOf(() => loadConfig({ [name]: value }))
      t.equal(message, `${messages[name as keyof typeof messages]}, not "${value}"`)
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
  }
})

t.test('all wrong values are reported at once, a line each', async (t) => {
  const env = Object.fromEntries(Object.keys(messages).map((name) => [name, 'no!']))
  const lines = Object.entries(messages).map(([name, text]) => (name === 'API_KEYS' ? text : `${text}, not "no!"`))
  t.equal(await messageOf(() => loadConfig(env)), lines.join('\n'))
})
