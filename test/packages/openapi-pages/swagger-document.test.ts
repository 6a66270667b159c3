import type { Document } from 'exact-openapi'
import { modelOf } from 'exact-openapi/model'
import { stringify } from 'lossless-json'
import t from 'tap'
import { documentOf } from 'test-kit/document'
import { readReference } from '../../../packages/openapi-pages/src/reference/read.ts'
import { swaggerJson } from '../../../packages/openapi-pages/src/swagger-document.ts'
import { loadDocument } from '../../../spec/document.ts'
import type { Written } from '../../fixtures/app.ts'

const param = (name: string, more = {}) => ({ name, in: 'path', required: true, schema: { type: 'string' }, ...more })
const ok = { 200: { description: 'Done.' } }
const schema = { type: 'object', properties: { content: { type: 'integer', format: 'int64' } } }
const examples = { large: { value: { content: 9223372036854775807n } }, none: { externalValue: 'x' } }
const other = documentOf(
  {
    '/things': { post: { operationId: 'postThing', responses: ok } },
    '/things/{id}/{part}': {
      parameters: [param('id', { example: 'a' }), { $ref: '#/components/parameters/part' }],
      get: { operationId: 'getThing', responses: ok },
      put: {
        operationId: 'putThing',
        'x-explorer-enabled': false,
        parameters: [
          param('id', { example: 'b', description: 'Which one.' }),
          { name: 'n', in: 'query', schema: { $ref: '#/components/schemas/n' } },
          { name: 'm', in: 'query', examples: { one: { value: 'x' } }, schema: { type: 'string' } },
          { name: 'o', in: 'query', schema: { type: 'string' } },
        ],
        requestBody: { content: { 'application/json': { schema: {}, example: { content: { id: 1 } } } } },
        responses: { 200: { description: 'Done.', content: { 'application/json': { schema, examples } } } },
      },
    },
  },
  {
    parameters: { part: param('part', { schema: { type: 'string', example: 'p' } }) },
    schemas: { n: { type: 'integer', default: 7, maximum: 9 } },
  },
)
const shown = (document: Document, isApiKnown = true) =>
  JSON.parse(swaggerJson(String(stringify(document)), isApiKnown)) as Document

t.test('Swagger UI has the operations and the examples of the reference, and tries the same ones', async (t) => {
  for (const document of [loadDocument(), other]) {
    const reference = readReference(document).groups.flatMap(({ operations }) => operations)
    const swagger = modelOf(shown(document)).operations
    t.strictSame(new Set(swagger.map(({ id }) => id)), new Set(reference.map(({ id }) => id)))
    for (const { id, isTryable, responses } of reference) {
      const operation = swagger.find((one) => one.id === id)
      t.equal(operation?.extensions['x-explorer-enabled'] !== false, isTryable)
      for (const { status, formats } of responses) {
        const media = operation?.responses.find((one) => one.status === status)?.media ?? []
        for (const [i, { examples }] of formats.entries()) {
          const values = media[i]?.examples.filter(({ value }) => value !== undefined).map(({ value }) => value)
          const texts = values?.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
          const squeezed = (text: string) => text.replace(/(?<=[{[,:])\s+|\s+(?=[}\]])/g, '')
          t.strictSame(
            texts?.map(squeezed),
            examples.filter(({ url }) => url === undefined).map(({ text }) => squeezed(text)),
            `${id} ${status}`,
          )
        }
      }
    }
  }
})

t.test('Swagger UI is given nothing to fill in for a request that changes something', async (t) => {
  const { paths } = shown(other) as unknown as Written
  const { parameters = [] } = paths['/things/{id}/{part}']?.put ?? {}
  const string = { type: 'string' }
  t.strictSame(parameters, [
    { name: 'id', in: 'path', required: true, description: 'Which one.\n\nExample: `"b"`', schema: string },
    { name: 'part', in: 'path', required: true, description: 'Example: `"p"`', schema: string },
    { name: 'n', in: 'query', description: '', schema: { type: 'integer', maximum: 9 } },
    { name: 'm', in: 'query', description: 'Example: `"x"`', schema: string },
    { name: 'o', in: 'query', description: '', schema: string },
  ])
  const deleting = modelOf(shown(loadDocument())).operations.find(({ id }) => id === 'cancelOrder')
  t.match(deleting?.parameters, [{ description: /Example: `1007`$/, examples: [] }])
  t.equal(JSON.stringify(paths['/things/{id}/{part}']?.get), JSON.stringify({ operationId: 'getThing', responses: ok }))
})

t.test('an example is text only where a double would change it', async (t) => {
  const operation = modelOf(shown(other)).operations.find(({ id }) => id === 'putThing')
  t.match(operation?.body?.media, [{ examples: [{ value: { content: { id: 1 } } }] }])
  t.match(operation?.responses[0]?.media, [{ examples: [{ value: '{\n  "content": 9223372036854775807\n}' }, {}] }])
})

t.test('where the API cannot be called, Swagger UI tries nothing', async (t) => {
  for (const operation of modelOf(shown(other, false)).operations)
    t.equal(operation.extensions['x-explorer-enabled'], false)
})

t.test('a description is its first paragraph, and no line of a paragraph begins a list', async (t) => {
  const document = {
    openapi: '3.0.3',
    info: { title: 'A', version: '1', description: 'All orders.\n\n## Quick start\n\nLong.' },
    paths: {
      '/a': { get: { description: 'The response is\n409. See [errors](#errors).\n\n- one\n- two', responses: {} } },
    },
  }
  const { info, paths } = JSON.parse(swaggerJson(JSON.stringify(document), true)) as typeof document
  t.equal(info.description, 'All orders.\n\n[The guide, and this reference with samples](../#introduction)')
  t.equal(paths['/a'].get.description, 'The response is 409. See [errors](../#errors).\n\n- one\n- two')
})
