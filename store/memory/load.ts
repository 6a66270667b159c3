// Loads an orders file into a memory store.

import { type Progress, readOrders } from '../file/read.ts'
import { recordErrors } from '../file/record-errors.ts'
import type { OrderStore } from '../order-store.ts'
import { draftStore } from './memory-store.ts'

export type { Progress }

/**
 * Loads all orders of a file, or none.
 * @throws with a message that says what to do; for errors in the file, the first twenty with their lines
 */
export async function loadOrders(file: string, progress?: Progress): Promise<OrderStore> {
  const errors = recordErrors()
  const draft = draftStore()
  const lines = lineNumbers()
  for await (const batch of readOrders(file, errors, progress)) {
    batch.records.forEach(draft.add)
    batch.lines.forEach(lines.add)
  }
  const { store, duplicates } = draft.finish()
  for (const { id, earlier, later } of duplicates) {
    errors.add(lines.at(later), `id ${id} is already on line ${lines.at(earlier)}`)
  }
  if (errors.count > 0) throw new Error(errors.summary(file))
  return store
}

/** The lines of orders by position, as runs with equal distances between lines: most files are one run. */
function lineNumbers() {
  const runs: { start: number; line: number; step: number }[] = []
  let count = 0
  let last = 0
  return {
    add(line: number) {
      const run = runs.at(-1)
      if (run && count === run.start + 1) run.step = line - last
      if (!run || line !== last + run.step) runs.push({ start: count, line, step: 0 })
      count++
      last = line
    },
    at(position: number): number {
      const { start, line, step } = runs.findLast((run) => run.start <= position) as (typeof runs)[number]
      return line + (position - start) * step
    },
  }
}
