// Sends chunks as fast as their reader takes them. One that stalls holds references to them, never copies.
import type { ServerResponse } from 'node:http'

/** Chunks that go to the socket in one write: what is copied then fits into the caches of a processor. */
const BATCH = 16

/** Writes the chunks, whose length the headers have said, and ends the response. */
export function send(response: ServerResponse, chunks: readonly Buffer[]) {
  if (chunks.length < 2) {
    response.end(chunks[0])
    return
  }
  let next = 0
  function more() {
    let isOpen = true
    while (isOpen && next < chunks.length) {
      response.cork()
      for (const chunk of chunks.slice(next, next + BATCH)) isOpen = response.write(chunk)
      response.uncork()
      next += BATCH
    }
    if (next < chunks.length) response.once('drain', more)
    else response.end()
  }
  more()
}
