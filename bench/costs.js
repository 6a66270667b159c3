// What small requests cost, beside Fastify with @fastify/formbody and Ajv, in milliseconds of CPU, and what twice the size costs:
// node bench/install.js && node --import=./test/loader/typescript.js bench/costs.js
import { createRequire } from 'node:module'
import process from 'node:process'
import { exactOpenapi } from 'exact-openapi'
import { documentOf } from 'exact-openapi/model'
import Fastify from 'fastify'

const formbody = createRequire(new URL('node_modules/', import.meta.url))('@fastify/formbody')
const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'
const integer = { type: 'integer' }
const int64 = { type: 'integer', format: 'int64' }
const form = { type: 'object', properties: { a: integer } }

/** @typedef {{ name: string, size: number, text: (size: number) => string, schema: object, type?: string, isQuery?: boolean }} Row */

/** @param {(at: number) => string} item @returns {(size: number) => string} */
const list = (item) => (size) => `[${Array.from({ length: size }, (_, at) => item(at))}]`
/** @param {object} items */
const unique = (items) => ({ type: 'array', items, uniqueItems: true })

/** @type {Row[]} */
const rows = [
  { name: 'form `a=1&`', size: 15_000, text: (size) => 'a=1&'.repeat(size), schema: form, type: FORM },
  { name: 'form `z&`', size: 15_000, text: (size) => 'z&'.repeat(size), schema: form, type: FORM },
  { name: 'query `z&`', size: 7_500, text: (size) => 'z&'.repeat(size), schema: form, isQuery: true },
  { name: '`{}` for integers', size: 60_000, text: list(() => '{}'), schema: { type: 'array', items: integer } },
  {
    name: 'numbers below a minimum',
    size: 60_000,
    text: list(() => '1'),
    schema: { type: 'array', items: { ...integer, minimum: 5 } },
  },
  { name: 'uniqueItems of integers', size: 80_000, text: list(String), schema: unique(integer) },
  { name: 'uniqueItems of int64', size: 80_000, text: list(String), schema: unique(int64) },
  {
    name: 'uniqueItems of objects',
    size: 4_000,
    text: list((at) => `{"a":${at}}`),
    schema: unique({ type: 'object' }),
  },
  { name: 'wrong texts', size: 150_000, text: list(() => '"a"'), schema: { type: 'array', items: integer } },
]
const ROUNDS = 5
/** @type {import('fastify').FastifyServerOptions} */
const options = {
  bodyLimit: 2 ** 26,
  ajv: { customOptions: { allErrors: true, formats: { int64: /** @type {const} */ (true) } } },
}

/** @param {Row} row */
async function ours({ schema, type = JSON_TYPE, isQuery }) {
  const input = isQuery
    ? { parameters: [{ in: 'query', name: 'a', schema: integer }] }
    : { requestBody: { required: true, content: { [type]: { schema } } } }
  const post = { operationId: 'post', security: [], responses: { 204: { description: 'Done.' } }, ...input }
  const document = documentOf(
    /** @type {never} */ ({ openapi: '3.0.3', info: { title: 'T', version: '1' }, paths: { '/a': { post } } }),
  )
  const app = Fastify(options)
  await app.register(exactOpenapi, { document, handlers: { post: async () => ({ status: 204 }) } })
  return sending(app)
}

/** @param {Row} row */
async function theirs({ schema, isQuery }) {
  const app = Fastify(options)
  await app.register(formbody, { bodyLimit: 2 ** 26 })
  const described = isQuery ? { querystring: schema } : { body: schema }
  app.post('/a', { schema: described }, async (_request, reply) => reply.code(204).send())
  return sending(app)
}

/** @param {import('fastify').FastifyInstance} app */
const sending = (app) => ({
  send: (/** @type {import('fastify').InjectOptions} */ request) => app.inject(request),
  close: () => app.close(),
})

/** The least of several times, in milliseconds: what else runs in the process only adds to it. @param {() => Promise<unknown>} send */
async function cpuOf(send) {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const begun = process.cpuUsage()
    await send()
    const { user, system } = process.cpuUsage(begun)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

/** @param {Awaited<ReturnType<typeof ours>>} app @param {Row} row @param {number} size */
function sender(app, { text, type = JSON_TYPE, isQuery }, size) {
  const sent = text(size)
  return () =>
    isQuery
      ? app.send({ method: 'POST', url: `/a?${sent}` })
      : app.send({ method: 'POST', url: '/a', headers: { 'content-type': type }, payload: sent })
}

const digits = (/** @type {number} */ value) => value.toFixed(1)
console.log('| request | size | ms | twice the size (Fastify) | Fastify, ms | beside it | response |')
console.log('|---|--:|--:|--:|--:|--:|--:|')
for (const row of rows) {
  const [own, other] = [await ours(row), await theirs(row)]
  for (const app of [own, other]) for (let at = 0; at < 20; at++) await sender(app, row, row.size / 50)()
  const cost = await cpuOf(sender(own, row, row.size))
  const twice = await cpuOf(sender(own, row, 2 * row.size))
  const peer = await cpuOf(sender(other, row, row.size))
  const peerTwice = await cpuOf(sender(other, row, 2 * row.size))
  const { body } = await sender(own, row, row.size)()
  const cells = [
    row.size.toLocaleString('en'),
    digits(cost),
    `${digits(twice / cost)} (${digits(peerTwice / peer)})`,
    digits(peer),
    digits(cost / peer),
  ]
  console.log(`| ${[row.name, ...cells, `${(body.length / 1000).toFixed(1)} kB`].join(' | ')} |`)
  await Promise.all([own.close(), other.close()])
}
