import type { onRequestHookHandler } from 'fastify'
import t, { type Test } from 'tap'
import { ApiError } from '../../../../spec/errors.ts'
import { buildDocumentApp, documentOf } from '../../../../test/fixtures/document-app.ts'

/** Accepts a request with a header of its name; a rejection adds a header to the response. */
const guardFor = (name: string) => (): onRequestHookHandler[] => [
  (request, reply, done) => {
    if (request.headers[name] !== undefined) return done()
    reply.header('www-authenticate', name)
    done(new ApiError('unauthorized'))
  },
]
const guards = { a: guardFor('a'), b: guardFor('b'), c: guardFor('c') }

async function secured(t: Test, security: object[]) {
  const responses = { 204: { description: 'Done.' } }
  const document = documentOf({ '/a': { get: { operationId: 'ask', security, responses } } })
  const { app } = await buildDocumentApp(t, document, { guards })
  return async (...names: string[]) => {
    const headers = Object.fromEntries(names.map((name) => [name, '1']))
    const { statusCode, headers: sent } = await app.inject({ url: '/v1/a', headers })
    return [statusCode, sent['www-authenticate']]
  }
}

t.test('the first alternative that accepts a request wins; if none does, the last one responds', async (t) => {
  const ask = await secured(t, [{ a: [] }, { b: [], c: [] }])
  t.strictSame(await ask('a'), [204, undefined])
  t.strictSame(await ask('b', 'c'), [204, undefined])
  t.strictSame(await ask('b'), [401, 'c'])
  t.strictSame(await ask('c'), [401, 'b'])
  t.strictSame(await ask(), [401, 'b'])
})

t.test('all schemes of an alternative must accept a request', async (t) => {
  const ask = await secured(t, [{ a: [], b: [] }])
  t.strictSame(await ask('a', 'b'), [204, undefined])
  t.strictSame(await ask('a'), [401, 'b'])
  t.strictSame(await ask('b'), [401, 'a'])
})

t.test('an empty alternative lets everybody pass', async (t) => {
  const ask = await secured(t, [{ a: [] }, {}])
  t.strictSame(await ask(), [204, undefined])
})
