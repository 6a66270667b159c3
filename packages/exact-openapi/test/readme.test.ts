// The examples of the README are run.
import { createWriteStream, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { blocksOf } from 'test-kit/blocks'
import { type Document, exactOpenapi, rules } from '../src/index.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const blocks = blocksOf(readme)
const Example = Object.getPrototypeOf(async () => {}).constructor

/** @param words that the example contains @returns what it runs in */
async function run(t: Test, words: string, operation: object, components = {}, more = {}) {
  const example = blocks.find(({ text, language }) => language === 'js' && text.includes(words))
  const paths = { '/a': { post: { security: [], responses: { 200: { description: 'Done.' } }, ...operation } } }
  const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths, components } as unknown as Document
  const app: FastifyInstance = Fastify()
  t.teardown(() => app.close())
  const given = { app, document, exactOpenapi, ...more }
  await new Example(...Object.keys(given), example?.text)(...Object.values(given))
  return { app, document }
}

t.test('rules', async (t) => {
  const [table = ''] = /(?<=\| rule \| effect \|\n.*\n)(\|.*\n)+/.exec(readme) ?? []
  const rows = Object.entries(rules).map(([rule, effect]) => `| \`${rule}\` | ${effect} |\n`)
  t.equal(table, rows.join(''))
})

t.test('a guard', async (t) => {
  const operation = (scope: string) => ({ operationId: 'getUser', security: [{ bearer: [scope] }] })
  const components = { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } }
  for (const [scope, token, expected] of [
    ['read:pets', 'secret', [200, '{"name":"Ann"}', undefined]],
    ['write:pets', 'secret', [403, /No\./, undefined]],
    ['read:pets', 'other', [401, /not valid/, undefined]],
    ['read:pets', undefined, [401, /Send a credential/, 'bearer realm="bearer"']],
  ] as const) {
    const { app } = await run(t, 'const guards =', operation(scope), components)
    const headers = token ? { authorization: `Bearer ${token}` } : {}
    const { statusCode, body, headers: sent } = await app.inject({ method: 'POST', url: '/a', headers })
    t.match([statusCode, body, sent['www-authenticate']], expected)
  }
})

t.test('errors as problem+json', async (t) => {
  const parameters = [{ in: 'query', name: 'n', required: true, schema: { type: 'integer' } }]
  const { app, document } = await run(t, 'setErrorHandler', { operationId: 'ask', parameters })
  await app.register(exactOpenapi, { document, handlers: { ask: async () => Promise.reject(new Error('secret')) } })
  const bad = await app.inject({ method: 'POST', url: '/a' })
  t.match(bad.headers['content-type'], 'application/problem+json')
  const errors = [{ place: 'query n', rule: 'required', message: 'is required' }]
  t.strictSame(bad.json(), { title: 'query n is required.', status: 400, errors })
  const failed = await app.inject({ method: 'POST', url: '/a?n=1' })
  t.strictSame(failed.json(), { title: 'Internal error', status: 500 })
})

t.test('events', async (t) => {
  const responses = { 200: { description: 'Events.', content: { 'text/event-stream': {} } } }
  const { app } = await run(t, 'function* events', { operationId: 'watch', responses })
  const { body } = await app.inject({ method: 'POST', url: '/a' })
  t.equal(body, 'event: sold\ndata: {"id":1}\n\nevent: sold\ndata: {"id":2}\n\n')
})

t.test('an upload', async (t) => {
  const content = { 'multipart/form-data': { schema: { type: 'object', required: ['title'] } } }
  const responses = { 204: { description: 'Done.' } }
  const folder = t.testdir()
  const more = { folder, pipeline, createWriteStream, writeFile }
  const { app } = await run(t, 'streams:', { operationId: 'addPhoto', requestBody: { content }, responses }, {}, more)
  const form = new FormData()
  const payload = { method: 'POST', url: '/a' } as const
  form.append('photo', new File(['pixels'], 'a.png'))
  t.match((await app.inject({ ...payload, payload: form })).json(), { message: 'body title is required.' })
  form.append('title', 'Rex')
  t.equal((await app.inject({ ...payload, payload: form })).statusCode, 204)
  t.equal(readFileSync(`${folder}/photo`, 'utf8'), 'pixels')
  t.equal(readFileSync(`${folder}/title`, 'utf8'), 'Rex')
})
