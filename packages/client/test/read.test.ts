import t from 'tap'
import { fc } from 'test-kit/properties'
import { schemas } from '../operations.ts'
import { readAt, readers, readJson } from '../read.ts'

const int64 = { type: 'integer', format: 'int64' }
const order = { $ref: 'Order' }
const read = readers(schemas)

t.test('an int64 is a bigint, any other number a number, described or not', async (t) => {
  const others = '"quantity":-2,"share":0.5,"none":null,"list":[1,-1.5e+300,{"id":3}]'
  const found = await readJson(read, order, `{"id":9223372036854775807,"petId":1,${others}}`)
  t.strictSame(found, { id: 9223372036854775807n, petId: 1n, ...JSON.parse(`{${others}}`) })
})

t.test('every text stays a text, whatever it begins with', async (t) => {
  const rests = (first: string) => ['', '5', first, '9223372036854775807'].map((rest) => first + rest)
  const texts = ['\u0000', '\u009f', '"'].flatMap(rests)
  const written = [...texts.map((text) => JSON.stringify(text)), '"\\u009F5"']
  const id = 9223372036854775807n
  t.strictSame(await readJson(read, order, `{"id":${id},"texts":[${written}],"\u009f1":"\u009f"}`), {
    id,
    texts: [...texts, '\u009f5'],
    '\u009f1': '\u009f',
  })
  const list = { type: 'array', items: { type: 'string' } }
  t.strictSame(await readJson(read, list, `[${written}]`), [...texts, '\u009f5'])
  t.strictSame(await readJson(read, { type: 'array', items: {} }, `[${id}]`), [Number(id)])
})

t.test('every value is frozen', async (t) => {
  const list = await readJson(read, { type: 'array', items: order }, '[{"id":1},{"more":[1]}]')
  const [first, second] = list as [object, { more: unknown }]
  t.ok([list, first, second, second.more].every(Object.isFrozen))
})

t.test('text that is not JSON is rejected', async (t) => {
  for (const text of ['<html>', '', '[1', '["\\', '{"id":1,"id":2}'])
    await t.rejects(readJson(read, order, text), SyntaxError, text)
})

const object = (properties: Record<string, object>) => ({ type: 'object', properties })

const natural = 'a 64-bit integer of 0 or more, as a bigint'

