import t from 'tap'
import { type Document, modelOf } from '../../../spec/model/index.ts'
import { documentOf } from '../../fixtures/document-app.ts'

const responses = { 204: { description: 'Done.' } }

t.test('operations come in the order of the document; other keys of a path are none', async (t) => {
  const get = { responses }
  const { operations } = modelOf(
    documentOf({
      '/b': { summary: 'B', 'x-a': {}, get, put: { ...get, operationId: 'put' } },
      '/a': { delete: get },
      '/c': null,
    }),
  )
  t.strictSame(
    operations.map(({ id, method, path }) => [id, method, path]),
    [
      ['', 'GET', '/b'],
      ['put', 'PUT', '/b'],
      ['', 'DELETE', '/a'],
    ],
  )
  t.strictSame(modelOf({} as Document).operations, [])
})

t.test('a schema is one object wherever it is referred to, so a recursive one is a cycle', async (t) => {
  const Node = {
    type: 'object',
    properties: { next: { $ref: '#/components/schemas/Node' }, 'a/b~%25': { type: 'string' } },
  }
  const schemas = { Node, Alias: { $ref: '#/components/schemas/Node' } }
  const inside = { $ref: '#/components/schemas/Node/properties/a~1b~0%2525' }
  const parameters = [{ in: 'query', name: 'q', schema: inside }]
  const model = modelOf(documentOf({ '/a': { get: { parameters, responses } } }, { schemas }))
  const node = model.schemas.get('Node')
  t.equal(node?.properties?.next, node)
  t.equal(model.schemas.get('Alias'), node)
  t.equal(model.operations[0]?.parameters[0]?.schema, node?.properties?.['a/b~%25'])
})

t.test('the defaults of OpenAPI are filled in', async (t) => {
  const parameters = ['path', 'query', 'header', 'cookie'].map((place) => ({ in: place, name: place, schema: {} }))
  const [operation] = modelOf(documentOf({ '/{path}': { get: { parameters, responses } } })).operations
  t.strictSame(
    operation?.parameters.map(({ name, style, explode }) => [name, style, explode]),
    [
      ['path', 'simple', false],
      ['query', 'form', true],
      ['header', 'simple', false],
      ['cookie', 'form', true],
    ],
  )
  t.match(operation, { deprecated: false, tags: [], description: '', security: undefined, body: undefined })
})

t.test('security is that of the operation, or else of the document', async (t) => {
  const get = (security?: object) => ({ responses, ...(security && { security }) })
  const paths = { '/a': { get: get() }, '/b': { get: get([]) }, '/c': { get: get([{ a: [], b: [] }, {}]) } }
  const { operations } = modelOf({ ...documentOf(paths), security: [{ key: [] }] } as Document)
  t.strictSame(
    operations.map(({ security }) => security),
    [[['key']], [], [['a', 'b'], []]],
  )
})
