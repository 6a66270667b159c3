// In-memory order store. A list replaces only the pages that cancellations changed and shares the rest; the bytes of a page
// are copied when it is sent.
import { type IdIndex, idIndex } from '../file/id-index.ts'
import type { OrderRecord } from '../file/record.ts'
import type { JsonPage } from '../json-page.ts'
import { noOrders, type OrderStatus, type OrderStore, orderStatuses, outcomeOf } from '../order-store.ts'
import { PAGE_SIZE } from '../page.ts'
import { inSlices } from '../slices.ts'
import { recordsPage } from './page.ts'

const CANCELLED = orderStatuses.indexOf('cancelled')

/** Collects the orders, page by page. `index` holds their ids, in their order. */
export function storeBuilder(index: IdIndex) {
  const pages: JsonPage[] = []
  const statuses: Uint8Array[] = []
  const pets = idIndex()
  let records: OrderRecord[] = []

  function completePage() {
    pages.push(recordsPage(records))
    statuses.push(Uint8Array.from(records, ({ status }) => orderStatuses.indexOf(status)))
    records = []
  }

  return {
    add(record: OrderRecord) {
      if (record.petId !== undefined) pets.add(record.petId)
      records.push(record)
      if (records.length === PAGE_SIZE) completePage()
    },
    /** Call once, after the last order. */
    finish() {
      if (records.length > 0) completePage()
      return memoryOrderStore(pages, Buffer.concat(statuses), index, pets)
    },
  }
}

/**
 * @param pages of PAGE_SIZE orders each, except the last
 * @param statuses of each order, by its position, as an index of `orderStatuses`
 */
function memoryOrderStore(pages: JsonPage[], statuses: Uint8Array, index: IdIndex, pets: IdIndex) {
  let listed: Promise<readonly JsonPage[]> | undefined // the pages as last listed, while they are unchanged
  const changed = new Set<number>() // the pages with orders cancelled since then
  const counts = noOrders()
  for (const status of statuses) counts[orderStatuses[status] as OrderStatus]++

  function cancelAt(position: number) {
    changed.add(Math.floor(position / PAGE_SIZE))
    statuses[position] = CANCELLED
    counts.pending--
    counts.cancelled++
    listed = undefined
  }

  function withoutCancelled(at: number): JsonPage {
    const page = pages[at] as JsonPage
    const slots = new Map<number, ''>()
    for (let slot = 0; slot < PAGE_SIZE; slot++)
      if (statuses[at * PAGE_SIZE + slot] === CANCELLED && page.has(slot)) slots.set(slot, '')
    return page.with(slots)
  }

  return {
    list: () => {
      for (const at of changed) pages[at] = withoutCancelled(at)
      changed.clear()
      listed ??= hashed(pages.filter(({ count }) => count > 0))
      return listed
    },
    cancel: async (orderId: bigint) => {
      const position = index.find(orderId)
      if (position === undefined) return 'not_found'
      const status = orderStatuses[statuses[position] as number] as OrderStatus
      if (status === 'pending') cancelAt(position)
      return outcomeOf(status)
    },
    countByStatus: async () => ({ ...counts }),
    ping: async () => {},
    hasPet: async (petId: bigint) => pets.find(petId) !== undefined,
    close: async () => {},
  } satisfies OrderStore
}

async function hashed(pages: readonly JsonPage[]): Promise<readonly JsonPage[]> {
  await inSlices(pages, (page) => page.hash())
  return pages
}
