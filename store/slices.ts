// Works on pages in slices, between which the event loop serves other requests.
import { setImmediate } from 'node:timers/promises'

const SLICE_MS = 10

/** Shared by all lists, so that only one slice runs per iteration of the event loop. */
let slices: Promise<unknown> = Promise.resolve()

function nextIteration(): Promise<unknown> {
  slices = slices.then(() => setImmediate())
  return slices
}

/** Resolves once the work is done on each item. */
export async function inSlices<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> {
  let end = performance.now() + SLICE_MS
  for (const item of items) {
    work(item)
    if (performance.now() < end) continue
    await nextIteration()
    end = performance.now() + SLICE_MS
  }
}
