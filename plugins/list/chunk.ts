// The chunks of a body: bytes, or pages, whose bytes are joined when they are first needed.
import type { OrderPage } from '../../store/page.ts'

export type Chunk = Buffer | OrderPage

export function bytesOf(chunk: Chunk): Buffer {
  return Buffer.isBuffer(chunk) ? chunk : chunk.json()
}

export function lengthOf(chunks: readonly Chunk[]): number {
  let sum = 0
  for (const { length } of chunks) sum += length
  return sum
}
