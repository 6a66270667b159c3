import t from 'tap'
import { digestOf } from '../../config/keys.ts'
import { authorization, build, key } from '../fixtures/app.ts'
import { capturedLog } from '../fixtures/log.ts'
import { exchange } from '../fixtures/raw.ts'

const url = '/v1/store/orders'
const challenge = 'Bearer realm="store-orders"'

t.test('a request without credentials of the scheme is 401, and the challenge has no error', async (t) => {
  const app = await build(t)
  for (const value of [undefined, '', 'Bearer', 'Basic dGVzdDprZXk=', key]) {
    const response = await app.inject({ url, headers: value === undefined ? {} : { authorization: value } })
    t.equal(response.statusCode, 401, String(value))
    t.equal(response.headers['www-authenticate'], challenge)
    t.strictSame(response.json(), {
      code: 'unauthorized',
      message: 'Send an API key: Authorization: Bearer <API_KEY>.',
      status: 401,
    })
  }
})

t.test('a wrong key is 401 with the error invalid_token', async (t) => {
  const app = await build(t)
  for (const wrong of ['wrong', `${key}x`, key.slice(1), digestOf(key)]) {
    const response = await app.inject({ url, headers: { authorization: `Bearer ${wrong}` } })
    t.equal(response.statusCode, 401, wrong)
    t.equal(response.headers['www-authenticate'], `${challenge}, error="invalid_token"`)
    t.strictSame(response.json(), { code: 'unauthorized', message: 'The API key is not valid.', status: 401 })
  }
})

t.test('every key is valid, of any length, and the scheme in any case', async (t) => {
  const long = 'k'.repeat(4000)
  const app = await build(t, { keys: new Map([key, 'x', long].map((each) => [digestOf(each), each])) })
  for (const value of [authorization, 'Bearer x', `Bearer ${long}`, `bearer ${key}`, `BEARER  ${key}`]) {
    const response = await app.inject({ url, headers: { authorization: value } })
    t.equal(response.statusCode, 200, value.slice(0, 20))
  }
})

t.test('a connection that sent a valid key is not trusted with another one', async (t) => {
  const app = await build(t, { keys: new Map([key, 'other'].map((each) => [digestOf(each), each])) })
  const requests = [key, key, 'wrong', `${key.slice(0, -1)}x`, 'other', key].map((each) => {
    return `GET ${url} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${each}\r\n`
  })
  const text = await exchange(app, `${requests.join('\r\n')}Connection: close\r\n\r\n`)
  t.strictSame(
    text.match(/HTTP\/1.1 \d+/g),
    [200, 200, 401, 401, 200, 200].map((status) => `HTTP/1.1 ${status}`),
  )
})

t.test('the key is asked for before anything else is looked at', async (t) => {
  const app = await build(t)
  for (const id of ['abc', '1', '1006', '1007']) {
    const response = await app.inject({ method: 'DELETE', url: `${url}/${id}`, headers: { accept: 'text/html' } })
    t.equal(response.statusCode, 401, id)
  }
  const cancelled = await app.inject({ method: 'DELETE', url: `${url}/1007`, headers: { authorization } })
  t.equal(cancelled.statusCode, 204, 'nothing was done')
})

t.test('the log has the name of the key, and never the key', async (t) => {
  const { lines, logger } = capturedLog()
  const app = await build(t, { logger })
  await app.inject({ url, headers: { authorization, 'x-request-id': 'one' } })
  await app.inject({ url, headers: { authorization: 'Bearer guess', 'x-request-id': 'two' } })
  const completed = (reqId: string) => lines.find((line) => line.reqId === reqId && line.msg === 'request completed')
  t.equal(completed('one')?.key, 'tests')
  t.hasStrict(completed('two'), { res: { statusCode: 401 } })
  t.notOk(completed('two')?.key)
  t.notMatch(JSON.stringify(lines), key)
  t.notMatch(JSON.stringify(lines), 'guess')
})
