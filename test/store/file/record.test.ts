import assert from 'node:assert/strict'
import t from 'tap'
import { fc } from 'test-kit/properties'
import { type OrderRecord, parseRecord } from '../../../store/file/record.ts'
import { orderStatuses } from '../../../store/order-store.ts'

const quoted = orderStatuses.map((status) => `"${status}"`)
const listedStatuses = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(quoted)

/** The record without undefined fields, or its errors. */
function parse(text: string): { record: Partial<OrderRecord> } | { errors: string[] } {
  const errors: string[] = []
  const record = parseRecord(text, (message) => errors.push(message))
  assert.equal(record === undefined, errors.length > 0)
  if (!record) return { errors }
  return { record: Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) }
}

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const shipDateOf = (text: string) => parse(`{"id":1,"shipDate":"${text}"}`)
const errorsOf = (text: string) => (parse(text) as { errors: string[] }).errors

t.test('an order may have all fields, also in escapes; its status depends on complete', async (t) => {
  const all = { id: 1007n, petId: 504n, quantity: 2, shipDate: '2026-12-04T09:00:00.000Z', complete: false }
  const escaped = '{"\\u0069d":9007199254740993,"status":"ship\\u0070ed","shipDate":"2026-12-04\\u005409:00:00Z"}'
  for (const [text, record] of Object.entries({
    '{"id":1007,"petId":504,"quantity":2,"shipDate":"2026-12-04T09:00:00Z","complete":false,"status":"cancelled"}': {
      ...all,
      status: 'cancelled',
    },
    [escaped]: { id: 9007199254740993n, status: 'shipped', shipDate: all.shipDate },
    '{"id":-0}': { id: 0n, status: 'pending' },
    '{"id":1,"complete":false}': { id: 1n, complete: false, status: 'pending' },
    '{"id":1,"complete":true}': { id: 1n, complete: true, status: 'shipped' },
    '{"id":1,"complete":true,"status":"pending"}': { id: 1n, complete: true, status: 'pending' },
  }))
    t.strictSame(parse(text), { record }, text)
  for (const quantity of [0, -3, 2_147_483_647, -2_147_483_648])
    t.strictSame(parse(`{"id":1,"quantity":${quantity}}`), { record: { id: 1n, quantity, status: 'pending' } })
})

t.test('ids and petIds are exact, with any space between them', async (t) => {
  const space = fc.constantFrom('', ' ', '\t', ' \r\n ')
  const exact = fc.property(int64, int64, space, space, (id, petId, before, after) => {
    const text = `{"id"${before}:${after}${id}${before},"petId"${after}:${before}${petId}${after}}`
    assert.deepEqual(parse(text), { record: { id, petId, status: 'pending' } })
  })
  const examples: [bigint, bigint, string, string][] = [
    [-(2n ** 63n), 2n ** 63n - 1n, '', ''],
    [2n ** 53n + 1n, -(2n ** 53n) - 1n, ' ', ''],
  ]
  t.doesNotThrow(() => fc.assert(exact, { examples }))
})

t.test('a repeated name is an error, with escapes as well', async (t) => {
  const cases: [text: string, name: string][] = [
    ['{"id":1,"id":9007199254740993}', 'id'],
    ['{"\\u0069\\u0064":1,"id":1}', 'id'],
    ['{"id":1,"complete":null,"complete":true}', 'complete'],
    ['{"id":1,"status":"pending","stat\\u0075s":"pending"}', 'status'],
  ]
  for (const [text, name] of cases) t.equal(errorsOf(text).at(-1), `${name} is given twice: keep one`, text)
})

t.test('an error shows a short excerpt that cannot harm a terminal', async (t) => {
  t.match(errorsOf(`{"id":"${'x'.repeat(1000)}"}`)[0], new RegExp(`not "${'x'.repeat(59)}\\.\\.\\.$`))
  t.equal(errorsOf('{"id":"\u009b\u007f"}')[0], 'id must be a 64-bit integer in plain digits, not " "')
})

t.test('deep, long and large records are parsed in bounded time', async (t) => {
  const depth = 200_000
  const deep = `${'[{"":'.repeat(depth)}0${'}]'.repeat(depth)}`
  t.strictSame(parse(`{"id":${deep}}`), { errors: ['no field of an order can be an array or an object'] })
  t.strictSame(parse(deep), { errors: ['an order must be a JSON object'] })
  t.match(parse(deep.slice(0, -1)), { errors: [/JSON/] })
  t.match(parse(`{"id":"${'\\n'.repeat(500_000)}"}`), { errors: [/^id must be a 64-bit integer/] })
  t.match(parse(`{"id":${'1'.repeat(1_000_000)}}`), { errors: [/^id must be a 64-bit integer/] })
  const many = Array.from({ length: 300_000 }, (_, at) => `"f${at}":0`).join(',')
  const errors = errorsOf(`{"id":1,${many}}`)
  t.equal(errors.length, 300_000)
  t.match(errors[0], /^unknown field "f0": an order has id, /)
})

