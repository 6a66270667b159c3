// Orders in memory. A list has a new page for each that orders were cancelled of since the last one; the others are shared.
import type { OrderRecord, OrderStatus } from '../file/record.ts'
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

const statuses = ['pending', 'shipped', 'cancelled'] as const satisfies OrderStatus[]
const CANCELLED = statuses.indexOf('cancelled')

const outcomes = {
  pending: 'cancelled',
  cancelled: 'already_cancelled',
  shipped: 'already_shipped',
} as const satisfies Record<string, CancelOutcome>

export function draftStore(): Draft {
  const pages: MemoryPage[] = []
  const ids: BigInt64Array[] = []
  const petIds: BigInt64Array[] = []
  const codes: Uint8Array[] = []
  let records: OrderRecord[] = []

  function turnPage() {
    pages.push(memoryPage(records))
    ids.push(int64s(records.map(({ id }) => id)))
    petIds.push(int64s(records.map(({ petId }) => petId)))
    codes.push(Uint8Array.from(records, ({ status }) => statuses.indexOf(status)))
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
      const orders = { pages, codes: Buffer.concat(codes), index, pets: distinct(concat(petIds)) }
      return { store: memoryOrderStore(orders), duplicates: index.duplicates }
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

interface Orders {
  /** PAGE_SIZE orders each, except the last. */
  pages: MemoryPage[]
  /** The status of each order, by its position, as an index of `statuses`. */
  codes: Uint8Array
  index: IdIndex
  /** Ascending. */
  pets: BigInt64Array
}

function memoryOrderStore({ pages, codes, index, pets }: Orders): OrderStore {
  let listed: Promise<readonly MemoryPage[]> | undefined // the pages as last listed, while they are unchanged
  const cancelled = new Map<number, number[]>() // the rows cancelled since then, by page
  const counts = { pending: 0, shipped: 0, cancelled: 0 }
  for (const code of codes) counts[statuses[code] as OrderStatus]++

  function cancelAt(position: number) {
    const [at, row] = [Math.floor(position / PAGE_SIZE), position % PAGE_SIZE]
    const rows = cancelled.get(at)
    if (rows) rows.push(row)
    else cancelled.set(at, [row])
    codes[position] = CANCELLED
    counts.pending--
    counts.cancelled++
    listed = undefined
  }

  return {
    list: () => {
      for (const [at, rows] of cancelled) pages[at] = (pages[at] as MemoryPage).without(rows)
      cancelled.clear()
      listed ??= readInSlices([...pages])
      return listed
    },
    cancel: async (orderId) => {
      const position = index.find(orderId)
      if (position === undefined) return 'not_found'
      const status = statuses[codes[position] as number] as OrderStatus
      if (status === 'pending') cancelAt(position)
      return outcomes[status]
    },
    countByStatus: async () => ({ ...counts }),
    ping: async () => {},
    hasPet: async (petId) => rankOf(pets, petId) !== undefined,
    close: async () => {},
  }
}
