import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { capturedLog } from 'test-kit/captured-log'
import { ask, dial } from 'test-kit/raw'
import { digestOf } from '../../config/keys/key.ts'
import { keySet, keysOf } from '../../config/keys/key-set.ts'
import { authorization, build, errorOf, key } from '../fixtures/app.ts'

const url = '/v1/store/orders'
const lasting = { name: 'shop', isReadOnly: false, endsAt: Infinity }
const setOf = (...texts: string[]) => keySet(keysOf(texts.map((text, index) => ({ name: `key-${index}`, key: text }))))

t.test('without a valid key, a request gets 401 and a challenge, whose error is for an invalid one', async (t) => {
  const app = await build(t)
  const missing = errorOf('unauthorized', 'Send an API key: Authorization: Bearer <API_KEY>.')
  const invalid = errorOf('unauthorized', 'The API key is not valid.')
  for (const [value, error] of [
    ...[undefined, '', 'Bearer', 'Basic dGVzdDprZXk=', key].map((value) => [value, missing] as const),
    ...['wrong', `${key}x`, key.slice(1), digestOf(key)].map((wrong) => [`Bearer ${wrong}`, invalid] as const),
  ]) {
    const response = await app.inject({ url, headers: value === undefined ? {} : { authorization: value } })
    t.equal(response.statusCode, 401, String(value))
    const challenge = `Bearer realm="store-orders"${error === invalid ? ', error="invalid_token"' : ''}`
    t.equal(response.headers['www-authenticate'], challenge)
    t.strictSame(response.json(), error)
  }
})

t.test('keys of any length are valid, and the scheme in any case', async (t) => {
  const long = 'k'.repeat(4000)
  const app = await build(t, { keys: setOf(key, 'x', long) })
  for (const value of [authorization, 'Bearer x', `Bearer ${long}`, `bearer ${key}`, `BEARER  ${key}`]) {
    const response = await app.inject({ url, headers: { authorization: value } })
    t.equal(response.statusCode, 200, value.slice(0, 20))
  }
})

/** The status of a request with each key, on one connection. */
async function keptAlive(t: Test, app: FastifyInstance) {
  const { socket } = await dial(t, app)
  return async (key: string) =>
    (await ask(socket, `GET ${url} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`)).status
}

t.test('a revoked or replaced key is rejected on open connections too', async (t) => {
  const keys = setOf(key, 'other')
  const status = await keptAlive(t, await build(t, { keys }))
  t.strictSame([await status(key), await status(key)], [200, 200])
  keys.replace(setOf('other').current)
  t.strictSame([await status(key), await status('other')], [401, 200])
  keys.replace(setOf(key).current)
  t.strictSame([await status('other'), await status(key)], [401, 200])
})

t.test('an expired key is rejected on open connections too', async (t) => {
  const shop = { ...lasting, endsAt: Date.now() + 3_600_000 }
  const status = await keptAlive(t, await build(t, { keys: keySet(new Map([[digestOf(key), shop]])) }))
  t.strictSame([await status(key), await status(key)], [200, 200])
  t.intercept(Date, 'now', { value: () => shop.endsAt })
  t.strictSame([await status(key), await status(key)], [401, 401])
})

t.test('the line of a 401 or 429 names a key that has expired or was revoked, the response does not', async (t) => {
  const { lines, logger } = capturedLog()
  const named = (name: string, endsAt: number) => [digestOf(name), { ...lasting, name, endsAt }] as const
  const keys = keySet(new Map([named('old', 0), named('gone', Infinity), named('kept', Infinity)]))
  keys.replace(new Map([named('old', 0), named('kept', Infinity)]))
  const app = await build(t, { keys, logger, rateLimits: { failedAuthentications: { max: 4, seconds: 3_600 } } })
  for (const [key, status, reason] of [
    ['old', 401, 'The API key old has expired.'],
    ['gone', 401, 'The API key gone is revoked.'],
    ['other', 401, 'The API key is not valid.'],
    ['kept', 200, undefined],
    ['old', 401, 'The API key old has expired.'],
    ['gone', 429, 'The API key gone is revoked.'],
    ['other', 429, 'Too many requests with an invalid API key. Try again later.'],
  ] as const) {
    const response = await app.inject({ url, headers: { authorization: `Bearer ${key}` } })
    t.strictSame([response.statusCode, lines.at(-1)?.reason], [status, reason])
    t.notMatch(response.body, /expired|revoked/)
  }
})
