// A document of a test's own, with its reference and an API that echoes the bodies it gets.

import { parseDocument } from 'exact-openapi'
import { contentOf } from 'http-edge/fastify'
import { openapiPages } from 'openapi-pages'
import type { BrowserContextOptions } from 'playwright-core'
import type { Test } from 'tap'
import { documentApp } from 'test-kit/document-app'
import { show, tryIt } from './fixture.ts'

/** With every kind of field. */
const yaml = `
openapi: 3.0.3
info: { title: Other, version: '1' }
servers: [{ url: /v1 }]
paths:
  /orders:
    post:
      operationId: createOrder
      summary: Place an order
      security: []
      requestBody:
        required: true
        description: What is ordered.
        content:
          application/json:
            example: { petId: 9007199254740993, items: [{ sku: bone, quantity: 2 }], payment: { kind: card, last4: '4242' } }
            schema:
              type: object
              required: [petId, items, payment]
              additionalProperties: false
              properties:
                id: { type: integer, format: int64, readOnly: true, description: Given by the server. }
                petId: { type: integer, format: int64, description: The animal. }
                note: { type: string, nullable: true, maxLength: 20 }
                address: { $ref: '#/components/schemas/Address' }
                items:
                  type: array
                  minItems: 1
                  items:
                    type: object
                    required: [sku]
                    properties:
                      sku: { type: string }
                      quantity: { type: integer, minimum: 1, description: How many units. }
                payment:
                  oneOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Invoice' }]
                  discriminator: { propertyName: kind, mapping: { card: '#/components/schemas/Card' } }
      responses: &responses
        200: { description: The order., content: { application/json: { schema: { type: object } } } }
        400: { description: The request is invalid. }
  /notes/{name}:
    put:
      operationId: putNote
      summary: Write a note
      security: []
      parameters: [{ in: path, name: name, required: true, schema: { type: string }, example: it's (a) }]
      requestBody: { content: { text/plain: { schema: { type: string }, example: 'Hello, world' } } }
      responses: *responses
  /forms:
    post:
      operationId: sendForm
      summary: Send a form
      security: []
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            example: { id: 1, tags: [a, b] }
            schema:
              type: object
              required: [id]
              properties: { id: { type: integer, format: int64 }, tags: { type: array, items: { type: string } } }
      responses: *responses
  /search/{id}:
    get:
      operationId: search
      summary: Search orders
      security: []
      parameters:
        - { in: path, name: id, required: true, schema: { type: integer, format: int64 }, example: 1 }
        - { in: query, name: id, schema: { type: string } }
        - in: query
          name: ids
          required: true
          schema: { type: array, items: { type: integer, format: int64 }, minItems: 1, maxItems: 3, uniqueItems: true }
          example: [7, 8]
        - { in: query, name: joined, schema: { type: array, items: { type: string } }, explode: false }
        - { in: query, name: kinds, schema: { type: array, items: { type: string, enum: [a, b|c] } } }
        - { in: header, name: X-Ids, schema: { type: array, items: { type: integer, format: int64 } } }
      responses: *responses
  /pets:
    post:
      operationId: addPet
      summary: Add a pet
      security: [{ token: [] }]
      parameters:
        - { in: query, name: mode, schema: { type: string, enum: [draft, final] } }
        - { in: query, name: notify, schema: { type: boolean } }
        - { in: header, name: X-Note, schema: { type: string } }
        - { in: cookie, name: session, required: true, schema: { type: string }, example: abc }
      requestBody:
        required: true
        content:
          application/json:
            example: { kind: dog, isTame: true }
            schema: &pet
              type: object
              required: [kind, isTame]
              properties:
                kind: { type: string, enum: [cat, dog] }
                isTame: { type: boolean }
                isOld: { type: boolean }
                born: { type: string, format: date }
                weight: { type: number }
                chip: { anyOf: [{ type: integer, format: int64 }, { type: string }] }
                address: { $ref: '#/components/schemas/Address' }
                photo: { type: string, format: binary }
          multipart/form-data: { schema: *pet }
      responses: *responses
  /reports/{year}:
    get:
      operationId: getReport
      summary: Get a report
      security: []
      parameters: [{ in: path, name: year, required: true, schema: { type: string }, example: '2026' }]
      responses:
        200: { description: The report., content: { application/pdf: { schema: { type: string, format: binary } } } }
components:
  securitySchemes: { token: { type: apiKey, in: query, name: key } }
  schemas:
    Card:
      type: object
      required: [kind, last4]
      properties:
        kind: { type: string, enum: [card] }
        last4: { type: string, pattern: '^\\d{4}$', description: The last digits. }
    Invoice:
      type: object
      required: [kind]
      properties: { kind: { type: string, enum: [Invoice] }, dueDays: { type: integer, minimum: 1, maximum: 90, default: 30 } }
    Address:
      type: object
      required: [city]
      properties: { city: { type: string, minLength: 1 }, street: { type: string } }
`

/** Where it listens, and the bodies that it got. */
export async function servePlanted(t: Test) {
  const document = parseDocument(yaml, 'planted.yaml')
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

/** Its page, with the form of an operation. */
export async function tryPlanted(t: Test, operationId: string, options: BrowserContextOptions = {}) {
  const { origin, bodies } = await servePlanted(t)
  const page = await show(t, `${origin}/docs`, options)
  return { page, bodies, form: await tryIt(page, operationId) }
}
