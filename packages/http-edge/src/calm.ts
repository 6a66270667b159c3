// What has arrived includes what Node.js has not read yet.
import type { Server } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Connections may arrive without end, and a busy event loop may never be calm. */
const MAX_WAIT_MS = 1_000
/** Of the time that it has waited already. What arrives during a turn of the event loop, only the next one reads. */
const LONGEST_TURN = 0.001

/**
 * Waits until a server has accepted and read what has arrived, for a second at most: resolves directly after a short turn of
 * the event loop that accepted no connection. libuv accepts one a turn, and the kernel resets those that it has acknowledged,
 * but that are not accepted or not read when their socket closes.
 */
export async function calm(server: Server): Promise<void> {
  let isCalm = false
  const disturb = () => {
    isCalm = false
  }
  server.on('connection', disturb).on('drop', disturb)
  const start = performance.now()
  await nextTurn() // this turn may have polled already
  for (let began = performance.now(); !isCalm && began - start < MAX_WAIT_MS; ) {
    isCalm = true
    await nextTurn()
    const ended = performance.now()
    if (ended - began > LONGEST_TURN * (ended - start)) disturb()
    began = ended
  }
  server.off('connection', disturb).off('drop', disturb)
}
