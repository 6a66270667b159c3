import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { type OrderRecord, readRecord } from '../../../store/file/record.ts'

/** The record, without the fields that it lacks, or all that is wrong with it. */
function parseRecord(text: string): { record: Partial<OrderRecord> } | { mistakes: string[] } {
  const bytes = Buffer.from(`x${text}x`) // the record is a part of what has been read
  const mistakes: string[] = []
  const record = readRecord({ bytes, at: 1, end: bytes.length - 1 }, (message) => mistakes.push(message))
  assert.equal(record === undefined, mistakes.length > 0)
  if (!record) return { mistakes }
  return { record: Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) }
}

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

t.test('a name that is given twice is a mistake, however it is written', async (t) => {
  const cases: [text: string, name: string][] = [
    ['{"id":1,"id":9007199254740993}', 'id'],
    ['{"id":9007199254740993,"\\u0069d":9223372036854775807}', 'id'],
    ['{"\\u0069\\u0064":1,"id":1}', 'id'],
    ['{"id":1,"complete":null,"complete":true}', 'complete'],
    ['{"id":1,"status":"pending","stat\\u0075s":"pending"}', 'status'],
  ]
  for (const [text, name] of cases) {
    const { mistakes } = parseRecord(text) as { mistakes: string[] }
    t.equal(mistakes.at(-1), `${name} is given twice: keep one`, text)
  }
})

t.test('a name or a text may be written with escapes', async (t) => {
  const text = '{"\\u0069d":9007199254740993,"status":"ship\\u0070ed","shipDate":"2026-12-04\\u005409:00:00Z"}'
  t.strictSame(parseRecord(text), {
    record: { id: 9007199254740993n, status: 'shipped', shipDate: Date.UTC(2026, 11, 4, 9) },
  })
})

t.test('an id that is no 64-bit integer in plain digits is a mistake, shown as it is written', async (t) => {
  const values = [
    ...['"1"', '1.5', 'null', 'true', '[1]', '{"id":1}', '1.0', '1e3', '1E3', '-1.0', '0e0', '1e400', '1e16'],
    ...['9223372036854775808', '-9223372036854775809', '9007199254740993.0', '9007199254740993e0'],
  ]
  for (const value of values) {
    const expected = `must be a 64-bit integer in plain digits, not ${value}`
    t.strictSame(parseRecord(`{"id":${value}}`), { mistakes: [`id ${expected}`] })
    t.strictSame(parseRecord(`{"id":1,"petId":${value}}`), { mistakes: [`petId ${expected}`] })
  }
  t.strictSame(parseRecord('{"id":-0}'), { record: { id: 0n, status: 'pending' } })
})

t.test('what is shown of a mistake is short, and harmless to a terminal', async (t) => {
  const mistakesOf = (text: string) => (parseRecord(text) as { mistakes: string[] }).mistakes
  t.match(mistakesOf(`{"id":"${'x'.repeat(1000)}"}`)[0], new RegExp(`not "${'x'.repeat(59)}\\.\\.\\.$`))
  t.equal(mistakesOf('{"id":"\u009b\u007f"}')[0], 'id must be a 64-bit integer in plain digits, not " "')
  t.equal(mistakesOf('{"id":[1,\n\t2]}')[0], 'id must be a 64-bit integer in plain digits, not [1, 2]')
})

