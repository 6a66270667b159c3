import type { Document } from 'exact-openapi'
import { modelOf, type Operation, type Parameter } from 'exact-openapi/model'
import t from 'tap'
import { buildDocumentApp } from 'test-kit/document-app'
import { parse } from 'yaml'
import { callOperation, operationTool } from '../../../cli/mcp/operation-tool.ts'
import { methodsOf } from '../../../packages/client/call.ts'
import { tableOf } from '../../../packages/client/scripts/generate.ts'

const document: Document = parse(`
openapi: 3.0.3
info: { title: Things, version: '1' }
paths:
  /things/{id}:
    put:
      operationId: replaceThing
      security: []
      summary: Replace a thing
      description: |
        Replaces a thing,
        all of it.
      parameters:
        - { name: id, in: path, required: true, description: Of the thing., schema: { $ref: "#/components/schemas/Id" } }
        - { name: If-Match, in: header, required: true, schema: { type: string } }
        - { name: dryRun, in: query, schema: { type: boolean, default: false } }
      requestBody:
        description: The thing.
        required: true
        content: { application/json: { schema: { $ref: "#/components/schemas/Thing" } } }
      responses:
        "200":
          description: The thing.
          headers: { ETag: { schema: { type: string } }, Link: { schema: { type: string } } }
          content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Id" } } } }
  /things:
    get: { operationId: listThings, security: [], responses: { "200": { description: All., content: { application/json: { schema: { type: object } } } } } }
    post:
      operationId: addThing
      security: []
      requestBody: { content: { application/json: {} } }
      responses: { "204": { description: Done. } }
components:
  schemas:
    Id: { type: integer, format: int64, description: A number. }
    Thing:
      type: object
      required: [size, made]
      properties:
        size: { type: number, minimum: 0, exclusiveMinimum: true, maximum: 9, example: 5, nullable: true }
        made: { type: string, readOnly: true }
        kind: { type: integer, format: int64, enum: [1, 2, null], nullable: true, x-known: true }
        count: { type: integer, format: uint64 }
        parts: { type: array, items: { $ref: "#/components/schemas/Thing" } }
        owner:
          oneOf:
            - { type: string }
            - { type: object, properties: { id: { $ref: "#/components/schemas/Id" } }, additionalProperties: { type: boolean } }
        free: {}
        others: { type: object, additionalProperties: { allOf: [{ $ref: "#/components/schemas/Id" }] } }
`)
const { operations } = modelOf(document)
const large = '9223372036854775807'
const operationOf = (id: string) => operations.find((one) => one.id === id) as Operation

t.test('a tool is described by its operation', async (t) => {
  const { inputSchema, ...tool } = operationTool(operationOf('replaceThing'))
  t.strictSame(tool, {
    title: 'Replace a thing',
    description: 'Replaces a thing, all of it.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  })
  const digits = { type: 'string', pattern: '^(0|-?[1-9]\\d{0,18})$' }
  const Thing = {
    type: 'object',
    required: ['size'],
    properties: {
      size: { type: ['number', 'null'], exclusiveMinimum: 0, maximum: 9 },
      kind: { ...digits, type: ['string', 'null'], enum: ['1', '2', null] },
      count: { type: 'string', pattern: '^(0|[1-9]\\d{0,19})$' },
      parts: { type: 'array', items: { $ref: '#/$defs/Thing' } },
      owner: {
        oneOf: [
          { type: 'string' },
          { type: 'object', properties: { id: { $ref: '#/$defs/Id' } }, additionalProperties: { type: 'boolean' } },
        ],
      },
      free: {},
      others: { type: 'object', additionalProperties: { allOf: [{ $ref: '#/$defs/Id' }] } },
    },
  }
  t.strictSame(JSON.parse(JSON.stringify(inputSchema)), {
    type: 'object',
    properties: {
      path: {
        type: 'object',
        properties: { id: { $ref: '#/$defs/Id', description: 'Of the thing.' } },
        required: ['id'],
        additionalProperties: false,
      },
      query: { type: 'object', properties: { dryRun: { type: 'boolean' } }, required: [], additionalProperties: false },
      headers: {
        type: 'object',
        properties: { 'If-Match': { type: 'string' } },
        required: ['If-Match'],
        additionalProperties: false,
      },
      body: { $ref: '#/$defs/Thing', description: 'The thing.' },
    },
    required: ['path', 'headers', 'body'],
    additionalProperties: false,
    $defs: { Id: { ...digits, description: 'A number.' }, Thing },
  })
  t.match(operationTool(operationOf('listThings')), {
    title: 'listThings',
    description: 'listThings',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  })
  t.match(operationTool(operationOf('addThing')), {
    inputSchema: { properties: { body: {} }, required: [] },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  })
})

t.test('a call takes and returns integers as text, exactly, with the headers of the document', async (t) => {
  const things = { none: null, some: true }
  const { app, got } = await buildDocumentApp(t, document, {
    handlers: {
      replaceThing: async (input) => {
        got.replaceThing = input
        return { status: 200, headers: { ETag: '"1"' }, body: [BigInt(large)] }
      },
      listThings: async () => ({ status: 200, body: things }),
    },
  })
  const baseUrl = `${await app.listen({ host: '127.0.0.1', port: 0 })}/v1`
  const client = methodsOf(tableOf(document), { baseUrl, apiKey: 'none' })
  const call = async (id: string, given: object) => {
    const { signal } = new AbortController()
    const called = await callOperation(operationOf(id), client[id] as never, given, signal)
    const { status, message, attempts, ...result } = Object(called)
    t.match([status, message, attempts], [/^20\d$/, /^\w.*\.$/, 1])
    return result
  }

  /** A request with an integer and another one in its places. */
  const requestOf = (id: unknown, kind: unknown) => ({
    path: { id },
    headers: { 'If-Match': '"0"' },
    query: { dryRun: true },
    body: { size: null, kind, owner: { id }, others: { a: id }, free: ['1'], parts: [{ size: 1, owner: '12' }] },
  })
  const result = { body: [large], headers: { ETag: '"1"' } }
  t.strictSame(await call('replaceThing', requestOf(large, '1')), result)
  t.match(got.replaceThing, requestOf(BigInt(large), 1n))
  t.strictSame(await call('listThings', {}), { body: things, headers: {} })
  t.strictSame(await call('addThing', { body: { free: ['1'] } }), { headers: {} })
  t.strictSame((got.addThing as { body: unknown }).body, { free: ['1'] })
  t.strictSame(await call('addThing', {}), { headers: {} })
})

t.test('a parameter without a schema takes anything', async (t) => {
  const parameter = { in: 'query', name: 'q', description: '', required: false } as Parameter
  const operation: Operation = { ...operationOf('listThings'), parameters: [parameter] }
  t.match(operationTool(operation), { inputSchema: { properties: { query: { properties: { q: {} } } } } })
  const sent: unknown[] = []
  const call = async (...given: readonly unknown[]) => {
    sent.push(...given)
  }
  await callOperation(operation, call, { query: { q: ['1'] } }, new AbortController().signal)
  t.match(sent, [{ query: { q: ['1'] } }])
})
