// Beside what an app has of its own: other plugins, routes, prefixes and documents that cannot be shown in full.
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { capturedLog } from 'test-kit/captured-log'
import { openapiPages, type PagesOptions } from '../src/index.ts'
import { crawl, parsed, site } from './fixtures/site.ts'

const documentWith = (paths: object, title = 'Pets') =>
  parsed({ openapi: '3.0.3', info: { title, version: '1' }, servers: [{ url: '/v1' }], paths })

const responses = { 200: { description: 'Done.' } }
const pets = documentWith({ '/pets': { get: { operationId: 'listPets', responses } } })
const shops = documentWith({ '/shops': { get: { operationId: 'listShops', responses } } }, 'Shops')

function appOf(t: Test): FastifyInstance {
  const app = Fastify()
  t.teardown(() => app.close())
  return app
}

const get = async (app: FastifyInstance, url: string, accept = 'text/html') => app.inject({ url, headers: { accept } })

t.test('the document of @fastify/swagger stays the app’s own, and is shown if there is no other', async (t) => {
  for (const isOwnShown of [false, true]) {
    const app = appOf(t)
    await app.register(swagger, { openapi: { info: { title: 'Own', version: '2' } } })
    await app.register(swaggerUi, { routePrefix: '/own' })
    await app.register(openapiPages, isOwnShown ? {} : { document: pets })
    app.get('/own-things/:id', { schema: { summary: 'Get an own thing' } }, async () => 'own')
    t.match((await get(app, '/docs')).body, isOwnShown ? 'Get an own thing' : 'listPets')
    t.match((await get(app, '/docs/swagger/json')).json(), { info: { title: isOwnShown ? 'Own' : 'Pets' } })
    const title = `<title>${isOwnShown ? 'API' : 'Pets'}: Swagger UI</title>`
    t.match((await get(app, '/docs/swagger/')).body, title)
    const { paths } = (await get(app, '/own/json')).json()
    t.strictSame(Object.keys(paths), ['/own-things/{id}'])
  }
  const app = appOf(t)
  await app.register(swagger, {})
  await app.register(openapiPages, {})
  t.equal((await get(app, '/docs')).statusCode, 500, 'Swagger 2.0')
  await t.rejects(async () => appOf(t).register(openapiPages, {}), {
    message: /^document: give one, or register @fastify\/swagger/,
  })
})

t.test('two references are served, in one context or in two', async (t) => {
  const both = async (add: (app: FastifyInstance) => PromiseLike<unknown>) => {
    const app = await site(t, pets)
    await add(app)
    return app
  }
  const second = { document: shops, path: '/shops/docs', hide: ['discovery'] } as const
  for (const app of [
    await both((app) => app.register(openapiPages, second)),
    await both((app) => app.register(async (inner) => inner.register(openapiPages, second))),
    await both((app) => app.register(openapiPages, { ...second, hide: [] })),
  ]) {
    for (const [path, name] of [
      ['/docs', 'listPets'],
      ['/shops/docs', 'listShops'],
    ] as const) {
      const { body } = await get(app, path)
      t.match(body, name)
      const [, document = ''] = /data-document="([^"]*)"/.exec(body) ?? []
      t.match((await get(app, new URL(document, `http://h${path}`).pathname)).body, name)
      t.match((await get(app, `${path}.md`)).body, name)
      t.match((await get(app, `${path}/swagger/json`)).body, name)
    }
  }
})

t.test('with a prefix, all pages and their links are below it, and the API is where it was', async (t) => {
  const app = await site(t, pets, { prefix: '/internal' } as PagesOptions)
  const { headers } = await app.inject({ method: 'HEAD', url: '/internal?a=b' })
  t.equal(headers.location, '/internal/docs')
  for (const url of ['/internal', '/internal/']) t.equal((await get(app, url)).headers.location, '/internal/docs')
  t.equal((await get(app, '/internal/docs/swagger')).headers.location, '/internal/docs/swagger/')
  t.equal((await get(app, '/docs')).statusCode, 404)
  const found = await crawl(app, '/internal/docs', '/internal/docs/nowhere')
  for (const [path, { statusCode }] of found)
    t.match([path, statusCode], [/^\/internal/, path.endsWith('/nowhere') ? 404 : /^(200|302)$/])
  const { body } = await get(app, '/internal/docs')
  const [, server = ''] = /class="server-url" data-url="([^"]*)"/.exec(body) ?? []
  t.equal(new URL(server, 'http://h/internal/docs').pathname, '/v1')
  t.match(body.replaceAll(/<[^>]*>/g, ''), 'http://localhost/v1')
  t.match(body, '<link rel="canonical" href="http://localhost/internal/docs">')
})

