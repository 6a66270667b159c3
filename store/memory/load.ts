// Loads an orders file into a memory store.
import { idIndex } from '../file/id-index.ts'
import type { Progress } from '../file/progress.ts'
import { readOrders } from '../file/read.ts'
import { recordErrors } from '../file/record-errors.ts'
import type { OrderStore } from '../order-store.ts'
import { storeBuilder } from './memory-store.ts'

/**
 * Loads all orders of a file, or none.
 * @throws with a message that says what to do; for errors in the file, the first twenty with their lines
 */
export async function loadOrders(file: string, progress?: Progress): Promise<OrderStore> {
  const errors = recordErrors(file)
  const ids = idIndex()
  const builder = storeBuilder(ids)
  for await (const records of readOrders(file, { errors, ids, progress })) records.forEach(builder.add)
  errors.check()
  return builder.finish()
}

/** How many orders a store has, for the log. Few may be a mistake, and none is likely to be one. */
export async function countOf(store: OrderStore): Promise<number> {
  return Object.values(await store.countByStatus()).reduce((sum, count) => sum + count, 0)
}
