import t from 'tap'
import { schemas } from '../operations.ts'
import { readerOf, readJson } from '../read.ts'

const int64 = { type: 'integer', format: 'int64' }
const order = { $ref: 'Order' }
const read = readerOf(schemas)

t.test('an int64 is a bigint, any other number a number, described or not', async (t) => {
  const text = '{"id":9223372036854775807,"petId":1,"quantity":-2,"share":0.5,"none":null,"list":[1,{"id":3}]}'
  t.strictSame(readJson(read, order, text), {
    id: 9223372036854775807n,
    petId: 1n,
    quantity: -2,
    share: 0.5,
    none: null,
    list: [1, { id: 3 }],
  })
})

t.test('every value is frozen', async (t) => {
  const list = readJson(read, { type: 'array', items: order }, '[{"id":1},{"more":[1]}]') as { more?: unknown }[]
  t.ok([list, ...list, list[1]?.more].every(Object.isFrozen))
})

t.test('text that is not JSON is rejected', async (t) => {
  for (const text of ['<html>', '', '[1', '{"id":1,"id":2}'])
    t.throws(() => readJson(read, order, text), SyntaxError, text)
})

const object = (properties: object) => ({ type: 'object', properties })

/** A schema, texts with their values, and invalid texts with their errors. */
const cases: Record<string, [schema: object, accepted: [string, unknown][], rejected: [string, string][]]> = {
  nullable: [{ ...int64, nullable: true }, [['null', null]], [['"1"', 'a 64-bit integer, as a bigint']]],
  number: [{ type: 'number' }, [['1.5', 1.5]], [['1e400', 'of type number']]],
  'enum of text': [{ type: 'string', enum: ['a', 'b'] }, [['"a"', 'a']], [['"c"', 'one of a, b']]],
  uint64: [
    { type: 'integer', format: 'uint64' },
    [['18446744073709551615', 2n ** 64n - 1n]],
    [
      ['-1', 'a 64-bit integer of 0 or more, as a bigint'],
      ['1.5', 'a 64-bit integer of 0 or more, as a bigint'],
    ],
  ],
  null: [{ type: 'null' }, [['null', null]], [['0', 'of type null']]],
  tuple: [{ type: 'array', prefixItems: [int64], items: {} }, [['[1,1]', [1n, 1]]], []],
  'enum of numbers': [{ enum: [1.5] }, [['1.5', 1.5]], [['2', 'one of 1.5']]],
  'enum of int64': [{ ...int64, enum: [1] }, [['1', 1n]], [['2', 'one of 1']]],
  map: [{ type: 'object', additionalProperties: int64 }, [['{"a":1}', { a: 1n }]], [['[]', 'of type object']]],
  array: [{ type: 'array' }, [['[1]', [1]]], [['{}', 'of type array']]],
  allOf: [
    { allOf: [{ properties: { a: int64 } }, { properties: { b: int64 } }] },
    [['{"a":1,"b":2}', { a: 1n, b: 2n }]],
    [],
  ],
  'allOf of an integer': [{ allOf: [{ type: 'integer' }, int64, { type: 'number' }] }, [['1', 1n]], []],
  'the second alternative': [
    { oneOf: [object({ name: {} }), object({ chip: int64 })] },
    [
      ['{"chip":9007199254740993}', { chip: 9007199254740993n }],
      ['{"name":5}', { name: 5 }],
    ],
    [['[]', 'of type object']],
  ],
  'an alternative that fails late': [
    { oneOf: [object({ id: int64, size: { type: 'string' } }), object({ id: {} })] },
    [['{"id":5,"size":1}', { id: 5, size: 1 }]],
    [],
  ],
  'the alternative that a discriminator names': [
    { oneOf: [object({ id: int64 }), object({ id: {} })], discriminator: ['kind', ['cat', 'lion'], ['dog']] },
    [
      ['{"kind":"lion","id":5}', { kind: 'lion', id: 5n }],
      ['{"kind":"dog","id":5}', { kind: 'dog', id: 5 }],
      ['{"kind":"later","id":5}', { kind: 'later', id: 5n }],
    ],
    [['[]', 'of type object']],
  ],
  'properties by pattern': [
    { patternProperties: { '^n': int64 }, additionalProperties: { type: 'number' } },
    [['{"n1":9007199254740993,"o":5}', { n1: 9007199254740993n, o: 5 }]],
    [],
  ],
  oneOf: [
    { oneOf: [int64, { type: 'boolean' }] },
    [
      ['1', 1n],
      ['true', true],
    ],
    [['"x"', 'of type boolean']],
  ],
  anyOf: [{ anyOf: [{ type: 'boolean' }] }, [['true', true]], [['1', 'of type boolean']]],
  anything: [{}, [['{"a":[1]}', { a: [1] }]], []],
}

for (const [name, [schema, accepted, rejected]] of Object.entries(cases)) {
  t.test(`a value is read according to its schema: ${name}`, async (t) => {
    for (const [text, value] of accepted) t.strictSame(readJson(read, schema, text), value)
    for (const [text, wanted] of rejected)
      t.throws(() => readJson(read, schema, text), { message: `body must be ${wanted}.` })
  })
}

t.test('an error names the place within the value', async (t) => {
  const within = { type: 'array', items: { type: 'object', required: ['id'], properties: { id: int64 } } }
  t.throws(() => readJson(read, within, '[{"id":1},{}]'), new TypeError('body/1/id is missing.'))
  t.throws(() => read(int64, 5, 'orderId'), new TypeError('orderId must be a 64-bit integer, as a bigint.'))
})
