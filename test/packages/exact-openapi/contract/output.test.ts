import t from 'tap'
import { documentOf } from 'test-kit/document'
import { buildDocumentApp } from 'test-kit/document-app'
import { exchange } from 'test-kit/raw'

t.test('a response without a body has a Content-Length, unless its status never has content', async (t) => {
  const responses = { 201: { description: 'Made.' }, 204: { description: 'Nothing.' } }
  const document = documentOf({ '/a': { get: { operationId: 'ask', security: [], responses } } })
  let status = 201
  const { app } = await buildDocumentApp(t, document, { handlers: { ask: async () => ({ status }) } })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  t.strictSame([...(await fetch(`${origin}/v1/a`)).headers.keys()].includes('transfer-encoding'), false)
  t.equal((await fetch(`${origin}/v1/a`)).headers.get('content-length'), '0')
  status = 204
  t.equal((await fetch(`${origin}/v1/a`)).headers.get('content-length'), null)
})

t.test('JSON has no charset, and an error in a later hook is serialized as the app does', async (t) => {
  const responses = { 200: { description: 'Any.', content: { 'application/json': {} } } }
  const document = documentOf({ '/a': { get: { operationId: 'ask', security: [], responses } } })
  const handlers = { ask: async () => ({ status: 200, body: { id: 5n } }) }
  const { app } = await buildDocumentApp(t, document, { handlers })
  const failures: Error[] = []
  app.addHook('onSend', (_request, _reply, _payload, done) => done(...(failures.splice(0) as [Error])))
  const whole = await app.inject('/v1/a')
  t.strictSame([whole.headers['content-type'], whole.payload], ['application/json', '{"id":5}'])
  failures.push(new Error('a hook failed'))
  const failed = await app.inject('/v1/a')
  t.strictSame([failed.statusCode, failed.json().message], [500, 'a hook failed'])
  t.match(failed.headers['content-type'], /^application\/json/)
})

t.test('a handler replaces a header of every response, with a body and without', async (t) => {
  const declared = { description: 'It.', headers: { 'Cache-Control': { schema: { type: 'string' } } } }
  for (const output of [{ status: 204 }, { status: 200, body: {} }]) {
    const content = 'body' in output ? { content: { 'application/json': {} } } : {}
    const get = { operationId: 'ask', security: [], responses: { [output.status]: { ...declared, ...content } } }
    const ask = async () => ({ ...output, headers: { 'cache-control': 'private' } })
    const { app } = await buildDocumentApp(t, documentOf({ '/a': { get } }), { handlers: { ask } })
    const text = await exchange(app, 'GET /v1/a HTTP/1.1\r\nHost: localhost\r\n\r\n')
    t.strictSame(text.match(/^cache-control: .*(?=\r$)/gim), ['cache-control: private'], String(output.status))
  }
})