/** A schema, texts with their values, and invalid texts with what they must be. */
const cases: Record<string, [schema: object, accepted: Record<string, unknown>, rejected?: Record<string, string>]> = {
  nullable: [
    { ...int64, nullable: true },
    { null: null, '9007199254740993': 9007199254740993n },
    { '"1"': 'a 64-bit integer, as a bigint' },
  ],
  number: [{ type: 'number' }, { '1.5': 1.5 }, { '1e400': 'of type number' }],
  'number of many digits': [
    { type: 'number' },
    { '1234567890123456E2': 1234567890123456e2, '0.1234567890123456': 0.1234567890123456, '1e-1000000000000000': 0 },
  ],
  'enum of text': [{ type: 'string', enum: ['a', 'b'] }, { '"a"': 'a' }, { '"c"': 'one of a, b' }],
  uint64: [
    { type: 'integer', format: 'uint64' },
    { '18446744073709551615': 2n ** 64n - 1n, '0': 0n },
    { '-1': natural, '1.5': natural },
  ],
  uint8: [{ type: 'integer', format: 'uint8' }, { '5': 5 }, { '1.5': 'of type uint8' }],
  integer: [{ type: 'integer' }, { '5': 5 }, { '9007199254740993': 'of type integer' }],
  'date-time': [
    { type: 'string', format: 'date-time' },
    { '"2026-12-31t23:59:60.5-00:30"': '2026-12-31t23:59:60.5-00:30' },
    Object.fromEntries(
      ['00-01T00:00:00Z', '13-01T00:00:00Z', '01-00T00:00:00Z', '01-32T00:00:00Z', '01-01T24:00:00Z', '01-01T00:60:00Z']
        .concat('01-01T00:00:61Z', '01-01T00:00:00+24:00', '01-01T00:00:00+00:60')
        .map((text) => [`"2026-${text}"`, 'of type date-time']),
    ),
  ],
  null: [{ type: 'null' }, { null: null }, { '0': 'of type null' }],
  'a tuple of two items at most': [{ prefixItems: [int64] }, { '[1,1]': [1n, 1] }],
  'items or fields of what may be anything': [
    { items: int64, properties: { a: int64 } },
    { '[1]': [1n], '{"a" :1 , "b":2}': { a: 1n, b: 2 }, '5': 5 },
  ],
  'enum of numbers': [{ enum: [1.5] }, { '1.5': 1.5 }, { '2': 'one of 1.5' }],
  'enum of int64': [{ ...int64, enum: [1] }, { '1': 1n }, { '2': 'one of 1' }],
  map: [{ type: 'object', additionalProperties: int64 }, { '{"a":1}': { a: 1n } }, { '[]': 'of type object' }],
  array: [{ type: 'array' }, { '[1]': [1] }, { '{}': 'of type array' }],
  'allOf of an integer': [{ allOf: [{ type: 'integer' }, int64, { type: 'number' }] }, { '1': 1n }],
  'the second alternative': [
    { oneOf: [object({ name: {} }), object({ chip: int64 })] },
    { '{"chip":9007199254740993}': { chip: 9007199254740993n }, '{"name":5}': { name: 5 } },
    { '[]': 'of type object' },
  ],
  'an alternative that fails late within an item': [
    { oneOf: [{ items: object({ id: int64, size: { type: 'string' } }) }, { items: object({ id: {} }) }] },
    { '[{"id":5,"size":1}]': [{ id: 5, size: 1 }] },
  ],
  'the alternative that a discriminator names': [
    { oneOf: [object({ id: int64 }), object({ id: {} })], discriminator: ['kind', ['cat', 'lion'], ['dog', 'wolf']] },
    {
      '{"kind":"lion","id":5}': { kind: 'lion', id: 5n },
      '{"kind":"wolf","id":5}': { kind: 'wolf', id: 5 },
      '{"kind":"later","id":5}': { kind: 'later', id: 5n },
    },
    { '[]': 'of type object' },
  ],
  'properties by pattern': [
    { patternProperties: { '^n': int64 }, additionalProperties: { type: 'number' } },
    { '{"n1":9007199254740993,"o":5}': { n1: 9007199254740993n, o: 5 } },
  ],
  'properties that are neither listed nor of a pattern': [
    { ...object({ a: { type: 'string' } }), patternProperties: { '^n': {} }, additionalProperties: int64 },
    { '{"a":"b","n":"c","o":5}': { a: 'b', n: 'c', o: 5n } },
  ],
  oneOf: [{ oneOf: [int64, { type: 'boolean' }] }, { '1': 1n, true: true }, { '"x"': 'of type boolean' }],
  anyOf: [{ anyOf: [{ type: 'boolean' }] }, { true: true }, { '1': 'of type boolean' }],
  anything: [{}, { '{"a":[1]}': { a: [1] } }],
}

for (const [name, [schema, accepted, rejected = {}]] of Object.entries(cases)) {
  t.test(`a value is read according to its schema: ${name}`, async (t) => {
    for (const [text, value] of Object.entries(accepted)) t.strictSame(await readJson(read, schema, text), value)
    for (const [text, wanted] of Object.entries(rejected))
      await t.rejects(readJson(read, schema, text), { message: `body must be ${wanted}.` })
  })
}

t.test('an error names the place within the value', async (t) => {
  const within = { type: 'array', items: { type: 'object', required: ['id'], properties: { id: int64 } } }
  await t.rejects(readJson(read, within, '[{"id":1},{}]'), new TypeError('body/1/id is missing.'))
  await t.rejects(readJson(read, { required: ['id'] }, '{}'), new TypeError('body/id is missing.'))
  await t.rejects(readJson(read, object({ list: within }), '{"list":[{"id":"1"}]}'), /^body\/list\/0\/id must be/)
})

