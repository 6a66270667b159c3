// Waits until a server has read what has arrived: the kernel holds what Node.js has not read yet.
import type { Server } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Connections may arrive without end, and a busy event loop may never be calm. */
const MAX_WAIT_MS = 1_000
/** A turn counts as this at most: the process may have waited for CPU. More than 511 turns, Node's default `backlog`, pass. */
const MAX_TURN_MS = 1
/** A turn is short if it took at most this part of the wait so far: what arrives during a turn is read in the next one. */
const LONGEST_TURN = 0.001

/**
 * Waits until a server has accepted and read what has arrived, or for `mostMs`: resolves directly after a short turn of
 * the event loop that accepted no connection. libuv accepts one a turn, and the kernel resets those that it has acknowledged,
 * but that are not accepted or not read when their socket closes.
 */
export async function calm(server: Server, mostMs = Number.POSITIVE_INFINITY): Promise<void> {
  let isCalm = false
  const disturb = () => {
    isCalm = false
  }
  server.on('connection', disturb).on('drop', disturb)
  const start = performance.now()
  await nextTurn() // this turn may have polled already
  let waited = 0
  for (let began = performance.now(); !isCalm && waited < MAX_WAIT_MS && began - start < mostMs; ) {
    isCalm = true
    await nextTurn()
    const ended = performance.now()
    if (ended - began > LONGEST_TURN * (ended - start)) disturb()
    waited += Math.min(ended - began, MAX_TURN_MS)
    began = ended
  }
  server.off('connection', disturb).off('drop', disturb)
}
