import fastify from 'fastify'
import type { OpenAPIV3 } from 'openapi-types'
import t from 'tap'
import { documentOf } from 'test-kit/document'
import { buildDocumentApp } from 'test-kit/document-app'
import { contractOptions } from '../../../../packages/exact-openapi/src/contract/index.ts'
import { build, changed, type Written } from '../../../fixtures/app.ts'

type Change = (list: OpenAPIV3.OperationObject & Record<string, unknown>, document: Written) => void

const inDocument = 'the document is not valid OpenAPI:'
const refused: Record<string, Change> = {
  'toString has no handler': (list) => {
    list.operationId = 'toString'
  },
  'listOrders is the operationId of two operations': (list, { paths }) => {
    paths['/orders'] = { get: list }
  },
  'getPetById has a handler, but is no operation of the document': (_list, { paths }) => {
    delete paths['/pets/{petId}']
  },
  'the document is OpenAPI of no version: only 3.0, 3.1, 3.2 are supported': (_list, document) => {
    for (const key of Object.keys(document)) delete document[key as keyof Written]
  },
  [`${inDocument} listOrders, responses 200: the reference #/components/%FF leads nowhere`]: (list) => {
    list.responses = { 200: { $ref: '#/components/%FF' } as never }
  },
  'components schemas Endless consists of itself: refer to it from a property or an item': (_list, { components }) => {
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    const Alias = { allOf: [{ type: 'object', properties: { it: ref('Endless') } }, { not: ref('Endless') }] }
    Object.assign(components?.schemas ?? {}, { Endless: { oneOf: [{ type: 'string' }, ref('Alias')] }, Alias })
  },
}

for (const [message, change] of Object.entries(refused)) {
  t.test(`does not start: ${message}`, async (t) => {
    const document = changed((copy) => change(copy.paths['/store/orders']?.get as never, copy))
    await t.rejects(build(t, { document }), { message })
  })
}

t.test('a property may have any name, also those of references', async (t) => {
  const properties = { $ref: { type: 'string' }, $id: { type: 'string' }, $anchor: { type: 'string' } }
  const schema = { type: 'object', required: ['$ref', '$id'], properties, additionalProperties: false }
  const requestBody = { required: true, content: { 'application/json': { schema } } }
  const post = { operationId: 'send', security: [], requestBody, responses: { 204: { description: 'Done.' } } }
  const { app, got } = await buildDocumentApp(t, documentOf({ '/a': { post } }))
  const payload = { $ref: 'a', $id: 'b', $anchor: 'c' }
  t.equal((await app.inject({ method: 'POST', url: '/v1/a', payload })).statusCode, 204)
  t.strictSame(got.send, { body: payload })
})

t.test('a route with a schema for Fastify stops the start', async (t) => {
  const app = fastify(contractOptions)
  app.get('/', { schema: { querystring: { type: 'object' } } }, async () => '')
  const message = 'a route has a schema: write it in the document instead'
  await t.rejects(async () => void (await app.ready()), { message })
})