t.test('an argument is an int64 only as a bigint', async (t) => {
  const check = readers(schemas, false)(int64)
  t.equal(readAt(check, 5n, 'orderId'), 5n)
  t.equal(readAt(readers(schemas, false)({ type: 'string' }), '\u009f5', 'name'), '\u009f5', 'a text is one as it is')
  for (const value of [5, '5', '\u00005', 2n ** 63n])
    t.throws(() => readAt(check, value, 'orderId'), new TypeError('orderId must be a 64-bit integer, as a bigint.'))
})

t.test('integers are equal by value, however they are written', async (t) => {
  t.strictSame(await readJson(read, { type: 'array', items: int64 }, '[5e3,5.0,-0,1E0]'), [5000n, 5n, 0n, 1n])
  await t.rejects(readJson(read, int64, '9007199254740993.0'), TypeError, 'beyond the digits of a double')
})

t.test('digits within strings are left alone, and strings are never taken for numbers', async (t) => {
  const number = '1234567890123456'
  const texts = [number.repeat(2), `a", ${number}, "`, '\\', `\\"${number}`, `\u0000${number}`]
  const list = texts.map((text) => JSON.stringify({ text, id: 1 }).replace('"id":1', '"id":1234567890123456789'))
  const read = readers({})
  const item = { type: 'object', properties: { id: int64, text: { type: 'string' } } }
  for (const [at, text] of list.entries())
    t.strictSame(await readJson(read, item, text), { text: texts[at], id: 1234567890123456789n })
  await t.rejects(readJson(read, { type: 'string' }, '12345678901234567890'), TypeError)
})

t.test('a long list is the same as its parts', async (t) => {
  const element = fc.record({
    id: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map(String),
    more: fc.array(fc.record({ text: fc.string() }), { maxLength: 3 }),
  })
  const item = { type: 'object', properties: { id: int64 } }
  const elements = fc.array(element, { minLength: 1, maxLength: 20 })
  const property = fc.asyncProperty(elements, fc.boolean(), async (some, isSpaced) => {
    const texts = some.map(({ id, more }) => `{"id":${id},"more":${JSON.stringify(more)}}`)
    const times = Math.ceil(600_000 / texts.join().length)
    const all = Array(times).fill(texts.join(isSpaced ? ' ,\n' : ','))
    const list = (await readJson(read, { type: 'array', items: item }, `[${all}]`)) as unknown[]
    const first = await Promise.all(texts.map((one) => readJson(read, item, one)))
    t.strictSame(list.slice(0, some.length), first)
    t.strictSame(list.slice(-some.length), first)
    t.ok(list.length === times * some.length && list.every(Object.isFrozen))
  })
  await fc.assert(property, { numRuns: 10 })
  const nested = `[{"more":[${Array(40_000).fill('{"id":1}').join()}]},{"id":"1"}]`
  await t.rejects(readJson(read, { type: 'array', items: item }, nested), /^body\/1\/id must be/)
})

t.test('others run while a long list is read', async (t) => {
  const order: string[] = []
  setTimeout(() => order.push('another'))
  await readJson(read, { type: 'array', items: int64 }, '[1]')
  order.push('a short one')
  await readJson(read, { type: 'array', items: {} }, `[${Array(40_000).fill('{"id":1}').join()}]`)
  t.strictSame([...order, 'a long one'], ['a short one', 'another', 'a long one'])
})

t.test('nesting beyond the stack is an error like any other', async (t) => {
  const read = readers({ Node: { type: 'object', properties: { next: { $ref: 'Node' } } } })
  const text = `${'{"next":'.repeat(100_000)}{}${'}'.repeat(100_000)}`
  await t.rejects(readJson(read, { $ref: 'Node' }, text), RangeError)
})
