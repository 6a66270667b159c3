import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import t, { type Test } from 'tap'
import { documentOf } from 'test-kit/document'
import { buildDocumentApp } from 'test-kit/document-app'
import type { SchemeUse } from '../../src/index.ts'
import { describe, serve, start } from '../fixtures/serve.ts'

/** Accepts a request with a header of its name; a rejection adds a header to the response. */
const guardFor =
  (name: string, challenge = name) =>
  (): onRequestHookHandler[] => [
    (request, reply, done) => {
      if (request.headers[name] !== undefined) return done()
      reply.header('www-authenticate', challenge)
      done(Object.assign(new Error('Send a key.'), { statusCode: 401 }))
    },
  ]
const guards = { a: guardFor('a'), b: guardFor('b'), c: guardFor('c'), same: guardFor('same', 'a') }
const keys = Object.fromEntries(Object.keys(guards).map((name) => [name, { type: 'apiKey', in: 'header', name }]))

async function secured(t: Test, security: object[]) {
  const responses = { 204: { description: 'Done.' } }
  const document = documentOf({ '/a': { get: { operationId: 'ask', security, responses } } }, { securitySchemes: keys })
  const before = (app: FastifyInstance) =>
    app.addHook('onRequest', async (_request, reply) => void reply.header('x-app', 'a'))
  const { app } = await buildDocumentApp(t, document, { guards, before })
  return async (...names: string[]) => {
    const headers = Object.fromEntries(names.map((name) => [name, '1']))
    const { statusCode, headers: sent } = await app.inject({ url: '/v1/a', headers })
    t.equal(sent['x-app'], 'a', 'what was set before stays')
    return [statusCode, sent['www-authenticate']]
  }
}

t.test('the first alternative that accepts a request wins; if none does, the challenges of all are sent', async (t) => {
  const ask = await secured(t, [{ a: [] }, { b: [], c: [] }])
  t.strictSame(await ask('a'), [204, undefined])
  t.strictSame(await ask('b', 'c'), [204, undefined])
  t.strictSame(await ask('b'), [401, 'a, c'])
  t.strictSame(await ask('c'), [401, 'a, b'])
  t.strictSame(await ask(), [401, 'a, b'])
})

t.test('all schemes of an alternative must accept a request', async (t) => {
  const ask = await secured(t, [{ a: [], b: [] }])
  t.strictSame(await ask('a', 'b'), [204, undefined])
  t.strictSame(await ask('a'), [401, 'b'])
  t.strictSame(await ask('b'), [401, 'a'])
})

t.test('alternatives with one challenge send it once', async (t) => {
  const ask = await secured(t, [{ a: [] }, { same: [] }])
  t.strictSame(await ask(), [401, 'a'])
})

const schemes = {
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'Basic' },
  oauth: { type: 'oauth2', flows: {} },
  openId: { type: 'openIdConnect', openIdConnectUrl: 'https://a.example/openid' },
  header: { type: 'apiKey', in: 'header', name: 'X-Key' },
  query: { type: 'apiKey', in: 'query', name: 'key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'key' },
  tls: { type: 'mutualTLS' },
}
const accepting = Object.fromEntries(Object.keys(schemes).map((name) => [name, () => (text: string) => text]))
/** As 3.1, which has mutualTLS. */
const guarded = (security: object[], more = {}) => ({
  openapi: '3.1.0',
  operations: { 'GET /a': { security, parameters: [{ in: 'query', name: 'n', schema: { type: 'integer' } }] } },
  components: { securitySchemes: schemes },
  options: { guards: { ...accepting, ...more } },
})

t.test('a guard gets the credential of its scheme, and the handler what it returns', async (t) => {
  const authorization = (text: string) => ({ headers: { authorization: text } })
  const cases: [scheme: keyof typeof schemes, request: object, credential: string | undefined][] = [
    ['bearer', authorization('bEARER  abc.def'), 'abc.def'],
    ['bearer', authorization('Basic YTpi'), undefined],
    ['bearer', authorization('Bearer'), undefined],
    ['basic', authorization('Basic YTpi'), 'a:b'],
    ['oauth', authorization('Bearer token'), 'token'],
    ['header', { headers: { 'x-key': 'k' } }, 'k'],
    ['header', {}, undefined],
    ['query', { url: '/a?key=a+b%21&key=c' }, 'a b!'],
    ['query', { url: '/a?other=1' }, undefined],
    ['cookie', { headers: { cookie: 'a=1; key=k' } }, 'k'],
    ['tls', {}, ''],
  ]
  for (const [scheme, request, credential] of cases) {
    const send = await serve(t, guarded([{ [scheme]: [] }]))
    const input = JSON.stringify({ query: {}, auth: { [scheme]: credential } })
    const expected = credential === undefined ? /^401 Send a credential/ : input
    t.match(await send({ url: '/a', ...request }), expected, `${scheme} ${JSON.stringify(request)}`)
  }
})

t.test('a scheme of the Authorization header has a challenge, and a key of an API none', async (t) => {
  for (const [name, challenge] of [
    ['bearer', 'bearer realm="bearer"'],
    ['basic', 'Basic realm="basic"'],
    ['oauth', 'Bearer realm="oauth"'],
    ['openId', 'Bearer realm="openId"'],
    ['header', undefined],
  ] as const) {
    const { options, ...described } = guarded([{ [name]: [] }])
    const app = await start(t, describe(described), { missing: 501, ...options })
    t.equal((await app.inject('/a')).headers['www-authenticate'], challenge)
  }
})

