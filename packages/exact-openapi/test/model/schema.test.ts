import t from 'tap'
import { documentOf } from 'test-kit/document'
import { fieldsOf, modelOf, type Schema } from '../../src/model/index.ts'
import { ref } from '../fixtures/serve.ts'

const string = { type: 'string' }
const object = (properties: object) => ({ type: 'object', properties })

t.test('a discriminator has the values of its mapping, else of a name, or what the property allows', async (t) => {
  const kinds = Object.fromEntries(['Cat', 'Dog', 'Bird'].map((name) => [name, object({ kind: string })]))
  const discriminator = { propertyName: 'kind', mapping: { feline: 'Cat', hound: '#/components/schemas/Dog' } }
  const oneOf = [...Object.keys(kinds).map(ref), object({ kind: { ...string, enum: ['x', 'y'] } })]
  const { schemas } = modelOf(documentOf({}, { schemas: { ...kinds, Pet: { oneOf, discriminator } } }))
  const values = schemas.get('Pet')?.discriminator?.choices.map((choice) => choice.values)
  t.strictSame(values, [['feline'], ['hound'], ['Bird'], ['x', 'y']])
})

t.test('what is hidden in any part is not required', async (t) => {
  const parts = [object({ a: string }), object({ b: { ...string, readOnly: true }, c: { ...string, writeOnly: true } })]
  const { schemas } = modelOf(documentOf({}, { schemas: { Whole: { allOf: parts, required: ['a', 'b', 'c'] } } }))
  const whole = schemas.get('Whole') as Schema
  t.strictSame(fieldsOf(whole, 'request').required, ['a', 'c'])
  t.strictSame(fieldsOf(whole, 'response').required, ['a', 'b'])
})
