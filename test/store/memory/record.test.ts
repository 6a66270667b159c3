import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { parseRecord } from '../../../store/memory/record.ts'

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const shipDateOf = (text: string) => parseRecord(`{"id":1,"shipDate":"${text}"}`)
const mistake = (text: string) => [`shipDate must be an RFC 3339 date-time like "2026-12-04T09:00:00Z", not "${text}"`]

t.test('an order may have all fields', async (t) => {
  const text =
    '{"id":1007,"petId":504,"quantity":2,"shipDate":"2026-12-04T09:00:00Z","complete":false,"status":"cancelled"}'
  t.strictSame(parseRecord(text), {
    record: {
      id: 1007n,
      petId: 504n,
      quantity: 2,
      shipDate: Date.UTC(2026, 11, 4, 9),
      complete: false,
      status: 'cancelled',
    },
  })
})

t.test('an order without a status is shipped if it is complete, else pending', async (t) => {
  t.strictSame(parseRecord('{"id":1}'), { record: { id: 1n, status: 'pending' } })
  t.strictSame(parseRecord('{"id":1,"complete":false}'), { record: { id: 1n, complete: false, status: 'pending' } })
  t.strictSame(parseRecord('{"id":1,"complete":true}'), { record: { id: 1n, complete: true, status: 'shipped' } })
})

t.test('the status and complete are independent', async (t) => {
  for (const status of ['pending', 'shipped', 'cancelled'] as const) {
    for (const complete of [true, false]) {
      const text = JSON.stringify({ id: 1, complete, status })
      t.strictSame(parseRecord(text), { record: { id: 1n, complete, status } }, text)
    }
  }
})

t.test('ids and petIds are exact, however the record is spaced', async (t) => {
  const space = fc.constantFrom('', ' ', '\t', ' \r\n ')
  const exact = fc.property(int64, int64, space, space, (id, petId, before, after) => {
    const text = `{"id"${before}:${after}${id}${before},"petId"${after}:${before}${petId}${after}}`
    assert.deepEqual(parseRecord(text), { record: { id, petId, status: 'pending' } })
  })
  const examples: [bigint, bigint, string, string][] = [
    [-(2n ** 63n), 2n ** 63n - 1n, '', ''],
    [2n ** 53n + 1n, -(2n ** 53n) - 1n, ' ', ''],
  ]
  t.doesNotThrow(() => fc.assert(exact, { examples }))
})

t.test('of equal names the last counts', async (t) => {
  const last = '{"id":1,"id":9007199254740993,"petId":9007199254740993,"petId":9007199254740995}'
  t.strictSame(parseRecord(last), { record: { id: 9007199254740993n, petId: 9007199254740995n, status: 'pending' } })
  t.strictSame(parseRecord('{"id":9007199254740993,"id":1e20}'), {
    mistakes: ['id must be a 64-bit integer in plain digits, not 100000000000000000000'],
  })
})

t.test('an id that is no 64-bit integer in plain digits is a mistake', async (t) => {
  const cases = {
    '"1"': '"1"',
    '1.5': '1.5',
    null: 'null',
    true: 'true',
    '[1]': '[1]',
    '{"id":1}': '{"id":1}',
    '9223372036854775808': '9223372036854776000',
    '-9223372036854775809': '-9223372036854776000',
    '9007199254740993.0': '9007199254740992',
    '9007199254740993e0': '9007199254740992',
    '1e16': '10000000000000000',
  }
  for (const [value, shown] of Object.entries(cases)) {
    for (const name of ['id', 'petId']) {
      const { mistakes } = parseRecord(`{"id":1,"${name}":${value}}`) as { mistakes: string[] }
      t.strictSame(mistakes, [`${name} must be a 64-bit integer in plain digits, not ${shown}`])
    }
  }
  t.strictSame(parseRecord('{"\\u0069d":9007199254740993}'), {
    mistakes: ['id must be a 64-bit integer in plain digits, not 9007199254740992'],
  })
})

