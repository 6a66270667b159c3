import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import zlib, { gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { fc } from 'test-kit/properties'
import { deferred } from 'test-kit/until'
import { newCompressor } from '../../../plugins/list/gzip.ts'

const piecesOf = (count: number, text = 'order') =>
  Array.from({ length: count }, (_, index) => Buffer.alloc(1000, `${text} ${index}`))
const bytesOf = (stream: readonly Buffer[] | undefined) => Buffer.concat(stream ?? [])

/** Waits for the stream. */
async function eventually(gzip: ReturnType<typeof newCompressor>['gzip'], chunks: readonly Buffer[]) {
  let stream = await gzip(chunks)
  for (; !stream; stream = await gzip(chunks)) await setImmediate()
  return stream
}

/** A compressor, and the texts that it has compressed. */
async function watched(t: Test, compress: (chunk: Buffer) => Promise<Buffer>) {
  const compressed: string[] = []
  function deflateRaw(chunk: Buffer, _options: unknown, done: (error: unknown, block?: Buffer) => void) {
    compressed.push(chunk.toString('utf8', 0, 12))
    compress(chunk).then((block) => done(null, block), done)
  }
  const [file, mocked] = ['../../../plugins/list/gzip.ts', { 'node:zlib': { ...zlib, deflateRaw } }]
  const { newCompressor } = await t.mockImport<typeof import('../../../plugins/list/gzip.ts')>(file, mocked)
  return { ...newCompressor(), compressed }
}

t.test('the stream contains the chunks', async (t) => {
  const property = fc.asyncProperty(fc.array(fc.string(), { maxLength: 40 }), async (texts) => {
    const { gzip } = newCompressor()
    const chunks = texts.map((text) => Buffer.from(text))
    assert.equal(gunzipSync(bytesOf(await eventually(gzip, chunks))).toString(), texts.join(''))
  })
  await t.resolves(fc.assert(property, { numRuns: 50 }))
})

t.test('a chunk is compressed once, and only changed ones are recompressed', async (t) => {
  const { gzip } = newCompressor()
  const chunks = piecesOf(40)
  const [before, same] = await Promise.all([gzip(chunks, true), gzip(chunks, true)])
  t.ok(gunzipSync(bytesOf(before)).equals(Buffer.concat(chunks)), 'a client that accepts only gzip waits for all')
  t.equal(before?.length, 1 + 40 / 8 + 2, 'header, chunks, eight at a time, last block, trailer')
  const shared = (stream: typeof before) =>
    stream?.filter((one) => before?.some((other) => one.buffer === other.buffer && one.byteOffset === other.byteOffset))
  t.equal(shared(same)?.length, 1 + 5 + 1)
  t.equal(await gzip(chunks), await gzip(chunks))
  const after = await gzip(chunks.with(7, Buffer.alloc(1000, 'changed')))
  t.equal(shared(after)?.length, 1 + 4 + 1)
})

t.test('only the latest list is compressed in the background', async (t) => {
  const { promise, resolve: release } = deferred<void>()
  const { gzip, compressed } = await watched(t, (chunk) => promise.then(() => chunk))
  const chunks = piecesOf(40)
  const lists = Array.from({ length: 1000 }, (_, at) => chunks.with(39, Buffer.alloc(1000, `last ${at}!`)))
  const streams = await Promise.all(lists.map((list) => gzip(list)))
  t.ok(streams.every((stream) => stream === undefined))
  release()
  await eventually(gzip, lists.at(-1) as Buffer[])
  t.equal(compressed.length, 40)
  const last = compressed.filter((text) => text.startsWith('last'))
  t.match(last, [/^last 999!/])
  t.equal(last.length, 1)
})

t.test('the number of awaited chunks is bounded', async (t) => {
  const { promise, resolve: release } = deferred<void>()
  const { gzip, compressed } = await watched(t, (chunk) => promise.then(() => chunk))
  const waiting = Array.from({ length: 16 }, (_, at) => gzip(piecesOf(1, `waited for ${at}`)))
  for (let at = 0; at < 100; at++) t.equal(await gzip(piecesOf(1, `too many ${at}`)), undefined)
  release()
  for (const stream of await Promise.all(waiting)) t.ok(stream)
  for (let turn = 0; turn < 100; turn++) await setImmediate()
  t.ok(compressed.length <= 18, 'those, and the last in the background')
})

t.test('closing stops background compression', async (t) => {
  const { gzip, close, compressed } = await watched(t, async (chunk) => chunk)
  t.equal(await gzip(piecesOf(40)), undefined)
  close()
  for (let turn = 0; turn < 100; turn++) await setImmediate()
  t.ok(compressed.length <= 1)
})

t.test('a failure rejects waiting requests and is not cached', async (t) => {
  let isBroken = true
  const { gzip } = await watched(t, async (chunk) => {
    if (isBroken) throw new Error('out of memory')
    return chunk
  })
  const [few, many] = [piecesOf(2), piecesOf(40, 'other')]
  await t.rejects(gzip(few), new Error('out of memory'))
  t.equal(await gzip(many), undefined)
  for (let turn = 0; turn < 10; turn++) await setImmediate()
  isBroken = false
  t.ok(await gzip(few))
  t.ok(await eventually(gzip, many))
})
