// What the form gets of an operation.
import { modelOf, type Operation } from 'exact-openapi/model'
import t from 'tap'
import { documentOf } from 'test-kit/document'
import { parseExactly } from '../browser/json.js'
import { operationData } from '../src/operation-data.ts'

t.test('the form gets schemas with references, values with every digit, and no texts', async (t) => {
  const $ref = '#/components/schemas/Node'
  const node = {
    type: 'object',
    description: 'A node.',
    ...{ title: 'Node', examples: [1], externalDocs: { url: 'https://a.example' } },
    required: ['next'],
    properties: {
      pointer: { type: 'string', example: { pointer: 'x', description: 'kept' } },
      description: { type: 'integer', format: 'int64', minimum: 9007199254740993n },
      next: { $ref },
    },
  }
  const int64 = { type: 'integer', format: 'int64' }
  const parameters = [{ in: 'path', name: 'id', required: true, schema: int64, example: 9007199254740993n }]
  const content = { 'application/json': { schema: { $ref } }, 'text/plain': { example: 'x' } }
  const post = { operationId: 'send', security: [{ missing: [] }], parameters, requestBody: { content }, responses: {} }
  const model = modelOf(documentOf({ '/a/{id}': { post } }, { schemas: { Node: node } }))
  const data = parseExactly(operationData(model, model.operations[0] as Operation))
  t.match(data, {
    method: 'POST',
    isSafe: false,
    alternatives: [{ name: 'missing', credentials: [] }],
    hasOwnSamples: false,
    parameters: [{ name: 'id', in: 'path', required: true, schema: int64 }],
    input: { path: { id: 9007199254740993n } },
    body: { required: false, media: [{ type: 'application/json', schema: { $ref } }, content['text/plain']] },
  })
  const { description: _, title, examples, externalDocs, ...shown } = node
  t.strictSame(data.schemas, { [$ref]: { name: 'Node', ...shown } })
})

t.test('a discriminator has the values of its branches, which are references', async (t) => {
  const kind = { type: 'string' }
  const schemas = { Cat: { type: 'object', properties: { kind } }, Dog: { type: 'object', properties: { kind } } }
  const [Cat, Dog] = ['Cat', 'Dog'].map((name) => ({ $ref: `#/components/schemas/${name}` }))
  const mapping = { cat: '#/components/schemas/Cat' }
  const schema = { oneOf: [Cat, Dog], discriminator: { propertyName: 'kind', mapping } }
  const requestBody = { content: { 'application/json': { schema } } }
  const responses = { 200: { description: 'A.', content: { 'text/csv': {}, 'application/json': {} } } }
  const post = { operationId: 'send', 'x-codeSamples': [], requestBody, responses }
  const model = modelOf(documentOf({ '/a': { post } }, { schemas }))
  const data = parseExactly(operationData(model, model.operations[0] as Operation))
  t.equal(data.hasOwnSamples, true)
  const types = { type: 'string', enum: ['application/json', 'text/csv'] }
  t.match(data.parameters, [{ name: 'Accept', in: 'header', schema: types }], 'the types of its result are a choice')
  const choices = [
    { schema: Cat, values: ['cat'] },
    { schema: Dog, values: ['Dog'] },
  ]
  t.strictSame(data.body.media[0].schema.discriminator, { propertyName: 'kind', mapping, choices })
})

t.test('a server of its own that is the usual one is none, and HEAD has no body', async (t) => {
  const server = (url: string) => ({ servers: [{ url }] })
  const requestBody = { content: { 'application/json': { example: 1 } } }
  const head = { operationId: 'look', ...server('https://a.example/v1'), requestBody, responses: {} }
  const document = Object.assign(documentOf({ '/a': { head } }), server('https://a.example/v1/'))
  const model = modelOf(document)
  const data = parseExactly(operationData(model, model.operations[0] as Operation))
  t.strictSame(['servers' in data, 'body' in data.input], [false, false])
})
