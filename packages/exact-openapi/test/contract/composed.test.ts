// What several schemas say of one value, whichever of them says it.
import t from 'tap'
import { accepts, big, int64, json, ref, serve, serveBody } from '../fixtures/serve.ts'

const integer = { type: 'integer' }
const string = { type: 'string' }
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const components = {
  schemas: {
    Id: { ...string, readOnly: true },
    Count: { ...integer, default: 5 },
    Cat: object({ kind: { type: 'string', enum: ['cat'] }, id: int64 }, { required: ['kind'] }),
    Dog: object({ kind: { type: 'string', enum: ['dog'] } }, { required: ['kind'] }),
    Cow: object({ kind: { type: 'string', enum: ['cow'] } }, { required: ['kind'] }),
    Pet: { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind' } },
  },
}

/** By schema, bodies with what the handler gets, and bodies that are not valid. */
const schemas: [schema: object, received: Record<string, string>, wrong: string[]][] = [
  [{ allOf: [int64, { enum: [1, 2] }] }, { '1': '1' }, ['3']],
  [{ allOf: [int64, { not: { enum: [0] } }] }, { [big]: big }, ['0']],
  [{ allOf: [object({ a: int64 }), { enum: [{ a: 1 }] }] }, { '{"a":1}': '{"a":1}' }, ['{"a":2}']],
  [{ allOf: [integer, { format: 'int64' }] }, { [big]: big }, ['"a"', '0.5']],
  [{ ...string, oneOf: [{ format: 'ipv4' }, { format: 'ipv6' }] }, { '"::1"': '"::1"' }, ['"a"']],
  [{ minimum: 2, format: 'ipv4' }, { '"1.2.3.4"': '"1.2.3.4"', '2': '2' }, ['"a"', '1']],
  [object({ id: { allOf: [ref('Id')] } }, { required: ['id'] }), { '{"id":"a"}': '{}', '{}': '{}' }, ['[]']],
  [object({ n: { allOf: [ref('Count')] } }), { '{}': '{"n":5}', '{"n":1}': '{"n":1}' }, ['{"n":"a"}']],
  [{ allOf: [object({ n: ref('Count') }), { maxProperties: 0 }] }, { '{}': '{"n":5}' }, ['{"n":1}']],
  [object({ pet: { allOf: [ref('Pet')] } }), { '{"pet":{"kind":"cat"}}': '{"pet":{"kind":"cat"}}' }, ['{"pet":{}}']],
  [{ anyOf: [object({ n: int64 }), integer] }, { '5': '5', '{"n":5}': '{"n":5}' }, ['"a"']],
  [{ anyOf: [ref('Pet'), ref('Cow')] }, { '{"kind":"cow","id":5}': '{"kind":"cow","id":5}' }, ['{"kind":"hen"}']],
  [
    { type: 'array', items: { type: 'object' }, uniqueItems: true },
    { '[{"a":1},{"a":2}]': '[{"a":1},{"a":2}]' },
    ['[{"a":1},{"a":1.0}]'],
  ],
]

t.test('it counts, and no part sees what another one makes of the value', async (t) => {
  for (const row of schemas) await accepts(t, row, '3.0.3', components)
})

const kind = (schema: object, more: object = {}) => object({ kind: schema, id: int64 }, { required: ['kind'], ...more })
const values = (...names: string[]) => ({ type: 'string', enum: names })
/** Unions whose discriminator decides, and those where it would refuse what one branch takes, or take what two do. */
const unions: object[] = [
  { oneOf: [kind(values('a')), kind(values('b', 'c'), { required: ['kind', 'id'] })] },
  { anyOf: [kind(values('a')), { allOf: [kind(string), kind(values('b'))] }] },
  { type: 'object', oneOf: [{ ...kind(values('a')), type: undefined }, kind(values('b'))] },
  { oneOf: [kind(values('a')), kind(values('a', 'b'))] },
  { oneOf: [kind(string, { required: ['id'] }), kind(string, { required: ['kind'], maxProperties: 1 })] },
  { anyOf: [kind(values('a'), { required: undefined }), kind(values('b'))] },
  { oneOf: [{ ...kind(values('a')), type: undefined }, kind(values('b'))] },
  { oneOf: [kind(values('a'), { nullable: true }), kind(values('b'))] },
  { oneOf: [kind({ ...values('a'), readOnly: true }), kind({ ...values('b'), readOnly: true })] },
  { oneOf: [kind(values('a')), kind(values('b'))], anyOf: [object({}, { required: ['id'] }), kind(values('a'))] },
]
const ofUnions = ['{"kind":"a"}', '{"kind":"b","id":1}', '{"kind":"b"}', '{"kind":"x"}', '{"id":1}', '{}', '1', 'null']

t.test('a discriminator changes neither what is valid nor what is received', async (t) => {
  for (const union of unions) {
    const discriminator = { propertyName: 'kind', mapping: { x: '#/components/schemas/Cat' } }
    const plain = await serveBody(t, union, '3.0.3', components)
    const chosen = await serveBody(t, { ...union, discriminator }, '3.0.3', components)
    for (const payload of ofUnions) {
      const [expected, received] = [await plain(payload), await chosen(payload)]
      t.equal(received.slice(0, 3), expected.slice(0, 3), `${JSON.stringify(union)} ${payload}`)
      if (!expected.startsWith('400')) t.equal(received, expected)
    }
  }
})

/** By schema of 3.1, valid bodies and others, as in JSON-Schema-Test-Suite. */
const newer: [schema: object, valid: string[], wrong: string[]][] = [
  [{ contains: object({ n: int64, d: { default: 1 } }, { required: ['n'] }) }, ['[{"n":5},{}]'], ['[{}]']],
  [{ type: 'array', uniqueItems: false }, ['[1,1]', '[{},{}]'], ['1']],
  [
    { if: { properties: { a: { type: 'string' } } }, unevaluatedProperties: false },
    ['{"a":"b"}'],
    ['{"a":1}', '{"b":1}'],
  ],
  [
    {
      if: { properties: { a: { const: 1 } }, required: ['a'] },
      else: { properties: { b: {} } },
      unevaluatedProperties: false,
    },
    ['{"a":1}', '{"b":1}'],
    ['{"a":2,"b":1}', '{"a":1,"b":1}'],
  ],
  [{ type: 'string', pattern: "^[\\p{L}\\'\\ ]+$" }, ['"Anna"', '"O\'Hara B"'], ['"p{L}"', '"1"']],
  [{ type: 'string', pattern: '^\\@.$' }, ['"@😀"', '"@a"'], ['"@"', '"@ab"']],
]

t.test('conditions, lists and patterns are read as JSON Schema says', async (t) => {
  for (const row of newer) await accepts(t, row, '3.1.0')
})

t.test('what Ajv would read otherwise keeps a document from starting', async (t) => {
  const refused: [schema: object, message: RegExp][] = [
    [{ contains: {}, unevaluatedItems: false }, /unevaluatedItems beside contains/],
    [{ anyOf: [{ items: { type: 'string' } }, {}], unevaluatedItems: false }, /items of a branch/],
    [{ if: { prefixItems: [{ const: 'a' }] }, unevaluatedItems: false }, /beside contains, if or/],
    [JSON.parse('{"properties":{"__proto__":{"type":"number"}}}'), /the property __proto__ is not supported/],
    [{ type: 'string', pattern: '^a\\Z' }, /is no regular expression/],
  ]
  for (const [schema, message] of refused) {
    await t.rejects(serve(t, { openapi: '3.1.0', operations: { 'POST /a': json(schema) } }), { message })
  }
})
