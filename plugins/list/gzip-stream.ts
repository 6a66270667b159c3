// Joins separately compressed chunks into one gzip stream (RFC 1952).
import { type Crc, combine, emptyCrc } from './crc32.ts'

/** A chunk as deflate blocks (RFC 1951) that end on a byte boundary and do not refer to earlier ones. */
export interface Compressed {
  crc: Crc
  length: number
  blocks: Buffer
}

/** Chunks per buffer: writing a few large buffers is faster than many small ones. */
const CHUNKS_PER_BUFFER = 8

const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
const lastBlock = Buffer.from([1, 0, 0, 0xff, 0xff])

export function streamOf(chunks: readonly Compressed[]): readonly Buffer[] {
  const { value } = chunks.reduce((crc, chunk) => combine(crc, chunk.crc), emptyCrc)
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(value, 0)
  trailer.writeUInt32LE(length % 2 ** 32, 4)
  const stream: Buffer[] = [header]
  for (let at = 0; at < chunks.length; at += CHUNKS_PER_BUFFER)
    stream.push(adjacent(chunks.slice(at, at + CHUNKS_PER_BUFFER)))
  return [...stream, lastBlock, trailer]
}

/** The blocks of these chunks in sequence. Moves them into one buffer, unless they are already in one. */
function adjacent(chunks: readonly Compressed[]): Buffer {
  const parts = chunks.map(({ blocks }) => blocks)
  const [first, last] = [parts[0], parts.at(-1)] as [Buffer, Buffer]
  const isAdjacent = parts.every((part, at) => at === 0 || follows(parts[at - 1] as Buffer, part))
  if (isAdjacent) return Buffer.from(first.buffer, first.byteOffset, last.byteOffset + last.length - first.byteOffset)
  const moved = Buffer.concat(parts)
  let end = 0
  for (const chunk of chunks) {
    const begin = end
    end += chunk.blocks.length
    chunk.blocks = moved.subarray(begin, end)
  }
  return moved
}

function follows(previous: Buffer, next: Buffer): boolean {
  return previous.buffer === next.buffer && previous.byteOffset + previous.length === next.byteOffset
}
