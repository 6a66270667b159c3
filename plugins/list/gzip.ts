// One gzip stream (RFC 1952) out of pieces that are compressed apart, so that a changed piece costs only itself.
import { promisify } from 'node:util'
import { constants, deflateRaw } from 'node:zlib'
import { type Crc, crcOf, emptyCrc, joined } from './crc32.ts'

export interface Compressor {
  /**
   * The gzip stream of the pieces one after the other. Undefined while so many of them are not compressed yet that a
   * client is better served without: they are compressed in the background then. With `isNeeded`, as late as it may be.
   */
  gzip(pieces: readonly Buffer[], isNeeded?: boolean): Promise<readonly Buffer[] | undefined>
  /** Ends what is done in the background. */
  close(): void
}

/** Deflate blocks that end on a byte and depend on nothing before them. */
interface Member {
  crc: Crc
  length: number
  block: Buffer
}

/** Clients wait for so many pieces in all: they take some 5 ms each. */
const WAITED_FOR = 16

const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
const lastBlock = Buffer.from([1, 0, 0, 0xff, 0xff])
const deflate = promisify(deflateRaw)

export function compressor(): Compressor {
  const members = new WeakMap<Buffer, Member>()
  const streams = new WeakMap<readonly Buffer[], readonly Buffer[]>()
  const underWay = new Map<Buffer, Promise<unknown>>()
  let last: Promise<unknown> = Promise.resolve()
  let background: readonly Buffer[] | undefined // the list that was last asked for, while it is being compressed

  const isMissing = (piece: Buffer) => !members.has(piece)

  /** Each piece once, and one after the other, so that zlib does not take all threads. */
  function compress(piece: Buffer): Promise<unknown> {
    const known = underWay.get(piece)
    if (known) return known
    const done = last
      .then(() => deflate(piece, { finishFlush: constants.Z_FULL_FLUSH }))
      .then((block) => members.set(piece, { crc: crcOf(piece), length: piece.length, block }))
      .finally(() => underWay.delete(piece))
    underWay.set(piece, done)
    last = done.catch(() => {})
    return done
  }

  /** Of the list that was asked for last, whichever that is by now: an earlier one's pieces are for nobody. */
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

  function streamOf(pieces: readonly Buffer[]): readonly Buffer[] {
    const parts = pieces.map((piece) => members.get(piece) as Member)
    const { value } = parts.reduce((crc, part) => joined(crc, part.crc), emptyCrc)
    const length = parts.reduce((sum, part) => sum + part.length, 0)
    const trailer = Buffer.alloc(8)
    trailer.writeUInt32LE(value, 0)
    trailer.writeUInt32LE(length % 2 ** 32, 4)
    const stream = [header, ...parts.map(({ block }) => block), lastBlock, trailer]
    streams.set(pieces, stream)
    return stream
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
      return streamOf(pieces)
    },
    close() {
      background = undefined
    },
  }
}
