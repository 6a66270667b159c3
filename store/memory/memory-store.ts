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
  const cancelled = new Map<number, Map<number, ''>>() // the slots cancelled since then, by page
  const counts = noOrders()
  for (const status of statuses) counts[orderStatuses[status] as OrderStatus]++

  function cancelAt(position: number) {
    const [at, slot] = [Math.floor(position / PAGE_SIZE), position % PAGE_SIZE]
    const slots = cancelled.get(at)
    if (slots) slots.set(slot, '')
    else cancelled.set(at, new Map([[slot, '']]))
    statuses[position] = CANCELLED
    counts.pending--
    counts.cancelled++
    listed = undefined
  }

  return {
    list: () => {
      for (const [at, slots] of cancelled) pages[at] = (pages[at] as JsonPage).with(slots)
      cancelled.clear()
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
