import t from 'tap'
import { integer, makes } from '../fixtures/examples.ts'

t.test('a number lies within all bounds, and is a multiple', async (t) =>
  makes(t, [
    [{ ...integer, format: 'int64', minimum: 9007199254740993n }, 9007199254740993n],
    [{ type: 'number', minimum: 1e21 }, 1e21],
    [{ ...integer, maximum: -1, multipleOf: 5 }, -5],
    [{ ...integer, maximum: 1, not: { const: 1 } }, 0],
    [{ ...integer, format: 'uint64', minimum: 2n ** 63n + 5n }, 2n ** 63n + 5n],
    [{ type: 'number', minimum: 1.2, maximum: 1.7 }, 1.5],
    [{ allOf: [{ ...integer, multipleOf: 4 }, { multipleOf: 6 }] }, 12],
  ]),
)
