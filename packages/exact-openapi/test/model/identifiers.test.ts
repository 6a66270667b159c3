import t from 'tap'
import { documentOf, modelOf, type RawDocument } from '../../src/model/index.ts'
import { accepts, serveBody } from '../fixtures/serve.ts'

const number = { type: 'number' }
/** By how it is written, a schema of which only numbers are valid. */
const schemas: Record<string, object> = {
  'an anchor of the document': { $ref: '#number' },
  'an anchor of a schema with a name': {
    $id: 'https://example.com/a',
    $ref: '#own',
    $defs: { b: { $anchor: 'own', ...number } },
  },
  'a name, relative to another': {
    $id: 'https://example.com/a/b',
    $ref: 'c',
    $defs: { b: { $id: '/a/c', ...number }, c: { $id: 'https://example.com/c', type: 'string' } },
  },
  'a place within a schema with a name': {
    $id: 'urn:uuid:123e4567-e89b-12d3-a456-426614174000',
    $ref: '#/$defs/a~1b',
    $defs: { 'a/b': number },
  },
  'a place within another': {
    allOf: [{ $ref: 'https://example.com/d#/$defs/e' }],
    $defs: { d: { $id: 'https://example.com/d', $defs: { e: number } } },
  },
  'a dynamic anchor that one schema has': { $dynamicRef: '#only', $defs: { a: { $dynamicAnchor: 'only', ...number } } },
  'a dynamic reference to another name': {
    $id: 'https://example.com/e',
    $dynamicRef: '#own',
    $defs: { a: { $anchor: 'own', ...number } },
  },
  'a dynamic reference beside others': {
    $ref: '#number',
    $dynamicRef: '#least',
    allOf: [{ maximum: 9 }],
    $defs: { a: { $dynamicAnchor: 'least', minimum: 1 } },
  },
  'a place through the schema itself': {
    $id: 'https://example.com/f',
    anyOf: [number, { type: 'array', items: { $ref: '#' }, minItems: 9 }],
  },
}
const components = { schemas: { Number: { $anchor: 'number', ...number } } }

t.test('references by names lead to what has them', async (t) => {
  for (const schema of Object.values(schemas)) await accepts(t, [schema, ['5'], ['"text"']], '3.1.0', components)
})

t.test('what they cannot say is refused', async (t) => {
  const dynamic = { $dynamicAnchor: 'some', ...number }
  const refused: [schema: object, message: RegExp][] = [
    [{ $ref: '#gone' }, /the reference #gone leads nowhere/],
    [{ $ref: 'https://example.com/gone#number' }, /leads nowhere/],
    [{ $ref: 'http://[' }, /the reference http:\/\/\[ leads nowhere/],
    [{ $id: '#number' }, /\$id is not supported/],
    [{ $id: 'http://[', allOf: [{ $ref: '#number' }], $dynamicRef: '#number' }, /\$id is not supported/],
    [{ $anchor: 'a', properties: { a: null } }, /properties a/],
    [{ $id: 'urn:a:b', $defs: { a: { $id: 'c' } } }, /\$id is not supported/],
    [
      { $dynamicRef: '#some', $defs: { a: dynamic, b: { $id: 'https://example.com/b', ...dynamic } } },
      /\$dynamicRef is not supported/,
    ],
  ]
  for (const [schema, message] of refused) await t.rejects(serveBody(t, schema, '3.1.0', components), { message })
})

t.test('a schema beside those with names may be true or false, and a value may look like a name', async (t) => {
  await accepts(t, [{ $ref: '#number', allOf: [true], properties: { a: false } }, ['5'], []], '3.1.0', components)
  const value = { $id: 'a', $ref: '#number' }
  await accepts(t, [{ enum: [value] }, [JSON.stringify(value)], []], '3.1.0', components)
})

t.test('a document of 3.2 may say where it is', async (t) => {
  for (const [$self, $ref] of [
    ['https://example.com/api.yaml', 'https://example.com/api.yaml#/components/schemas/Number'],
    ['/api.yaml', 'api.yaml#number'],
    ['http://[', '#number'],
  ]) {
    const schemas = { ...components.schemas, Other: { $ref } }
    const raw = { openapi: '3.2.0', $self, info: { title: 'T', version: '1' }, paths: {}, components: { schemas } }
    const model = modelOf(documentOf(raw as unknown as RawDocument))
    t.match(model.schemas.get('Other'), number, String($self))
  }
})