t.test('a date-time is converted to UTC, to the millisecond', async (t) => {
  const cases = {
    '2026-12-04T09:00:00Z': '2026-12-04T09:00:00.000Z',
    '2026-12-04t09:00:00.5z': '2026-12-04T09:00:00.500Z',
    '2026-12-04 09:00:00.1239999+05:30': '2026-12-04T03:30:00.123Z',
    '2026-12-31T23:59:59.999-23:59': '2027-01-01T23:58:59.999Z',
    '2026-12-04T09:00:00-00:00': '2026-12-04T09:00:00.000Z',
    '2024-02-29T00:00:00Z': '2024-02-29T00:00:00.000Z',
    '2026-01-31T00:00:00Z': '2026-01-31T00:00:00.000Z',
    '1960-06-30T23:59:60.9Z': '1960-07-01T00:00:00.000Z',
    '2060-12-31T15:59:60-08:00': '2061-01-01T00:00:00.000Z',
    '0000-01-01T00:00:00Z': '0000-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z': '9999-12-31T23:59:59.999Z',
  }
  for (const [text, utc] of Object.entries(cases))
    t.strictSame(shipDateOf(text), { record: { id: 1n, shipDate: utc, status: 'pending' } }, text)
})

t.test('every UTC date-time is parsed', async (t) => {
  const instants = fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  const read = fc.property(instants, (date) => {
    const record = { id: 1n, shipDate: date.toISOString(), status: 'pending' }
    assert.deepEqual(shipDateOf(date.toISOString()), { record })
  })
  t.doesNotThrow(() => fc.assert(read))
})

t.test('a text that is not an RFC 3339 date-time is an error', async (t) => {
  const dates = ['2026-00-04', '2026-13-04', '2026-12-00', '2026-12-32', '2026-02-29', '1900-02-29', '2026-04-31']
  const times = ['24:00:00Z', '09:60:00Z', '09:00:61Z', '09:00:60Z', '09:00:00', '09:00Z', '09:00:00,5Z', '09:00:00.Z']
  const offsets = ['+24:00', '+01:60', '+0100', '+1:000', '+0x:00', '.5Zz']
  const texts = [
    ...['', 'tomorrow', '2026-12-04', ' 2026-12-04T09:00:00Z', '+002026-12-04T09:00:00Z', '2026-12-31T23:59:60+01:00'],
    ...['0000-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01', '9999-12-31T23:59:60Z'],
    ...dates.map((date) => `${date}T09:00:00Z`),
    ...[...times, ...offsets.map((offset) => `09:00:00${offset}`)].map((time) => `2026-12-04T${time}`),
  ]
  const expected = 'shipDate must be an RFC 3339 date-time like "2026-12-04T09:00:00Z"'
  for (const text of texts) t.strictSame(shipDateOf(text), { errors: [`${expected}, not "${text}"`] })
})

t.test('a value of the wrong type is an error that shows it as written, null included', async (t) => {
  const int64 = [
    ...['"1"', '1.5', 'null', 'true', '1.0', '1e3', '1E3', '-1.0', '0e0', '1e400', '1e16'],
    ...['9223372036854775808', '-9223372036854775809', '9007199254740993.0', '9007199254740993e0'],
  ]
  const int32 = ['1.5', '"2"', 'null', 'true', '2.0', '1e2', '2147483648', '-2147483649', '9007199254740992', '1e400']
  const cases: [name: string, expected: string, wrong: string[]][] = [
    ['id', 'a 64-bit integer in plain digits', int64],
    ['petId', 'a 64-bit integer in plain digits', int64],
    ['quantity', 'an integer from -2147483648 to 2147483647 in plain digits', int32],
    ['shipDate', 'an RFC 3339 date-time like "2026-12-04T09:00:00Z"', ['1796374800000', 'null']],
    ['complete', 'true or false', ['"true"', '1', 'null']],
    ['status', listedStatuses, ['"Pending"', '"canceled"', '0', 'null']],
  ]
  for (const [name, expected, wrong] of cases) {
    const others = name === 'id' ? '' : '"id":1,'
    for (const value of wrong)
      t.strictSame(errorsOf(`{${others}"${name}":${value}}`), [`${name} must be ${expected}, not ${value}`])
  }
  for (const text of ['[]', 'null', '1', '"id"', 'true', '[1, {"id": 1}]'])
    t.strictSame(errorsOf(text), ['an order must be a JSON object'])
})

t.test('a record that is not JSON has the error of JSON.parse, on one line, and no other', async (t) => {
  for (const text of ['nonsense', '{"id":1]', '["id":1}', '{"id":1}{"id":2}', '{"id":"a\u009b\nb"}', '{,}']) {
    t.match(errorsOf(text), [/^[^\n\u009b]*JSON/], text)
    t.equal(errorsOf(text).length, 1, text)
  }
})

t.test('a record is JSON if JSON.parse accepts it', async (t) => {
  const pieces = fc.constantFrom(
    ...'{}[]:,"\\ \n\t0123.eE+-',
    ...['true', 'null', 'u00e9', '"id"', '"a":', '{"b":[1,', '1}'],
  )
  const anyText = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''))
  const json = fc.json().chain((text) => fc.constantFrom(text, ` ${text}\r\n`, text.slice(1), `${text}]`))
  const same = fc.property(fc.oneof(anyText, json), (value) => {
    const text = `{"id":1,"x":${value}}`
    const read = () => void JSON.parse(text)
    if (errorsOf(text).some((message) => message.includes('JSON'))) assert.throws(read, text)
    else assert.doesNotThrow(read, text)
  })
  t.doesNotThrow(() => fc.assert(same, { numRuns: 2000 }))
})

t.test('every error in a record is reported', async (t) => {
  const fields = 'an order has id, petId, quantity, shipDate, complete, status'
  t.strictSame(parse('{"ID":1,"quantity":"2","__proto__":1,"status":null}'), {
    errors: [
      `unknown field "ID": ${fields}`,
      'quantity must be an integer from -2147483648 to 2147483647 in plain digits, not "2"',
      `unknown field "__proto__": ${fields}`,
      `status must be ${listedStatuses}, not null`,
      'id is missing',
    ],
  })
})