t.test('depth and many fields are no burden', async (t) => {
  const depth = 200_000
  const deep = `${'[{"":'.repeat(depth)}0${'}]'.repeat(depth)}`
  t.match(parseRecord(`{"id":${deep}}`), { mistakes: [/^id must be a 64-bit integer in plain digits, not \[\{"":\[/] })
  t.match(parseRecord(deep), { mistakes: ['an order must be a JSON object'] })
  t.match(parseRecord(deep.slice(0, -1)), { mistakes: ['not JSON: a comma or ] expected at the end'] })
  const many = Array.from({ length: 300_000 }, (_, at) => `"f${at}":0`).join(',')
  const { mistakes } = parseRecord(`{"id":1,${many}}`) as { mistakes: string[] }
  t.equal(mistakes.length, 300_000)
  t.match(mistakes[0], /^unknown field "f0": an order has id, /)
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
    '2026-12-04T09:00:00.Z',
    '2026-12-04T09:00:00.5Zz',
    '2026-12-04T09:00:00+1:000',
    '2026-12-04T09:00:00+0x:00',
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
    quantity: {
      expected: 'an integer from -2147483648 to 2147483647 in plain digits',
      wrong: ['1.5', '"2"', 'null', 'true', '2.0', '1e2', '2147483648', '-2147483649', '9007199254740992', '1e400'],
    },
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

t.test('quantities are 32-bit integers of any sign', async (t) => {
  for (const quantity of [0, -3, 2_147_483_647, -2_147_483_648]) {
    t.strictSame(parseRecord(`{"id":1,"quantity":${quantity}}`), { record: { id: 1n, quantity, status: 'pending' } })
  }
})

t.test('what is no JSON object is a mistake', async (t) => {
  for (const text of ['[]', 'null', '1', '"id"', 'true', '[1, {"id": 1}]']) {
    t.strictSame(parseRecord(text), { mistakes: ['an order must be a JSON object'] })
  }
})

t.test('what is not JSON is a mistake that says what was expected, and where', async (t) => {
  const cases: Record<string, string> = {
    nonsense: 'a value expected before nonsense',
    '{"id":1': 'a comma or } expected at the end',
    '{"id":1,}': 'a name in double quotes expected before }',
    "{'id':1}": "a name in double quotes expected before 'id':1}",
    '{"id" 1}': 'a colon expected before 1}',
    '{"id":}': 'a value expected before }',
    '{"id":tru}': 'a value expected before tru}',
    '{"id":1 "petId":2}': 'a comma or } expected before "petId":2}',
    '{"id":1}{"id":2}': 'the end of the order expected before {"id":2}',
    '{"id":01}': 'a number without leading zeros expected before 1}',
    '{"id":-}': 'a digit expected before }',
    '{"id":1.}': 'a digit expected before }',
    '{"id":1e+}': 'a digit expected before }',
    '{"id":"a': 'the end of the string expected at the end',
    '{"id":"a\nb"}': 'the end of the string expected before b"}',
    '{"id":"\\x"}': 'an escape such as \\n or \\u00e9 expected before x"}',
    '{"id":"\\u00g0"}': 'a hexadecimal digit expected before g0"}',
    '{"id":"\\': 'an escape such as \\n or \\u00e9 expected at the end',
    '{"id":[1}': 'a comma or ] expected before }',
    '{"id":{"a":1]}': 'a comma or } expected before ]}',
    '{"id":{1}}': 'a name in double quotes expected before 1}}',
    '{"id":[1,]}': 'a value expected before ]}',
  }
  for (const [text, mistake] of Object.entries(cases)) {
    const { mistakes } = parseRecord(text) as { mistakes: string[] }
    t.strictSame(
      mistakes.map((message) => message.replace(/\s+/g, ' ')),
      [`not JSON: ${mistake}`],
      text,
    )
  }
})

t.test('JSON is what JSON.parse takes for it', async (t) => {
  const pieces = fc.constantFrom(
    ...'{}[]:,"\\ \n\t0123.eE+-',
    'true',
    'null',
    'u00e9',
    '"id"',
    '"a":',
    '{"b":[1,',
    '1}',
  )
  const anyText = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''))
  const json = fc.json().chain((text) => fc.constantFrom(text, ` ${text}\r\n`, text.slice(1), `${text}]`))
  const same = fc.property(fc.oneof(anyText, json), (value) => {
    const text = `{"id":1,"x":${value}}`
    let isJson = true
    try {
      JSON.parse(text)
    } catch {
      isJson = false
    }
    const { mistakes } = parseRecord(text) as { mistakes: string[] }
    assert.equal(!mistakes.some((message) => message.startsWith('not JSON')), isJson, text)
  })
  t.doesNotThrow(() => fc.assert(same, { numRuns: 2000 }))
})

t.test('an error of who hears of mistakes is left to him', async (t) => {
  const bytes = Buffer.from('[]')
  const report = () => {
    throw new RangeError('too many')
  }
  t.throws(() => readRecord({ bytes, at: 0, end: 2 }, report), new RangeError('too many'))
})

t.test('all mistakes of a record are named', async (t) => {
  const fields = 'an order has id, petId, quantity, shipDate, complete, status'
  t.strictSame(parseRecord('{"ID":1,"quantity":"2","__proto__":{"id":1},"status":null}'), {
    mistakes: [
      `unknown field "ID": ${fields}`,
      'quantity must be an integer from -2147483648 to 2147483647 in plain digits, not "2"',
      `unknown field "__proto__": ${fields}`,
      'status must be "pending", "shipped" or "cancelled", not null',
      'id is missing',
    ],
  })
})
