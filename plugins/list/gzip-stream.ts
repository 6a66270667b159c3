// One gzip stream (RFC 1952) of pieces that were compressed separately.
import { type Crc, emptyCrc, joined } from './crc32.ts'

/** A piece as deflate blocks (RFC 1951) that end on a byte and depend on nothing before them. */
export interface Compressed {
  crc: Crc
  length: number
  blocks: Buffer
}

/** How many pieces are kept in one buffer: sockets take few large buffers faster than many small ones. */
const TOGETHER = 8

const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
const lastBlock = Buffer.from([1, 0, 0, 0xff, 0xff])

export function streamOf(pieces: readonly Compressed[]): readonly Buffer[] {
  const { value } = pieces.reduce((crc, piece) => joined(crc, piece.crc), emptyCrc)
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(value, 0)
  trailer.writeUInt32LE(length % 2 ** 32, 4)
  const stream: Buffer[] = [header]
  for (let at = 0; at < pieces.length; at += TOGETHER) stream.push(together(pieces.slice(at, at + TOGETHER)))
  return [...stream, lastBlock, trailer]
}

/** The blocks of these pieces in sequence. They are moved into one buffer, unless they are in one already. */
function together(pieces: readonly Compressed[]): Buffer {
  const parts = pieces.map(({ blocks }) => blocks)
  const [first, last] = [parts[0], parts.at(-1)] as [Buffer, Buffer]
  const isTogether = parts.every((part, at) => at === 0 || follows(parts[at - 1] as Buffer, part))
  if (isTogether) return Buffer.from(first.buffer, first.byteOffset, last.byteOffset + last.length - first.byteOffset)
  const moved = Buffer.concat(parts)
  let end = 0
  for (const piece of pieces) {
    const begin = end
    end += piece.blocks.length
    piece.blocks = moved.subarray(begin, end)
  }
  return moved
}

function follows(one: Buffer, next: Buffer): boolean {
  return one.buffer === next.buffer && one.byteOffset + one.length === next.byteOffset
}
