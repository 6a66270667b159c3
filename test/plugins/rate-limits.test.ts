import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { capturedLog } from 'test-kit/captured-log'
import { digestOf } from '../../config/keys/key.ts'
import { keySet, mergeKeys } from '../../config/keys/key-set.ts'
import { failureLimit, requestLimit } from '../../plugins/rate-limits.ts'
import { authorization, build, readOnlyAuthorization } from '../fixtures/app.ts'

const url = '/v1/store/orders'
const wrong = { authorization: 'Bearer wrong' }
const hour = (max: number) => ({ max, seconds: 3600 })

function send(app: FastifyInstance, headers: Record<string, string> = { authorization }, options = {}) {
  return app.inject({ url, headers, ...options })
}

t.test('the keys of a name share a quota, which 403 responses also use', async (t) => {
  const text = `a sha256:${digestOf('a')}\na sha256:${digestOf('old')} grace=2999-01-01\nb sha256:${digestOf('b')} read-only`
  const keys = keySet(mergeKeys({ values: [], variable: '' }, text))
  const { lines, logger } = capturedLog()
  const app = await build(t, { keys, logger, rateLimits: { requests: hour(2) } })
  const status = async (key: string, options = {}) =>
    (await send(app, { authorization: `Bearer ${key}` }, options)).statusCode
  t.strictSame([await status('a'), await status('old'), await status('a'), await status('old')], [200, 200, 429, 429])
  const cancel = { method: 'DELETE', url: `${url}/1007` }
  t.strictSame([await status('b', cancel), await status('b'), await status('b', cancel)], [403, 200, 429])
  const warned = lines.flatMap(({ key, msg }) => (String(msg).startsWith('a key exceeds') ? key : []))
  t.strictSame(warned, ['a', 'b'], 'one warning for each')
})

t.test('a key is warned of once a day, an address once in the time of its limit', async (t) => {
  let minute = 0
  t.intercept(performance, 'now', { value: () => 60_000 * minute })
  const warned: Record<string, number[]> = { key: [], ip: [] }
  const log = { warn: (fields: object) => Object.keys(fields).map((name) => warned[name]?.push(minute)) }
  const [limitKey, limitAddress] = [requestLimit(hour(1)) as (...given: unknown[]) => void, failureLimit(hour(1))]
  for (; minute <= 1450; minute += 10) {
    limitKey({ apiKey: { name: 'a' }, log }, { header() {} }, () => {})
    limitAddress({ ip: '192.0.2.1', log } as never)
  }
  t.strictSame(warned.key, [10, 1450])
  t.strictSame(warned.ip?.slice(0, 2), [10, 70])
})

t.test('requests without a valid key and other paths have no quota', async (t) => {
  const app = await build(t, { rateLimits: { requests: hour(1) } })
  for (const response of [
    await send(app, wrong),
    await send(app, { authorization }, { url: '/openapi.json' }),
    await send(app, { authorization }, { url: '/livez' }),
    await send(app, { authorization }, { method: 'PUT' }),
  ])
    t.notMatch(Object.keys(response.headers).join(), 'ratelimit')
  t.equal((await send(app)).statusCode, 200)
})

t.test('an address with too many invalid keys gets 429 for further ones; valid keys still work', async (t) => {
  const { lines, logger } = capturedLog()
  const app = await build(t, { logger, rateLimits: { failedAuthentications: hour(3) } })
  for (let times = 0; times < 5; times++) t.equal((await send(app, {})).statusCode, 401, 'a missing key does not count')
  for (const status of [401, 401, 401, 429]) t.equal((await send(app, wrong)).statusCode, status)
  const { statusCode, headers, body } = await send(app, wrong)
  const message = 'Too many requests with an invalid API key. Try again later.'
  t.strictSame([statusCode, body], [429, JSON.stringify({ code: 'rate_limited', message, status: 429 })])
  t.match(headers['retry-after'], /^1[12]\d\d$/)
  t.equal(headers['www-authenticate'], undefined)
  t.equal((await send(app, { authorization: readOnlyAuthorization })).statusCode, 200, 'a key that was not seen before')
  t.equal((await send(app, {})).statusCode, 401)

  const warnings = lines.filter(({ msg }) => String(msg).startsWith('too many'))
  t.match(warnings, [{ ip: '127.0.0.1', msg: /^too many failed authentications/ }])
  t.equal(warnings.length, 1)
})

t.test('after a change of keys, an address that sends invalid ones can still use valid ones', async (t) => {
  const keys = keySet(mergeKeys({ values: [{ name: 'shop', key: 'a' }], variable: '' }))
  const app = await build(t, { keys, rateLimits: { failedAuthentications: hour(1) } })
  const status = async (key: string) => (await send(app, { authorization: `Bearer ${key}` })).statusCode
  t.strictSame([await status('a'), await status('x'), await status('y')], [200, 401, 429])
  keys.replace(mergeKeys({ values: ['a', 'b'].map((key) => ({ name: key, key })), variable: '' }))
  t.strictSame([await status('a'), await status('b'), await status('y')], [200, 200, 429])
})

t.test('behind a trusted proxy, the address is that of its client', async (t) => {
  const app = await build(t, { trustProxy: ['127.0.0.1'], rateLimits: { failedAuthentications: hour(1) } })
  const status = async (client: string) => (await send(app, { ...wrong, 'x-forwarded-for': client })).statusCode
  t.strictSame([await status('192.0.2.1'), await status('192.0.2.1'), await status('192.0.2.2')], [401, 429, 401])
  t.strictSame([await status('2001:db8:0:1::1'), await status('2001:db8:0:1:ffff::2')], [401, 429], 'IPv6 by network')
  t.strictSame([await status('x'.repeat(5000)), await status(`${'x'.repeat(5000)}y`)], [401, 429])

  const direct = await build(t, { rateLimits: { failedAuthentications: hour(1) } })
  await send(direct, { ...wrong, 'x-forwarded-for': '192.0.2.1' })
  const other = await send(direct, { ...wrong, 'x-forwarded-for': '192.0.2.2' })
  t.equal(other.statusCode, 429, 'without one, the header is ignored')
})
