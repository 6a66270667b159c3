// Compresses the pieces of a list separately, so that only changed ones are compressed again.
import { channel } from 'node:diagnostics_channel'
import { promisify } from 'node:util'
import { constants, deflateRaw } from 'node:zlib'
import { crcOf } from './crc32.ts'
import { type Compressed, streamOf } from './gzip-stream.ts'

export interface Compressor {
  /**
   * The gzip stream of the concatenated pieces. Undefined while so many of them are not compressed yet that the client
   * is better served without gzip; they are then compressed in the background. With `isNeeded`, waits for compression
   * however long it takes.
   */
  gzip(pieces: readonly Buffer[], isNeeded?: boolean): Promise<readonly Buffer[] | undefined>
  /** Ends background compression. */
  close(): void
}

/** Clients wait while at most this many pieces are being compressed in all, about 5 ms each. */
const WAITED_FOR = 16

/** For metrics. */
const pageEncoded = channel('store-orders.page-encoded')
const deflate = promisify(deflateRaw)

export function compressor(): Compressor {
  const compressed = new WeakMap<Buffer, Compressed>()
  const streams = new WeakMap<readonly Buffer[], readonly Buffer[]>()
  const underWay = new Map<Buffer, Promise<unknown>>()
  let last: Promise<unknown> = Promise.resolve()
  let background: readonly Buffer[] | undefined // the last requested list, while it is being compressed

  const isMissing = (piece: Buffer) => !compressed.has(piece)

  /** Compresses each piece once, in sequence, so that zlib does not take all threads. */
  function compress(piece: Buffer): Promise<unknown> {
    const known = underWay.get(piece)
    if (known) return known
    const done = last
      .then(() => deflate(piece, { finishFlush: constants.Z_FULL_FLUSH }))
      .then((blocks) => {
        compressed.set(piece, { crc: crcOf(piece), length: piece.length, blocks })
        if (pageEncoded.hasSubscribers) pageEncoded.publish('gzip')
      })
      .finally(() => underWay.delete(piece))
    underWay.set(piece, done)
    last = done.catch(() => {})
    return done
  }

  /** Compresses the last requested list, whichever that is by now: no one needs the pieces of an earlier one. */
  async function compressRest() {
    for (let piece = background?.find(isMissing); piece; piece = background?.find(isMissing)) await compress(piece)
  }

  function compressLater(pieces: readonly Buffer[]) {
    const isRunning = background !== undefined
    background = pieces
    if (isRunning) return
    const end = () => {
      background = undefined
    }
    compressRest().then(end, end)
  }

  return {
    async gzip(pieces, isNeeded = false) {
      const known = streams.get(pieces)
      if (known) return known
      const missing = new Set(pieces.filter(isMissing))
      const added = [...missing].filter((piece) => !underWay.has(piece))
      if (background) background = pieces
      if (isNeeded) {
        for (const piece of missing) await compress(piece)
      } else if (underWay.size + added.length <= WAITED_FOR) {
        await Promise.all([...missing].map(compress))
      } else {
        compressLater(pieces)
        return undefined
      }
      const stream = streamOf(pieces.map((piece) => compressed.get(piece) as Compressed))
      streams.set(pieces, stream)
      return stream
    },
    close() {
      background = undefined
    },
  }
}
