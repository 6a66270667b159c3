import t from 'tap'
import { scalarReader } from '../../../src/contract/request/values.ts'

t.test('a text is read as the first type that it is of, and stays a text otherwise', async (t) => {
  const rows: [types: Parameters<typeof scalarReader>[0], text: string, value: unknown][] = [
    [['integer'], '18446744073709551615', 18446744073709551615n],
    [['integer'], '1'.repeat(21), '1'.repeat(21)],
    [['integer'], '-0', '-0'],
    [['integer'], '1.0', '1.0'],
    [['integer', 'number'], '1.0', 1],
    [['number'], '-1E2', -100],
    [['number'], '01', '01'],
    [['boolean'], 'false', false],
    [['boolean'], 'TRUE', 'TRUE'],
    [['object'], '{"a":1}', { a: 1 }],
    [['object', 'string'], '{"a":1}', '{"a":1}'],
  ]
  for (const [types, text, value] of rows) t.strictSame(scalarReader(types)(text), value, `${types} ${text}`)
})
