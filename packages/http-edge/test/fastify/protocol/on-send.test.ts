import t from 'tap'
import { documentOf } from 'test-kit/document'
import { buildDocumentApp } from 'test-kit/document-app'

const responses = { 204: { description: 'Done.' } }
const document = documentOf({ '/a': { get: { operationId: 'ask', security: [], responses } } })
const message = 'the onSend hook sign would not run for every operation: use onRequest'

async function sign(_request: unknown, _reply: unknown, payload: unknown) {
  return payload
}

t.test('the app does not start with an onSend hook that operations would bypass', async (t) => {
  const before = await buildDocumentApp(t, document, { before: (app) => app.addHook('onSend', sign) })
  await t.rejects(async () => void (await before.app.ready()), { message })
  const after = await buildDocumentApp(t, document)
  after.app.addHook('onSend', (_request, _reply, payload, done) => done(null, payload))
  await t.rejects(async () => void (await after.app.ready()), { message: message.replace('sign', 'without a name') })
})

t.test('onSend hooks of other routes run', async (t) => {
  const { app } = await buildDocumentApp(t, document)
  app.register(async (other) => {
    other.addHook('onSend', async (_request, reply, payload) => {
      reply.header('x-signed', 'yes')
      return payload
    })
    other.get('/other', async () => 'other')
  })
  t.equal((await app.inject('/other')).headers['x-signed'], 'yes')
  t.equal((await app.inject('/v1/a')).statusCode, 204)
})
