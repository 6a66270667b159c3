// One gzip stream (RFC 1952) out of pieces that are compressed apart, so that a changed piece costs only itself.
// A piece that is not compressed yet goes in as it is, in stored blocks (RFC 1951 3.2.4): nobody waits for a compression.
import { promisify } from 'node:util'
import { constants, deflateRaw } from 'node:zlib'
import { type Crc, crcOf, emptyCrc, joined } from './crc32.ts'

interface Member {
  crc: Crc
  length: number
  isCompressed: boolean
  /** Deflate blocks that end on a byte and depend on nothing before them. */
  blocks: Buffer[]
}

const STORED_MAX = 0xffff
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
const lastBlock = Buffer.from([1, 0, 0, 0xff, 0xff])
const deflate = promisify(deflateRaw)

const members = new WeakMap<Buffer, Member>()
const streams = new WeakMap<readonly Buffer[], Buffer[]>()
let compression = Promise.resolve()

/** The gzip stream of the pieces one after the other. The same buffer is compressed once, in the background. */
export function gzip(pieces: readonly Buffer[]): Buffer[] {
  const known = streams.get(pieces)
  if (known) return known
  const parts = pieces.map(memberOf)
  const { value } = parts.reduce((crc, part) => joined(crc, part.crc), emptyCrc)
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(value, 0)
  trailer.writeUInt32LE(length % 2 ** 32, 4)
  const stream = [header, ...parts.flatMap((part) => part.blocks), lastBlock, trailer]
  if (parts.every((part) => part.isCompressed)) streams.set(pieces, stream)
  return stream
}

/** Resolves when every piece that has been asked for is compressed. */
export function compressed(): Promise<void> {
  return compression
}

function memberOf(piece: Buffer): Member {
  const known = members.get(piece)
  if (known) return known
  const member = { crc: crcOf(piece), length: piece.length, isCompressed: false, blocks: stored(piece) }
  members.set(piece, member)
  // One after the other, so that a large list does not take all of zlib's threads.
  compression = compression.then(async () => {
    member.blocks = [await deflate(piece, { finishFlush: constants.Z_FULL_FLUSH })]
    member.isCompressed = true
  })
  return member
}

function stored(piece: Buffer): Buffer[] {
  const blocks: Buffer[] = []
  for (let start = 0; start < piece.length; start += STORED_MAX) {
    const bytes = piece.subarray(start, start + STORED_MAX)
    const head = Buffer.from([0, 0, 0, 0, 0])
    head.writeUInt16LE(bytes.length, 1)
    head.writeUInt16LE(~bytes.length & STORED_MAX, 3)
    blocks.push(head, bytes)
  }
  return blocks
}
