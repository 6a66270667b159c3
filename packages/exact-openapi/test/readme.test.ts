// The examples of the README are run.
import { readFileSync } from 'node:fs'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { blocksOf } from '../../../test/docs/pages.ts'
import { type Document, exactOpenapi } from '../src/index.ts'

const blocks = blocksOf(readFileSync(new URL('../README.md', import.meta.url), 'utf8'))
const Example = Object.getPrototypeOf(async () => {}).constructor

/** @param heading under which the example is @returns what it runs in */
async function run(t: Test, heading: string, operation: object, components = {}, more = {}) {
  const example = blocks.find(({ before, language }) => language === 'js' && before.includes(`### ${heading}\n`))
  const paths = { '/a': { post: { security: [], responses: { 200: { description: 'Done.' } }, ...operation } } }
  const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths, components } as unknown as Document
  const app: FastifyInstance = Fastify()
  t.teardown(() => app.close())
  const given = { app, document, exactOpenapi, ...more }
  await new Example(...Object.keys(given), example?.text)(...Object.values(given))
  return { app, document }
}

t.test('a guard', async (t) => {
  const operation = (scope: string) => ({ operationId: 'getUser', security: [{ bearer: [scope] }] })
  const components = { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } }
  for (const [scope, token, expected] of [
    ['read:pets', 'secret', [200, '{"name":"Ann"}', undefined]],
    ['write:pets', 'secret', [403, /No\./, undefined]],
    ['read:pets', 'other', [401, /not valid/, undefined]],
    ['read:pets', undefined, [401, /Send a credential/, 'bearer realm="bearer"']],
  ] as const) {
    const { app } = await run(t, 'Security', operation(scope), components)
    const headers = token ? { authorization: `Bearer ${token}` } : {}
    const { statusCode, body, headers: sent } = await app.inject({ method: 'POST', url: '/a', headers })
    t.match([statusCode, body, sent['www-authenticate']], expected)
  }
})

t.test('errors as problem+json', async (t) => {
  const parameters = [{ in: 'query', name: 'n', required: true, schema: { type: 'integer' } }]
  const { app, document } = await run(t, 'Errors', { operationId: 'ask', parameters })
  await app.register(exactOpenapi, { document, handlers: { ask: async () => Promise.reject(new Error('secret')) } })
  const bad = await app.inject({ method: 'POST', url: '/a' })
  t.match(bad.headers['content-type'], 'application/problem+json')
  const errors = [{ place: 'query n', rule: 'required', message: 'is required' }]
  t.strictSame(bad.json(), { title: 'query n is required.', status: 400, errors })
  const failed = await app.inject({ method: 'POST', url: '/a?n=1' })
  t.strictSame(failed.json(), { title: 'Internal error', status: 500 })
})