t.test('a date-time is kept as UTC milliseconds', async (t) => {
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
  for (const [text, utc] of Object.entries(cases)) {
    t.strictSame(shipDateOf(text), { record: { id: 1n, shipDate: Date.parse(utc), status: 'pending' } }, text)
  }
})

t.test('every instant that can be written is read', async (t) => {
  const instants = fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  const read = fc.property(instants, (date) => {
    assert.deepEqual(shipDateOf(date.toISOString()), {
      record: { id: 1n, shipDate: date.getTime(), status: 'pending' },
    })
  })
  t.doesNotThrow(() => fc.assert(read))
})

t.test('what is no date-time of RFC 3339 is a mistake', async (t) => {
  const texts = [
    '',
    'tomorrow',
    '2026-12-04',
    '2026-12-04T09:00:00',
    '2026-12-04T09:00Z',
    '2026-12-04T09:00:00+0100',
    ' 2026-12-04T09:00:00Z',
    '2026-12-04T09:00:00,5Z',
    '+002026-12-04T09:00:00Z',
    '2026-00-04T09:00:00Z',
    '2026-13-04T09:00:00Z',
    '2026-12-00T09:00:00Z',
    '2026-12-32T09:00:00Z',
    '2026-02-29T09:00:00Z',
    '1900-02-29T09:00:00Z',
    '2026-04-31T09:00:00Z',
    '2026-12-04T24:00:00Z',
    '2026-12-04T09:60:00Z',
    '2026-12-04T09:00:61Z',
    '2026-12-04T09:00:60Z',
    '2026-12-31T23:59:60+01:00',
    '2026-12-04T09:00:00+24:00',
    '2026-12-04T09:00:00+01:60',
    '0000-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '9999-12-31T23:59:60Z',
  ]
  for (const text of texts) t.strictSame(shipDateOf(text), { mistakes: mistake(text) })
})

t.test('a field of a wrong type is a mistake, null included', async (t) => {
  const cases = {
    quantity: { expected: 'an integer', wrong: ['1.5', '"2"', 'null', '9007199254740992', 'true'] },
    shipDate: { expected: 'an RFC 3339 date-time like "2026-12-04T09:00:00Z"', wrong: ['1796374800000', 'null'] },
    complete: { expected: 'true or false', wrong: ['"true"', '1', 'null'] },
    status: { expected: '"pending", "shipped" or "cancelled"', wrong: ['"Pending"', '"canceled"', '0', 'null'] },
  }
  for (const [name, { expected, wrong }] of Object.entries(cases)) {
    for (const value of wrong) {
      const parsed = parseRecord(`{"id":1,"${name}":${value}}`)
      t.strictSame(parsed, { mistakes: [`${name} must be ${expected}, not ${value}`] })
    }
  }
})

t.test('quantities are integers of any sign', async (t) => {
  for (const quantity of [0, -3, Number.MAX_SAFE_INTEGER]) {
    t.strictSame(parseRecord(`{"id":1,"quantity":${quantity}}`), { record: { id: 1n, quantity, status: 'pending' } })
  }
})

t.test('what is no JSON object is a mistake', async (t) => {
  t.strictSame(parseRecord('nonsense'), {
    mistakes: [`not JSON: Unexpected token 'o', "nonsense" is not valid JSON`],
  })
  for (const text of ['[]', 'null', '1', '"id"', 'true']) {
    t.strictSame(parseRecord(text), { mistakes: ['an order must be a JSON object'] })
  }
})

t.test('all mistakes of a record are named', async (t) => {
  const fields = 'an order has id, petId, quantity, shipDate, complete, status'
  t.strictSame(parseRecord('{"ID":1,"quantity":"2","__proto__":{"id":1},"status":null}'), {
    mistakes: [
      `unknown field "ID": ${fields}`,
      'quantity must be an integer, not "2"',
      `unknown field "__proto__": ${fields}`,
      'status must be "pending", "shipped" or "cancelled", not null',
      'id is missing',
    ],
  })
})
