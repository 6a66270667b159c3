// Schemas as generators of documents write them: what a reader sees of each.
import { parseDocument } from 'exact-openapi'
import t from 'tap'
import { readReference } from '../../src/reference/read.ts'

const reference = readReference(
  parseDocument(
    `
openapi: 3.1.0
info: { title: A, version: '1' }
paths:
  /a:
    post:
      operationId: a
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Account' } } } }
      responses:
        '200':
          description: It.
          content:
            application/json:
              schema:
                allOf:
                  - { type: object, required: [data], properties: { data: { type: array, items: { type: object } }, links: { type: object }, pin: { type: string, writeOnly: true } } }
                  - { properties: { data: { type: array, description: All., items: { $ref: '#/components/schemas/Account' } } } }
components:
  schemas:
    Account:
      type: object
      oneOf: [{ required: [iban] }, { required: [account] }]
      properties:
        id: { type: string, readOnly: true }
        pin: { type: string, writeOnly: true }
        cursor: { title: Cursor, anyOf: [{ type: string, maxLength: 5 }, { type: 'null' }] }
        next: { anyOf: [{ $ref: '#/components/schemas/Next' }, { type: 'null' }] }
        tags: { anyOf: [{ type: array, items: { type: string } }, { type: 'null' }] }
        either: { title: Either, anyOf: [{ type: string }, { type: array, items: { type: string } }] }
        lists: { anyOf: [{ type: string }, { type: array }, { type: array, items: { type: array, items: { type: string } } }] }
        some: { type: object, anyOf: [{ required: [a] }, { required: [b, c] }] }
        titled: { title: Titled, type: object, properties: { z: { type: string } } }
        empty: { type: string, example: '' }
    Next: { type: object, properties: { q: { type: string } } }
    Choice: { oneOf: [{ $ref: '#/components/schemas/Next' }, { $ref: '#/components/schemas/Account' }], discriminator: { propertyName: kind } }
`,
    'a',
  ),
)
const [operation] = reference.groups.flatMap(({ operations }) => operations)
const request = operation?.body?.formats[0]?.content.fields ?? []
const response = operation?.responses[0]?.formats[0]?.content.fields ?? []
const typesOf = Object.fromEntries(request.map(({ key, type }) => [key, type]))

t.test('a choice between a type and null is that type or null, and no title stands for a type', async (t) => {
  t.match(typesOf.cursor, { name: 'string or null', constraints: ['at most 5 characters'] })
  t.match(typesOf.next, { name: 'Next or null', schemaId: 'schema-Next' })
  t.match(typesOf.tags, { name: 'array of string or null', isArray: false })
  t.equal(typesOf.either?.name, 'string or array of string')
  t.equal(typesOf.lists?.name, 'string or array')
  t.match(typesOf.some, { name: 'object', constraints: ['with a, or b and c'] })
  t.equal(typesOf.titled?.name, 'object')
})

t.test('a request has no fields that only responses have, and a schema has them all', async (t) => {
  const names = (fields: readonly { key: string }[]) => fields.map(({ key }) => key)
  t.strictSame(names(request), ['pin', 'cursor', 'next', 'tags', 'either', 'lists', 'some', 'titled', 'empty'])
  const [account] = reference.schemas.map(({ part }) => part())
  t.strictSame(names(account?.content.fields ?? []).slice(0, 2), ['id', 'pin'])
})

t.test('a field that several parts describe is listed once, as the one that says most of it does', async (t) => {
  t.match(response, [
    { key: 'data', isRequired: true, description: 'All.', type: { schemaId: 'schema-Account' } },
    { key: 'links' },
  ])
  t.equal(response.length, 2, 'what is writeOnly is in no response')
})

t.test('alternatives that differ in what they require, and names of a discriminator, are said once', async (t) => {
  const [account, , choice] = reference.schemas.map(({ part }) => part().type)
  t.match(account, { name: 'object', constraints: ['with iban, or else account'] })
  t.strictSame(choice?.constraints, ['chosen by kind'])
})
