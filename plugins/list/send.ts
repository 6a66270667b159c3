// Sends chunks as fast as the client reads them. A stalled client holds references to them, never copies.
import type { ServerResponse } from 'node:http'
import type { WriteScheduler } from 'http-edge/responses'
import { bytesOf, type Chunk, isShort, lengthOf } from './chunk.ts'

/** Chunks per write to the socket: so many bytes still fit into the processor's caches. */
const BATCH = 8

/** Writes the chunks, of which texts are ASCII, and ends the response. The headers already have their total length. */
export function send(
  response: ServerResponse,
  chunks: readonly (Chunk | string)[],
  { scheduleFirst, scheduleNext }: WriteScheduler,
) {
  let next = 0
  function writeBatch() {
    if (response.destroyed) return
    response.cork()
    let isOpen = true
    for (const chunk of chunks.slice(next, next + BATCH))
      isOpen = response.write(typeof chunk === 'string' ? chunk : bytesOf(chunk), 'latin1')
    response.uncork() // before the end, which would add an empty write
    next += BATCH
    if (next >= chunks.length) response.end()
    else if (isOpen) scheduleNext(writeBatch)
    else response.once('drain', () => scheduleNext(writeBatch))
  }
  if (isShort(lengthOf(chunks))) writeBatch()
  else scheduleFirst(writeBatch)
}
