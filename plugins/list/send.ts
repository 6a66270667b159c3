// Sends chunks as fast as the client reads them. A stalled client costs references to them, never copies.
import type { ServerResponse } from 'node:http'

/** Chunks that go to the socket in one write: the copied bytes then fit into the processor's caches. */
const BATCH = 8

/** Writes the chunks, whose total length is already in the headers, and ends the response. */
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

/** Writes ASCII, whose length is already in the headers, and ends the response. */
export function sendText(response: ServerResponse, text: string) {
  // Uncorked before the end, the head and the text are one write; `end(text)` would add an empty one, for writev.
  response.socket?.cork()
  response.write(text, 'latin1')
  response.socket?.uncork()
  response.end()
}
