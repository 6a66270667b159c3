import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import { compressed, gzip } from '../../../plugins/list/gzip.ts'

t.test('the stream holds the pieces, before they are compressed and after', async (t) => {
  const property = fc.asyncProperty(fc.array(fc.string()), async (texts) => {
    const pieces = texts.map((text) => Buffer.from(text))
    for (const _state of ['stored', 'compressed']) {
      assert.equal(gunzipSync(Buffer.concat(gzip(pieces))).toString(), texts.join(''))
      await compressed()
    }
  })
  await t.resolves(fc.assert(property, { numRuns: 50 }))
})

t.test('pieces longer than a stored block are stored in several', async (t) => {
  for (const length of [65_534, 65_535, 65_536, 200_000]) {
    const piece = Buffer.alloc(length, 'orders')
    const stream = Buffer.concat(gzip([piece]))
    t.ok(stream.length > length, 'not compressed yet')
    t.ok(gunzipSync(stream).equals(piece))
    await compressed()
    const smaller = Buffer.concat(gzip([piece]))
    t.ok(smaller.length < length / 10)
    t.ok(gunzipSync(smaller).equals(piece))
  }
})

t.test('a piece is compressed once, and again only where it changed', async (t) => {
  const pieces = Array.from({ length: 20 }, (_, index) => Buffer.alloc(1000, `piece ${index}`))
  gzip(pieces)
  await compressed()
  const before = gzip(pieces)
  const after = gzip(pieces.with(7, Buffer.alloc(1000, 'changed')))
  const shared = after.filter((block) => before.includes(block))
  t.equal(shared.length, 1 + 19 + 1, 'header, pieces, last block')
})

t.test('gzip itself accepts the stream, and knows its length', async (t) => {
  const stream = Buffer.concat(gzip([Buffer.from('['), Buffer.alloc(100_000, '{},'), Buffer.from('{}]')]))
  t.equal(execFileSync('gzip', ['-dc'], { input: stream }).length, 100_004)
  t.doesNotThrow(() => execFileSync('gzip', ['-t'], { input: stream }))
  t.equal(stream.readUInt32LE(stream.length - 4), 100_004)
})
