// Hashes pages in slices, between which the event loop serves other requests.
import { setImmediate } from 'node:timers/promises'
import type { OrderPage } from '../page.ts'

const SLICE_MS = 10

/** Shared by all lists, so that only one slice runs per iteration of the event loop. */
let slices: Promise<unknown> = Promise.resolve()

function nextIteration(): Promise<unknown> {
  slices = slices.then(() => setImmediate())
  return slices
}

/** Resolves with the pages once each has its hash. */
export async function readInSlices<Page extends OrderPage>(pages: readonly Page[]): Promise<readonly Page[]> {
  let end = performance.now() + SLICE_MS
  for (const page of pages) {
    page.hash()
    if (performance.now() < end) continue
    await nextIteration()
    end = performance.now() + SLICE_MS
  }
  return pages
}
