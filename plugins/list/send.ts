// Sends chunks as fast as the client reads them. A stalled client holds references to them, never copies.
import type { ServerResponse } from 'node:http'
import type { WriteScheduler } from 'http-edge/responses'
import { bytesOf, type Chunk } from './chunk.ts'

/** Chunks per write to the socket: so many bytes still fit into the processor's caches. */
const BATCH = 8

/** Writes the chunks and ends the response. The headers already have their total length. */
export function send(
  response: ServerResponse,
  chunks: readonly Chunk[],
  { scheduleFirst, scheduleNext }: WriteScheduler,
) {
  if (chunks.length < 2) {
    response.end(chunks.map(bytesOf)[0])
    return
  }
  let next = 0
  function writeBatch() {
    if (response.destroyed) return
    response.cork()
    let isOpen = true
    for (const chunk of chunks.slice(next, next + BATCH)) isOpen = response.write(bytesOf(chunk))
    response.uncork()
    next += BATCH
    if (next >= chunks.length) response.end()
    else if (isOpen) scheduleNext(writeBatch)
    else response.once('drain', () => scheduleNext(writeBatch))
  }
  scheduleFirst(writeBatch)
}

/** Writes ASCII text and ends the response. The headers already have its length. */
export function sendText(response: ServerResponse, text: string) {
  // Uncorking before the end sends headers and text in one write; `end(text)` would add an empty one.
  response.socket?.cork()
  response.write(text, 'latin1')
  response.socket?.uncork()
  response.end()
}
