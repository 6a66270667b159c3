import assert from 'node:assert/strict'
import { crc32 } from 'node:zlib'
import t from 'tap'
import { fc } from 'test-kit/properties'
import { combine, crcOf, emptyCrc } from '../../../plugins/list/crc32.ts'

t.test('the combined CRC of chunks is the CRC of their bytes', async (t) => {
  const property = fc.property(fc.array(fc.uint8Array({ maxLength: 2000 })), (arrays) => {
    const chunks = arrays.map((array) => Buffer.from(array))
    assert.equal(chunks.map(crcOf).reduce(combine, emptyCrc).value, crc32(Buffer.concat(chunks)))
  })
  t.doesNotThrow(() => fc.assert(property))
})

t.test('long chunks are combined exactly, too', async (t) => {
  const [first, second] = [Buffer.alloc(1, 'a'), Buffer.alloc(20_000_000, 'b')]
  t.equal(combine(crcOf(first), crcOf(second)).value, crc32(Buffer.concat([first, second])))
})
