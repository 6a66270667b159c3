// The chunks of a body: bytes, or pages, whose bytes are made when they are first needed.
import type { OrderPage } from '../../store/page.ts'

export type Chunk = Buffer | OrderPage

/** Copying so much to the socket takes about as long as the rest of a request. */
const SHORT_BYTES = 128 * 1024

/** True for a body that is sent at once: waiting for its turn to write would take longer. */
export const isShort = (length: number) => length <= SHORT_BYTES

export function bytesOf(chunk: Chunk): Buffer {
  return Buffer.isBuffer(chunk) ? chunk : chunk.json()
}

export function lengthOf(chunks: readonly { length: number }[]): number {
  let sum = 0
  for (const { length } of chunks) sum += length
  return sum
}
