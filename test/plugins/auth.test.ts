import { once } from 'node:events'
import { Agent, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { capturedLog } from 'test-kit/captured-log'
import { exchange } from 'test-kit/raw'
import { digestOf } from '../../config/keys/key.ts'
import { keySet, keysOf } from '../../config/keys/key-set.ts'
import { authorization, build, errorOf, key } from '../fixtures/app.ts'

const url = '/v1/store/orders'
const challenge = 'Bearer realm="store-orders"'
const lasting = { name: 'shop', isReadOnly: false, endsAt: Infinity }
const setOf = (...texts: string[]) => keySet(keysOf(texts.map((text, index) => ({ name: `key-${index}`, key: text }))))

t.test('without credentials of the scheme, the challenge of the 401 has no error', async (t) => {
  const app = await build(t)
  for (const value of [undefined, '', 'Bearer', 'Basic dGVzdDprZXk=', key]) {
    const response = await app.inject({ url, headers: value === undefined ? {} : { authorization: value } })
    t.equal(response.statusCode, 401, String(value))
    t.equal(response.headers['www-authenticate'], challenge)
    t.strictSame(response.json(), errorOf('unauthorized', 'Send an API key: Authorization: Bearer <API_KEY>.'))
  }
})

t.test('an invalid key is rejected with 401 and the error invalid_token', async (t) => {
  const app = await build(t)
  for (const wrong of ['wrong', `${key}x`, key.slice(1), digestOf(key)]) {
    const response = await app.inject({ url, headers: { authorization: `Bearer ${wrong}` } })
    t.equal(response.statusCode, 401, wrong)
    t.equal(response.headers['www-authenticate'], `${challenge}, error="invalid_token"`)
    t.strictSame(response.json(), errorOf('unauthorized', 'The API key is not valid.'))
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

t.test('a valid key on a connection does not authorize another one', async (t) => {
  const app = await build(t, { keys: setOf(key, 'other') })
  const requests = [key, key, 'wrong', `${key.slice(0, -1)}x`, 'other', key].map((each) => {
    return `GET ${url} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${each}\r\n`
  })
  const text = await exchange(app, `${requests.join('\r\n')}Connection: close\r\n\r\n`)
  t.strictSame(text.match(/(?<=HTTP\/1.1 )\d+/g), ['200', '200', '401', '401', '200', '200'])
})

/** A connection that is kept open: each call sends a request and resolves with the status. */
async function keptAlive(t: Test, app: FastifyInstance) {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  const { port } = app.server.address() as AddressInfo
  let connections = 0
  app.server.on('connection', () => connections++)
  async function send(headers: Record<string, string>) {
    const [response] = await once(get({ port, path: url, agent, headers }), 'response')
    await once(response.resume(), 'end')
    return response.statusCode
  }
  return { send, connections: () => connections }
}

t.test('a revoked or replaced key is rejected on open connections too', async (t) => {
  const keys = setOf(key, 'other')
  const { send, connections } = await keptAlive(t, await build(t, { keys }))
  t.equal(await send({ authorization }), 200)
  t.equal(await send({ authorization }), 200)
  keys.replace(setOf('other').current)
  t.equal(await send({ authorization }), 401)
  t.equal(await send({ authorization: 'Bearer other' }), 200)
  keys.replace(setOf(key).current)
  t.equal(await send({ authorization: 'Bearer other' }), 401)
  t.equal(await send({ authorization }), 200)
  t.equal(connections(), 1)
})

t.test('an expired key is rejected on open connections too', async (t) => {
  const shop = { ...lasting, endsAt: Date.now() + 3_600_000 }
  const { send } = await keptAlive(t, await build(t, { keys: keySet(new Map([[digestOf(key), shop]])) }))
  t.equal(await send({ authorization }), 200)
  t.equal(await send({ authorization }), 200)
  shop.endsAt = Date.now()
  t.equal(await send({ authorization }), 401)
  t.equal(await send({ authorization }), 401)
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
