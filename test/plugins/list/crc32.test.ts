import assert from 'node:assert/strict'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import { crcOf, emptyCrc, joined } from '../../../plugins/list/crc32.ts'

t.test('the CRC of joined pieces is the CRC of their bytes', async (t) => {
  const property = fc.property(fc.array(fc.uint8Array({ maxLength: 2000 })), (arrays) => {
    const pieces = arrays.map((array) => Buffer.from(array))
    assert.equal(pieces.map(crcOf).reduce(joined, emptyCrc).value, crc32(Buffer.concat(pieces)))
  })
  t.doesNotThrow(() => fc.assert(property))
})

t.test('joining is exact for long pieces, too', async (t) => {
  const [first, second] = [Buffer.alloc(1, 'a'), Buffer.alloc(20_000_000, 'b')]
  t.equal(joined(crcOf(first), crcOf(second)).value, crc32(Buffer.concat([first, second])))
})
