// Plugins that people use with Fastify, each with a check that it works: by a request, or by what it adds.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import WebSocket from 'ws'

const routes = fileURLToPath(new URL('routes', import.meta.url))

/** @typedef {(app: import('fastify').FastifyInstance) => unknown} Step */
/** A plugin, and routes that use it. @type {(name: string, options?: object, use?: Step) => Step} */
const plugin =
  (name, options = {}, use = () => {}) =>
  async (app) => {
    await app.register((await import(name)).default, options)
    await use(app)
  }

/** @type {Record<string, { add: Step, check: Step }>} */
export const plugins = {
  accepts: {
    add: plugin('@fastify/accepts', {}, (app) =>
      app.get('/accepts', async (request) => request.accepts().type(['json', 'html'])),
    ),
    check: body('/accepts', 'html', { accept: 'text/html' }),
  },
  autoload: { add: plugin('@fastify/autoload', { dir: routes }), check: body('/loaded', 'loaded') },
  compress: {
    add: plugin('@fastify/compress', {}, (app) => app.get('/large', async () => 'a'.repeat(10_000))),
    check: header('/large', 'content-encoding', /gzip/, { 'accept-encoding': 'gzip' }),
  },
  cookie: {
    add: plugin('@fastify/cookie', {}, (app) =>
      app.get('/cookie', async ({ cookies }, reply) => reply.setCookie('next', String(cookies.last)).send('set')),
    ),
    check: header('/cookie', 'set-cookie', /next=1/, { cookie: 'last=1' }),
  },
  cors: {
    add: plugin('@fastify/cors', { origin: 'https://a.test' }),
    async check(app) {
      const headers = { origin: 'https://a.test', 'access-control-request-method': 'GET' }
      const { statusCode, headers: sent } = await app.inject({ method: 'OPTIONS', url: '/own', headers })
      assert.deepEqual([statusCode, sent['access-control-allow-origin']], [204, 'https://a.test'])
      assert.equal((await app.inject({ method: 'POST', url: '/unknown' })).statusCode, 404)
    },
  },
  etag: { add: plugin('@fastify/etag'), check: header('/own', 'etag', /"/) },
  formbody: {
    add: plugin('@fastify/formbody', {}, (app) => app.post('/form', async (request) => request.body)),
    async check(app) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const response = await app.inject({ method: 'POST', url: '/form', headers, payload: 'a=1' })
      assert.deepEqual(response.json(), { a: '1' })
    },
  },
  helmet: { add: plugin('@fastify/helmet'), check: header('/own', 'x-frame-options', /SAMEORIGIN/) },
  jwt: {
    add: plugin('@fastify/jwt', { secret: 'a secret' }),
    check: (app) => assert.equal(app.jwt.verify(app.jwt.sign({ name: 'ann' })).name, 'ann'),
  },
  multipart: {
    add: plugin('@fastify/multipart', {}, (app) =>
      app.post('/upload', async (request) => (await (await request.file()).toBuffer()).toString()),
    ),
    async check(app) {
      const payload = new FormData()
      payload.set('file', new Blob(['contents']), 'a.txt')
      assert.equal((await app.inject({ method: 'POST', url: '/upload', payload })).body, 'contents')
    },
  },
  'rate-limit': { add: plugin('@fastify/rate-limit', { max: 100 }), check: header('/own', 'x-ratelimit-limit', /100/) },
  'request-context': {
    add: plugin('@fastify/request-context', {}, (app) => {
      app.addHook('onRequest', async ({ requestContext, url }) => requestContext.set('url', url))
      app.get('/context', async ({ requestContext }) => requestContext.get('url'))
    }),
    check: body('/context', '/context'),
  },
  sensible: {
    add: plugin('@fastify/sensible', {}, (app) => app.get('/teapot', async (_request, reply) => reply.imateapot())),
    check: async (app) => assert.equal((await app.inject('/teapot')).statusCode, 418),
  },
  session: {
    async add(app) {
      await plugin('@fastify/cookie')(app)
      await plugin('@fastify/session', { secret: 'a secret of at least 32 characters', cookie: { secure: false } })(app)
      app.get('/session', async ({ session }) => session.sessionId)
    },
    check: header('/session', 'set-cookie', /sessionId=/),
  },
  static: {
    add: plugin('@fastify/static', { root: routes, prefix: '/files/' }),
    check: header('/files/loaded.js', 'content-type', /javascript/),
  },
  'swagger-ui': {
    async add(app) {
      await plugin('@fastify/swagger', { openapi: { info: { title: 'Own', version: '1' } } })(app)
      await plugin('@fastify/swagger-ui', { routePrefix: '/documentation' })(app)
    },
    check: body('/documentation/json', /"title":"Own"/),
  },
  scalar: {
    add: plugin('@scalar/fastify-api-reference', {
      routePrefix: '/scalar',
      configuration: { content: { openapi: '3.1.0' } },
    }),
    check: body('/scalar/', /<html/),
  },
  'under-pressure': {
    add: plugin('@fastify/under-pressure', { exposeStatusRoute: '/status' }),
    check: body('/status', /ok/),
  },
  websocket: {
    add: plugin('@fastify/websocket', {}, (app) => {
      const answer = (socket) => socket.on('message', (/** @type {unknown} */ text) => socket.send(`${text}, too`))
      app.register(async (within) => within.get('/socket', { websocket: true }, answer))
    }),
    async check(app) {
      const address = await app.listen({ host: '127.0.0.1', port: 0 })
      const dialled = new WebSocket(`${address}/socket`)
      await once(dialled, 'open')
      for (const socket of [dialled, await app.injectWS('/socket')]) {
        const received = once(socket, 'message')
        socket.send('hello')
        assert.equal(String((await received)[0]), 'hello, too')
        socket.terminate()
      }
    },
  },
}

/** @type {(url: string, expected: string | RegExp, headers?: Record<string, string>) => Step} */
function body(url, expected, headers = {}) {
  return async (app) => {
    const { body } = await app.inject({ url, headers })
    if (typeof expected === 'string') assert.equal(body, expected)
    else assert.match(body, expected)
  }
}

/** @type {(url: string, name: string, expected: RegExp, headers?: Record<string, string>) => Step} */
function header(url, name, expected, headers = {}) {
  return async (app) => assert.match(String((await app.inject({ url, headers })).headers[name]), expected)
}
