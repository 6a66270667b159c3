import { LosslessNumber } from 'lossless-json'
import t from 'tap'
import { hidden, integer, list, makes, object } from '../fixtures/examples.ts'

const exact = new LosslessNumber('0.10000000000000000001')

t.test('an example has nothing that a request does not send, and all digits', async (t) =>
  makes(t, [
    [{ type: 'number', example: exact }, exact],
    [
      { ...object({ pets: list(object({ id: hidden, n: integer })) }), example: { pets: [{ id: 1, n: 2 }] } },
      { pets: [{ n: 2 }] },
    ],
    [{ ...object({ id: hidden, n: integer }), required: ['id', 'n'] }, { n: 1 }],
  ]),
)
