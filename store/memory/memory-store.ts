// Orders in memory. A cancellation replaces one page; everything else stays shared.
import type { OrderRecord } from '../file/record.ts'
import type { CancelOutcome, OrderStore } from '../order-store.ts'
import { type IdIndex, idIndex } from './id-index.ts'
import { type MemoryPage, memoryPage, PAGE_SIZE } from './page.ts'
import { readInSlices } from './slices.ts'
import { distinct, rankOf } from './sorted-keys.ts'

/** Collects the orders, page by page. */
export interface Draft {
  add(record: OrderRecord): void
  /** To be called once, after the last order. */
  finish(): { store: OrderStore; duplicates: IdIndex['duplicates'] }
}

const outcomes = {
  pending: 'cancelled',
  cancelled: 'already_cancelled',
  shipped: 'already_shipped',
} as const satisfies Record<string, CancelOutcome>

export function draftStore(): Draft {
  const pages: MemoryPage[] = []
  const ids: BigInt64Array[] = []
  const petIds: BigInt64Array[] = []
  let records: OrderRecord[] = []

  function turnPage() {
    pages.push(memoryPage(records))
    ids.push(int64s(records.map(({ id }) => id)))
    petIds.push(int64s(records.map(({ petId }) => petId)))
    records = []
  }

  return {
    add(record) {
      records.push(record)
      if (records.length === PAGE_SIZE) turnPage()
    },
    finish() {
      if (records.length > 0) turnPage()
      const index = idIndex(concat(ids))
      return { store: memoryOrderStore(pages, index, distinct(concat(petIds))), duplicates: index.duplicates }
    },
  }
}

function int64s(values: readonly (bigint | undefined)[]): BigInt64Array {
  const array = new BigInt64Array(values.length)
  let length = 0
  for (const value of values) if (value !== undefined) array[length++] = value
  return array.subarray(0, length)
}

function concat(arrays: readonly BigInt64Array[]): BigInt64Array {
  const whole = new BigInt64Array(arrays.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const array of arrays) {
    whole.set(array, end)
    end += array.length
  }
  return whole
}

/** `pages` hold PAGE_SIZE orders each, except the last; `pets` are ascending. */
function memoryOrderStore(pages: MemoryPage[], index: IdIndex, pets: BigInt64Array): OrderStore {
  let listed: Promise<readonly MemoryPage[]> | undefined // the pages as last listed, while they are unchanged
  return {
    list: () => {
      listed ??= readInSlices([...pages])
      return listed
    },
    cancel: async (orderId) => {
      const position = index.find(orderId)
      if (position === undefined) return 'not_found'
      const [at, row] = [Math.floor(position / PAGE_SIZE), position % PAGE_SIZE]
      const page = pages[at] as MemoryPage
      const outcome = outcomes[page.status(row)]
      if (outcome === 'cancelled') {
        pages[at] = page.withCancelled(row)
        listed = undefined
      }
      return outcome
    },
    countByStatus: async () => {
      const counts = { pending: 0, shipped: 0, cancelled: 0 }
      for (const page of pages) page.addStatuses(counts)
      return counts
    },
    ping: async () => {},
    hasPet: async (petId) => rankOf(pets, petId) !== undefined,
    close: async () => {},
  }
}
