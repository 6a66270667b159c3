import t from 'tap'
import { integer, makes, object, self, string } from '../fixtures/examples.ts'

const kinds = {
  oneOf: [
    { ...object({ kind: { const: 'cat' } }), required: ['kind'] },
    { ...object({ kind: { const: 'dog' } }), required: ['kind', 'name'] },
  ],
  discriminator: { propertyName: 'kind' },
}
const consequence = (then: object | boolean) => ({ then })

t.test('an example fits a branch, and what follows from a condition', async (t) =>
  makes(t, [
    [{ oneOf: [{ type: 'null' }, { ...string, maxLength: 1 }] }, 's'],
    [kinds, { kind: 'cat' }],
    [{ if: string, ...consequence({ minLength: 2 }) }, 'string'],
    [{ ...integer, if: { minimum: 0 }, ...consequence({ minimum: 700 }) }, 700],
    [{ ...integer, if: { maximum: 0 }, ...consequence(false), else: { minimum: 700 } }, 700],
    [
      { oneOf: [object({})], discriminator: { propertyName: 'kind', mapping: { cat: `${self.$ref}/oneOf/0` } } },
      { kind: 'cat' },
    ],
    [{ ...object({ next: { oneOf: [self, string] } }), required: ['next'] }, { next: 'string' }],
    [{ ...object({ next: { anyOf: [self, { type: 'null' }] } }), required: ['next'] }, { next: null }],
  ]),
)
