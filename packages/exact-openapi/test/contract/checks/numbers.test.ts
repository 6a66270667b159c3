import t from 'tap'
import { canonical, identityOf, numberCheck } from '../../../src/contract/checks/numbers.ts'

t.test('values are equal as JSON', async (t) => {
  t.equal(canonical({ b: 1n, a: [2, { c: 'd' }] }), canonical({ a: [2n, { c: 'd' }], b: 1 }))
  t.not(canonical('1'), canonical(1))
  t.equal(identityOf(7n), identityOf(7))
  t.equal(identityOf(2 ** 60), identityOf(2n ** 60n))
  t.not(identityOf(2n ** 60n + 1n), identityOf(2 ** 60))
})

t.test('a number has its type and its bounds', async (t) => {
  const int64 = { type: 'integer', format: 'int64' }
  const rows: [numeric: Parameters<typeof numberCheck>[0], value: unknown, rule?: string, message?: RegExp][] = [
    [int64, 2n ** 63n, 'type', /^must be a 64-bit integer/],
    [int64, 1],
    [{ type: 'integer', format: 'int16' }, -32769, 'type', /^must be a 16-bit integer/],
    [{ type: 'integer', format: 'uint16' }, 65536, 'type', /^must be an unsigned 16-bit integer/],
    [{ type: 'integer' }, null, 'type', /^must be an integer/],
    [{ type: 'integer', nullable: true }, null],
    [{ maximum: 1 }, 'a'],
    [{ type: 'number' }, 2n ** 53n + 1n, 'type', /a double holds exactly/],
    [{ type: 'number', multipleOf: 0.1 }, 0.3],
    [{ type: 'number', multipleOf: 0.1 }, 1e-7, 'multipleOf', /^must be a multiple of 0\.1$/],
    [{ type: 'number', minimum: 1, exclusiveMinimum: true }, 1, 'minimum', /^must be > 1$/],
    [{ type: 'number', maximum: 1 }, 2n, 'maximum', /^must be <= 1$/],
  ]
  for (const [numeric, value, rule, message] of rows) {
    const [broken, text] = numberCheck(numeric, false)(value) ?? []
    t.equal(broken, rule, JSON.stringify(numeric))
    if (message) t.match(text, message)
  }
  const sent = (numeric: object, value: unknown) => numberCheck(numeric, true)(value)?.[0]
  t.strictSame([sent(int64, 1), sent(int64, 1n), sent({ type: 'integer' }, 1n)], ['type', undefined, 'type'])
})
