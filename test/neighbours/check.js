// Runs each package beside each plugin, in both orders: node check.js. Prints what fails, and exits with 1 then.
import assert from 'node:assert/strict'
import process from 'node:process'
import { exactOpenapi, parseDocument } from 'exact-openapi'
import Fastify from 'fastify'
import { httpEdge } from 'http-edge/fastify'
import { openapiPages } from 'openapi-pages'
import { domainAt } from './domains.js'
import { plugins } from './plugins.js'

const responses = { 200: { description: 'The pet.', content: { 'application/json': {} } } }
const parameters = [{ in: 'path', name: 'id', required: true, schema: { type: 'integer' } }]
const paths = { '/pets/{id}': { get: { operationId: 'getPet', security: [], parameters, responses } } }
const document = parseDocument(
  JSON.stringify({ openapi: '3.0.3', info: { title: 'Pets', version: '1' }, paths }),
  'pets',
)
const visit = await domainAt(process.argv[2])
const packages = {
  'http-edge': {
    add: (app, { plugin }) => app.register(plugin),
    async check(app) {
      const { statusCode, headers } = await app.inject({ method: 'PUT', url: '/own', payload: { a: 1 } })
      assert.deepEqual([statusCode, headers.allow], [405, 'GET, HEAD'])
      assert.ok(headers['x-request-id'])
      assert.deepEqual((await app.inject({ method: 'POST', url: '/echo', payload: { a: 1 } })).json(), { a: 1 })
    },
  },
  'exact-openapi': {
    add(app) {
      const handlers = { getPet: async ({ path }) => ({ status: 200, body: { id: path.id } }) }
      return app.register(exactOpenapi, { document, handlers, prefix: '/v1' })
    },
    async check(app) {
      assert.equal((await app.inject('/v1/pets/7')).body, '{"id":7}')
      assert.equal((await app.inject('/v1/pets/seven')).statusCode, 400)
    },
  },
  'openapi-pages': {
    add: (app) => app.register(openapiPages, { document }),
    check: async (app) => assert.match((await app.inject('/docs')).body, /Pets/),
  },
  'custom-domains': {
    add() {},
    async check(app) {
      const plain = 'text/plain; charset=utf-8'
      assert.deepEqual(await visit(app, 'GET', '/own'), { status: 200, type: plain, body: 'own' })
      const { status, body } = await visit(app, 'POST', '/echo', '{"a":1}')
      assert.deepEqual([status, JSON.parse(body)], [200, { a: 1 }])
    },
  },
}

async function run(added, plugin, isFirst) {
  const edge = httpEdge()
  const app = Fastify(added.includes(packages['http-edge']) ? edge.options : {})
  try {
    const own = async () => {
      for (const { add } of added) await add(app, edge)
    }
    if (isFirst) await own()
    await plugin.add(app)
    if (!isFirst) await own()
    app.get('/own', async () => 'own')
    app.post('/echo', async ({ body }) => body)
    await plugin.check(app)
    for (const { check } of added) await check(app)
    assert.equal((await app.inject('/own')).body, 'own')
  } finally {
    await app.close()
  }
}

let count = 0
let current = ''
/** Avvio throws the error of a plugin outside of any promise if its application has closed. */
process.on('uncaughtException', report)

/** @param {Error} error */
function report({ message }) {
  console.error(`${current}: ${message.replace(/\s+/g, ' ').slice(0, 300)}`)
  process.exitCode = 1
}

const all = Object.values(packages)
for (const [name, plugin] of Object.entries(plugins)) {
  for (const [what, added] of [...Object.entries(packages).map(([what, one]) => [what, [one]]), ['all', all]]) {
    for (const isFirst of [true, false]) {
      count++
      current = `${what} ${isFirst ? 'before' : 'after'} ${name}`
      await run(added, plugin, isFirst).catch(report)
    }
  }
}
console.log(`${count} applications`)
process.exit()