t.test('routes of the app are kept, whether they come before or after', async (t) => {
  const own = (app: FastifyInstance, urls: string[]) => {
    for (const url of urls) app.get(url, async () => 'own')
  }
  const after = await site(t, pets)
  const files = ['/robots.txt', '/sitemap.xml', '/llms.txt', '/llms-full.txt', '/.well-known/api-catalog']
  own(after, ['/', ...files])
  const before = appOf(t)
  own(before, ['/', ...files, '/openapi.json'])
  await before.register(openapiPages, { document: pets })
  for (const app of [after, before]) {
    t.equal((await get(app, '/')).body, 'own')
    t.equal((await get(app, '/docs')).statusCode, 200)
  }
  for (const app of [after, before]) for (const url of files) t.equal((await get(app, url)).body, 'own', url)
  t.equal((await get(after, `/${'long'.repeat(50)}`)).statusCode, 404, 'no parameter of ours takes it')
  t.equal((await get(before, '/openapi.json')).body, 'own')
  t.match((await get(before, '/docs/openapi.json')).json(), { info: { title: 'Pets' } })
  t.equal((await after.inject({ method: 'POST', url: '/' })).statusCode, 404)
})

t.test('hooks of the app protect pages, documents and Swagger UI alike', async (t) => {
  const app = appOf(t)
  app.addHook('onRequest', async (_request, reply) => reply.code(401).send('no'))
  await app.register(openapiPages, { document: pets })
  const urls = ['', '.md', '/nowhere', '/swagger/', '/swagger/json', '/operations/listPets.js', '/search.js']
  for (const url of [...urls.map((end) => `/docs${end}`), '/', '/openapi.json', '/llms.txt'])
    t.equal((await get(app, url)).statusCode, 401, url)
})

t.test('no document keeps an app from starting', async (t) => {
  const parameter = (schema: object, example?: unknown) => ({ in: 'path', name: 'id', required: true, schema, example })
  const odd = documentWith({
    '/a/{id}': { get: { operationId: 'a', parameters: [parameter({ type: 'object' })], responses } },
    '/b/{id}': { get: { operationId: 'b', parameters: [parameter({ type: 'string' }, '..')], responses } },
    '/c/{id}': { get: { operationId: 'c', parameters: [parameter({ type: 'array', items: {} }, [])], responses } },
    '/d/{id}': { get: { operationId: 'd', parameters: [parameter({ enum: ['.'] })], responses } },
  })
  const app = await site(t, odd)
  const { body } = await get(app, '/docs')
  for (const id of ['a', 'b', 'c', 'd']) t.match(body, new RegExp(`/${id}/[^<\\s/.]`))
  const own = { '/a': { get: { servers: [{ url: 'https://own.example/v1' }], responses } } }
  const policy = (await get(await site(t, documentWith(own)), '/docs')).headers['content-security-policy']
  t.match(policy, /connect-src 'self' https:\/\/own\.example$/, 'a server of its own may be called')
  const relative = documentWith({ '/a': { get: { servers: [{ url: '/own' }], responses } } })
  t.match((await get(await site(t, relative), '/docs.md')).body, 'http://localhost/own/a')
  const nowhere = documentWith({ '/a': { get: { parameters: [{ $ref: '#/nowhere' }], responses } } })
  const { lines, logger } = capturedLog()
  const broken = await site(t, nowhere, {}, Fastify({ logger }))
  broken.get('/api', async () => 'works')
  t.equal((await get(broken, '/api')).body, 'works')
  const { statusCode, body: said } = await get(broken, '/docs')
  t.match([statusCode, said], [500, /nowhere leads nowhere/])
  t.match(lines, [{ level: 50, msg: 'Cannot read the OpenAPI document for /docs; responding with 500 there.' }])
})
