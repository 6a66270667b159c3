import { randomUUID } from 'node:crypto'
import t from 'tap'
import { prepared } from '../../spec/prepared.ts'
import { prepareFor } from '../fixtures/prepared.ts'

t.test('a damaged result is not used', async (t) => {
  const source = randomUUID()
  const damages: [string, (whole: Buffer) => Uint8Array][] = [
    ['empty', () => Buffer.alloc(0)],
    ['cut off', (whole) => whole.subarray(0, -1)],
    ['changed', (whole) => Buffer.concat([whole.subarray(0, -1), Buffer.of(0)])],
    ['longer', (whole) => Buffer.concat([whole, whole])],
  ]
  for (const [name, content] of damages) {
    prepareFor(t, source, ['result']).damage(content)
    t.equal(prepared(source), undefined, name)
  }
})
