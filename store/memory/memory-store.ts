// In-memory order store. A list replaces only the pages that cancellations changed and shares the rest; the bytes of a page
// are copied when it is sent.
import { type IdIndex, idIndex } from '../file/id-index.ts'
import type { OrderRecord } from '../file/record.ts'
import type { Changes } from '../json-page.ts'
import { noOrders, type OrderStatus, type OrderStore, orderStatuses, outcomeOf } from '../order-store.ts'
import { BLOCK_SIZE } from '../page.ts'
import { type PageTable, withChanges } from '../page-table.ts'
import { recordsPages } from './records-page.ts'

const CANCELLED = orderStatuses.indexOf('cancelled')
/** Cancelled, and no longer in the table of pages. */
const REMOVED = CANCELLED + 1

/** Collects the orders. `index` holds their ids, in their order. */
export function storeBuilder(index: IdIndex) {
  const pages = recordsPages()
  const pets = idIndex()
  let statuses = Buffer.alloc(BLOCK_SIZE)
  let count = 0

  return {
    add(record: OrderRecord) {
      if (record.petId !== undefined) pets.add(record.petId)
      pages.add(record, count)
      if (count === statuses.length) statuses = Buffer.concat([statuses], 2 * count)
      statuses[count++] = orderStatuses.indexOf(record.status)
    },
    /** Call once, after the last order. */
    finish: () => memoryOrderStore(pages.end(), statuses.subarray(0, count), index, pets),
  }
}

/** @param statuses of each order, by its position, as an index of `orderStatuses` */
function memoryOrderStore(table: PageTable, statuses: Uint8Array, index: IdIndex, pets: IdIndex) {
  let listed = Promise.resolve(table)
  const changed = new Set<number>() // the blocks of positions with orders cancelled since then
  const counts = noOrders()
  for (const status of statuses) counts[orderStatuses[status] as OrderStatus]++

  function cancelAt(position: number) {
    changed.add(Math.floor(position / BLOCK_SIZE))
    statuses[position] = CANCELLED
    counts.pending--
    counts.cancelled++
  }

  /** Each cancellation once. */
  function cancelledIn(block: number): Changes {
    const start = block * BLOCK_SIZE
    const changes = new Map<number, ''>()
    for (let position = start; position < start + BLOCK_SIZE; position++) {
      if (statuses[position] !== CANCELLED) continue
      statuses[position] = REMOVED
      changes.set(position, '')
    }
    return changes
  }

  return {
    list: () => {
      if (changed.size > 0) {
        const blocks = Array.from(changed, cancelledIn)
        changed.clear()
        listed = listed.then((table) => withChanges(table, blocks))
      }
      return listed
    },
    cancel: async (orderId: bigint) => {
      const position = index.find(orderId)
      if (position === undefined) return 'not_found'
      const status = orderStatuses[Math.min(CANCELLED, statuses[position] as number)] as OrderStatus
      if (status === 'pending') cancelAt(position)
      return outcomeOf(status)
    },
    countByStatus: async () => ({ ...counts }),
    ping: async () => {},
    hasPet: async (petId: bigint) => pets.find(petId) !== undefined,
    close: async () => {},
  } satisfies OrderStore
}
