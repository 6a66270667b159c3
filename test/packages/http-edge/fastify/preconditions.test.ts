import t from 'tap'
import { documentOf } from 'test-kit/document'
import { buildDocumentApp } from 'test-kit/document-app'
import { errors } from '../../../../spec/errors.ts'
import { authorization, build, errorOf } from '../../../fixtures/app.ts'

const cancel = { method: 'DELETE', url: '/v1/store/orders/1007' } as const

/** Beyond a thousand characters, it is ignored. */
const long = (length: number) => 'text/html'.padEnd(length, ',')

t.test('an Accept that excludes JSON gets 406, and nothing changes', async (t) => {
  const app = await build(t)
  for (const accept of ['text/html', long(1_000), 'a/b, text/*;q=0.5', 'application/json;q=0, */*', '*/*;q=0']) {
    for (const request of [{ url: '/v1/store/orders' }, cancel]) {
      const response = await app.inject({ ...request, headers: { authorization, accept } })
      t.equal(response.statusCode, 406, accept)
      t.strictSame(response.json(), errorOf('not_acceptable', 'Responses are available only as application/json.'))
    }
  }
  t.equal((await app.inject({ ...cancel, headers: { authorization } })).statusCode, 204)
})

t.test('an Accept that includes JSON succeeds', async (t) => {
  const app = await build(t)
  for (const accept of [
    ...['*/*', 'application/*', 'application/json', '', ' ', long(1_001)],
    ...['application/json;charset=UTF-8;q=0.5, text/html', 'APPLICATION/JSON; q=0.1', 'text/html, */*;q=0.1'],
  ]) {
    for (const url of ['/v1/store/orders', '/v1/pets/504']) {
      const response = await app.inject({ url, headers: { authorization, accept } })
      t.equal(response.statusCode, 200, accept)
    }
    const response = await app.inject({ ...cancel, url: '/v1/store/orders/1', headers: { authorization, accept } })
    t.equal(response.statusCode, 404, accept)
  }
})

t.test('a range of media types may be any of them', async (t) => {
  const responses = { 200: { description: 'A picture.', content: { 'image/*': {} } } }
  const document = documentOf({ '/a': { get: { operationId: 'show', security: [], responses } } })
  const show = async () => ({ status: 200, type: 'image/png', body: Buffer.from('PNG') })
  const { app } = await buildDocumentApp(t, document, { handlers: { show } })
  t.equal((await app.inject({ url: '/v1/a', headers: { accept: 'image/png' } })).statusCode, 200)
})

t.test('a media type is named once, and a condition that an operation declares is its own', async (t) => {
  const success = { description: 'Done.', content: { 'application/json': {} } }
  const parameters = ['header If-Match', 'query If-None-Match'].map((one) => {
    const [place, name] = one.split(' ')
    return { in: place, name, schema: { type: 'string' } }
  })
  const responses = { 200: success, 201: success, 404: { description: 'None.', content: { 'text/html': {} } } }
  const put = { operationId: 'set', security: [], parameters, responses }
  const { app } = await buildDocumentApp(t, documentOf({ '/a': { put } }), {
    handlers: { set: async () => ({ status: 200, body: 1 }) },
  })
  const set = (headers: object) => app.inject({ method: 'PUT', url: '/v1/a', headers: { ...headers } })
  t.match((await set({ accept: 'text/html' })).json(), {
    message: /^Responses are available only as application\/json\.$/,
  })
  t.equal((await set({ 'if-match': '"a"' })).statusCode, 200)
  t.equal((await set({ 'if-none-match': '*' })).statusCode, 412)
})

const conditions: Record<string, string>[] = [
  { 'if-match': '"a"' },
  { 'if-match': 'W/"a", *' },
  { 'if-match': '' },
  { 'if-unmodified-since': 'Sat, 21 Nov 2026 00:00:00 GMT' },
  { 'if-match': '*', 'if-unmodified-since': 'Sat, 21 Nov 2026 00:00:00 GMT' },
  { 'if-none-match': '*' },
]

t.test('a condition that cannot be met gets 412, and nothing changes', async (t) => {
  const app = await build(t)
  for (const condition of conditions) {
    const response = await app.inject({ ...cancel, headers: { authorization, ...condition } })
    t.equal(response.statusCode, 412, JSON.stringify(condition))
    t.strictSame(response.json(), { code: 'precondition_failed', ...errors.precondition_failed })
  }
  t.equal((await app.inject({ ...cancel, headers: { authorization, 'if-none-match': '"a"' } })).statusCode, 204)
})

t.test('authentication and validation precede all conditions', async (t) => {
  const app = await build(t)
  for (const condition of [...conditions, { accept: 'text/html' }]) {
    t.equal((await app.inject({ ...cancel, headers: condition })).statusCode, 401)
    const headers = { authorization, ...condition }
    t.equal((await app.inject({ ...cancel, url: '/v1/store/orders/x', headers })).statusCode, 400)
  }
})
