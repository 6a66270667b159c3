// Compresses the chunks of a list separately, so that only changed ones are recompressed.
import { promisify } from 'node:util'
import { constants, deflateRaw } from 'node:zlib'
import { pageEncoded } from '../../store/channels.ts'
import { bytesOf, type Chunk } from './chunk.ts'
import { crcOf } from './crc32.ts'
import { type Compressed, streamOf } from './gzip-stream.ts'

/** Clients wait while at most this many chunks are being compressed in total, about 5 ms each. */
const MAX_AWAITED = 16

const deflate = promisify(deflateRaw)

export function newCompressor() {
  const compressed = new WeakMap<Chunk, Compressed>()
  const streams = new WeakMap<readonly Chunk[], readonly Buffer[]>()
  const running = new Map<Chunk, Promise<unknown>>()
  let last: Promise<unknown> = Promise.resolve()
  let background: readonly Chunk[] | undefined // the last requested list, while it is being compressed

  const isMissing = (chunk: Chunk) => !compressed.has(chunk)

  /** Compresses each chunk once, one at a time, so that zlib does not occupy all threads. */
  function compress(chunk: Chunk): Promise<unknown> {
    const pending = running.get(chunk)
    if (pending) return pending
    const done = last
      .then(() => deflate(bytesOf(chunk), { finishFlush: constants.Z_FULL_FLUSH }))
      .then((blocks) => {
        compressed.set(chunk, { crc: crcOf(bytesOf(chunk)), length: chunk.length, blocks })
        pageEncoded.publish('gzip')
      })
      .finally(() => running.delete(chunk))
    running.set(chunk, done)
    last = done.catch(() => {})
    return done
  }

  /** Compresses the list that was requested last: earlier ones are obsolete. */
  async function compressBackground() {
    for (let chunk = background?.find(isMissing); chunk; chunk = background?.find(isMissing)) await compress(chunk)
  }

  function compressLater(chunks: readonly Chunk[]) {
    if (background) return // it has got this list
    background = chunks
    const end = () => {
      background = undefined
    }
    compressBackground().then(end, end)
  }

  return {
    /**
     * The gzip stream of the concatenated chunks. Undefined if too many of them are not compressed yet; these are then
     * compressed in the background, and the client is better served without gzip. With `isNeeded`, always waits.
     */
    async gzip(chunks: readonly Chunk[], isNeeded = false): Promise<readonly Buffer[] | undefined> {
      const cached = streams.get(chunks)
      if (cached) return cached
      const missing = new Set(chunks.filter(isMissing))
      const added = [...missing].filter((chunk) => !running.has(chunk))
      if (background) background = chunks
      if (isNeeded) {
        for (const chunk of missing) await compress(chunk)
      } else if (running.size + added.length <= MAX_AWAITED) {
        await Promise.all([...missing].map(compress))
      } else {
        compressLater(chunks)
        return undefined
      }
      const stream = streamOf(chunks.map((chunk) => compressed.get(chunk) as Compressed))
      streams.set(chunks, stream)
      return stream
    },
    /** Stops background compression. */
    close() {
      background = undefined
    },
  }
}