t.test('a guard gets the scheme and the scopes, and rejects by an error', async (t) => {
  const uses: SchemeUse[] = []
  const oauth = (use: SchemeUse) => {
    uses.push(use)
    return async (token: string, { url }: FastifyRequest, reply: FastifyReply) => {
      if (token === 'busy') throw Object.assign(new Error(`Wait with ${url}.`), { statusCode: reply.sent ? 500 : 429 })
      if (token === 'bad') throw Object.assign(new Error('Sign in again.'), { statusCode: 401 })
      if (token === 'odd') throw 'no error'
    }
  }
  const send = await serve(t, guarded([{ oauth: ['read:pets'] }], { oauth }))
  const [{ name, scheme, scopes, operation } = {} as SchemeUse] = uses
  const wanted = { name: 'oauth', scheme: schemes.oauth, scopes: ['read:pets'], id: 'GET /a' }
  t.match({ name, scheme, scopes, id: operation.id }, wanted)
  const ask = (token: string) => send({ url: '/a', headers: { authorization: `Bearer ${token}` } })
  t.equal(await ask('bad'), '401 Sign in again.')
  t.equal(await ask('busy'), '429 Wait with /a.')
  t.match(await ask('odd'), /^500/)
  t.equal(await ask('good'), '{"query":{},"auth":{}}')
})

t.test('the input has what the guards of the accepted alternative returned', async (t) => {
  const fail = () => () => Promise.reject(new Error('no'))
  const send = await serve(t, guarded([{}, { header: [], oauth: [] }, { header: [], query: [] }], { oauth: fail }))
  const headers = { 'x-key': 'k', authorization: 'Bearer t' }
  t.equal(await send({ url: '/a?key=q', headers }), '{"query":{},"auth":{"header":"k","query":"q"}}')
  t.equal(await send({ url: '/a', headers }), '{"query":{}}')
})

t.test('a scheme that the document does not have keeps the server from starting', async (t) => {
  const message = 'GET /a: the security scheme "other" is not in components securitySchemes'
  await t.rejects(serve(t, guarded([{ other: [] }], { other: () => [] })), { message })
})

t.test('a guard has hooks of either convention, in any place among the alternatives', async (t) => {
  const rejection = Object.assign(new Error('No.'), { statusCode: 401 })
  const conventions: Record<string, (isAccepted: boolean) => unknown> = {
    async: (isAccepted) => async () => {
      if (!isAccepted) throw rejection
    },
    'a promise': (isAccepted) => () => (isAccepted ? Promise.resolve() : Promise.reject(rejection)),
    'a callback': (isAccepted) => (_request: unknown, _reply: unknown, done: (error?: Error) => void) =>
      done(isAccepted ? undefined : rejection),
    throws: (isAccepted) => (_request: unknown, _reply: unknown, done: () => void) => {
      if (!isAccepted) throw rejection
      done()
    },
  }
  for (const [name, hook] of Object.entries(conventions)) {
    for (const [isAccepted, other] of [true, false].flatMap((one) => [true, false].map((two) => [one, two] as const))) {
      const hooks = { header: () => [hook(isAccepted)], query: () => [hook(other)] } as never
      const send = await serve(t, guarded([{ header: [] }, { query: [] }], hooks))
      t.equal(await send('/a'), isAccepted || other ? '{"query":{}}' : '401 No.', `${name} ${isAccepted} ${other}`)
    }
  }
})

t.test('a hook that responds ends the request', async (t) => {
  const responding = () => [async (_request: unknown, reply: FastifyReply) => reply.code(401).send({ message: 'Go.' })]
  const send = await serve(t, guarded([{ header: [] }, { query: [] }], { header: responding }))
  t.equal(await send('/a?key=k'), '401 Go.')
})

t.test('of alternatives, the response is that of the credential that was sent', async (t) => {
  const forbid = () => () => Promise.reject(Object.assign(new Error('Not you.'), { statusCode: 403 }))
  const expire = () => () => Promise.reject(Object.assign(new Error('Expired.'), { statusCode: 401 }))
  const authorization = 'Bearer t'
  for (const [names, more, request, expected] of [
    [['bearer', 'header'], {}, {}, /^401 Send a credential of the security scheme "bearer" or "header"\.$/],
    [['bearer', 'header'], { bearer: forbid }, { headers: { authorization } }, /^403 Not you\.$/],
    [['header', 'bearer'], { bearer: forbid }, { headers: { authorization } }, /^403 Not you\.$/],
    [['bearer', 'header'], { bearer: expire }, { headers: { authorization } }, /^401 Expired\.$/],
    [['bearer', 'header'], { bearer: expire, header: forbid }, { headers: { authorization, 'x-key': 'k' } }, /^403/],
  ] as const) {
    const alternatives = names.map((name) => ({ [name]: [] }))
    const send = await serve(t, guarded(alternatives, more))
    t.match(await send({ url: '/a', ...request }), expected)
  }
})

t.test('a guard that is neither a function nor a list of hooks keeps the server from starting', async (t) => {
  const message = 'GET /a: the guard of "header" must return a function or a list of hooks'
  await t.rejects(serve(t, guarded([{ header: [] }], { header: async () => [] })), { message })
})
