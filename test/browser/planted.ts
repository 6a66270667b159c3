// A document of a test's own, with its reference and an API that echoes the bodies it gets.

import type { Document } from 'exact-openapi'
import { contentOf } from 'http-edge/fastify'
import { openapiPages } from 'openapi-pages'
import type { Test } from 'tap'
import { documentApp, documentOf } from '../fixtures/document-app.ts'

const int64 = { type: 'integer', format: 'int64' }
const text = { type: 'string' }

const schemas = {
  Card: {
    type: 'object',
    required: ['kind', 'last4'],
    properties: { kind: text, last4: { ...text, pattern: '^\\d{4}$', description: 'The last digits.' } },
  },
  Invoice: {
    type: 'object',
    required: ['kind'],
    properties: { kind: text, dueDays: { type: 'integer', minimum: 1, maximum: 90, default: 30 } },
  },
  Address: {
    type: 'object',
    required: ['city'],
    properties: { city: { ...text, minLength: 1 }, street: text },
  },
}

export const order = {
  type: 'object',
  required: ['petId', 'items', 'payment'],
  additionalProperties: false,
  properties: {
    id: { ...int64, readOnly: true, description: 'Given by the server.' },
    petId: { ...int64, description: 'The animal.' },
    note: { ...text, nullable: true, maxLength: 20 },
    address: { $ref: '#/components/schemas/Address' },
    items: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['sku'],
        properties: { sku: text, quantity: { type: 'integer', minimum: 1, description: 'How many units.' } },
      },
    },
    payment: {
      oneOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Invoice' }],
      discriminator: { propertyName: 'kind', mapping: { card: '#/components/schemas/Card' } },
    },
  },
}

const example = {
  petId: 9007199254740993n,
  items: [{ sku: 'bone', quantity: 2 }],
  payment: { kind: 'card', last4: '4242' },
}

const echoed = { description: 'The order.', content: { 'application/json': { schema: { type: 'object' } } } }
const rejected = { description: 'The request is invalid.' }
const responses = { 200: echoed, 400: rejected }
const json = (schema: object, more = {}) => ({ 'application/json': { schema, ...more } })

const paths = {
  '/orders': {
    post: {
      operationId: 'createOrder',
      summary: 'Place an order',
      security: [],
      requestBody: { required: true, description: 'What is ordered.', content: json(order, { example }) },
      responses,
    },
  },
  '/notes/{name}': {
    put: {
      operationId: 'putNote',
      summary: 'Write a note',
      security: [],
      parameters: [{ in: 'path', name: 'name', required: true, schema: text, example: "it's (a)" }],
      requestBody: { content: { 'text/plain': { schema: text, example: 'Hello, world' } } },
      responses,
    },
  },
  '/forms': {
    post: {
      operationId: 'sendForm',
      summary: 'Send a form',
      security: [],
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              required: ['id'],
              properties: { id: int64, tags: { type: 'array', items: text } },
            },
            example: { id: 1, tags: ['a', 'b'] },
          },
        },
      },
      responses,
    },
  },
}

const list = (schema: object, more = {}) => ({ type: 'array', items: schema, ...more })
const search = (name: string, schema: object, more = {}) => ({ in: 'query', name, schema, ...more })

const searched = {
  '/search/{id}': {
    get: {
      operationId: 'search',
      summary: 'Search orders',
      security: [],
      parameters: [
        { in: 'path', name: 'id', required: true, schema: int64, example: 1 },
        search('id', text),
        search('ids', list(int64, { minItems: 1, maxItems: 3, uniqueItems: true }), {
          required: true,
          example: [7, 8],
        }),
        search('joined', list(text), { explode: false }),
        search('kinds', list({ ...text, enum: ['a', 'b|c'] })),
        { in: 'header', name: 'X-Ids', schema: list(int64) },
      ],
      responses,
    },
  },
}

const bytes = { ...text, format: 'binary' }
const pet = {
  type: 'object',
  required: ['kind', 'isTame'],
  properties: {
    kind: { ...text, enum: ['cat', 'dog'] },
    isTame: { type: 'boolean' },
    isOld: { type: 'boolean' },
    born: { ...text, format: 'date' },
    weight: { type: 'number' },
    chip: { anyOf: [int64, text] },
    address: { $ref: '#/components/schemas/Address' },
    photo: bytes,
  },
}

/** With every kind of field. */
const fields = {
  '/pets': {
    post: {
      operationId: 'addPet',
      summary: 'Add a pet',
      security: [{ token: [] }],
      parameters: [
        search('mode', { ...text, enum: ['draft', 'final'] }),
        search('notify', { type: 'boolean' }),
        { in: 'header', name: 'X-Note', schema: text },
        { in: 'cookie', name: 'session', required: true, schema: text, example: 'abc' },
      ],
      requestBody: {
        required: true,
        content: { ...json(pet, { example: { kind: 'dog', isTame: true } }), 'multipart/form-data': { schema: pet } },
      },
      responses,
    },
  },
  '/reports/{year}': {
    get: {
      operationId: 'getReport',
      summary: 'Get a report',
      security: [],
      parameters: [{ in: 'path', name: 'year', required: true, schema: text, example: '2026' }],
      responses: { 200: { description: 'The report.', content: { 'application/pdf': { schema: bytes } } } },
    },
  },
}

/** Where it listens, and the bodies that it got. */
export async function servePlanted(t: Test) {
  const securitySchemes = { token: { type: 'apiKey', in: 'query', name: 'key' } }
  const written = documentOf({ ...paths, ...searched, ...fields }, { schemas, securitySchemes })
  const document = { ...written, servers: [{ url: '/v1' }] } as Document
  const bodies: { type: string; text: string }[] = []
  const { app } = await documentApp(document, {
    stub: async ({ body }) => ({ status: 200, body: { got: String(body) } }),
    guards: { token: () => [async () => {}] },
    before(app) {
      app.addHook('preHandler', async (request) => {
        const content = contentOf(request)
        if (content) bodies.push({ type: String(content.type), text: content.bytes.toString() })
      })
      return app.register(openapiPages, { document })
    },
  })
  t.teardown(() => app.close())
  return { origin: await app.listen({ host: '127.0.0.1', port: 0 }), bodies, document }
}
