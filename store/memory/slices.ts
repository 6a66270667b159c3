// Computes the bytes and hashes of pages before they are read, in slices between which the event loop serves others.
import { setImmediate } from 'node:timers/promises'
import type { OrderPage } from '../page.ts'

const SLICE_MS = 10

/** One slice per iteration of the event loop, however many lists are being built. */
let turn: Promise<unknown> = Promise.resolve()

function nextTurn(): Promise<unknown> {
  turn = turn.then(() => setImmediate())
  return turn
}

/** Resolves with the pages when each has its bytes and its hash. */
export async function readInSlices<Page extends OrderPage>(pages: readonly Page[]): Promise<readonly Page[]> {
  let end = performance.now() + SLICE_MS
  for (const page of pages) {
    page.hash()
    if (performance.now() < end) continue
    await nextTurn()
    end = performance.now() + SLICE_MS
  }
  return pages
}
