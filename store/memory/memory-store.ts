// Orders in memory. A cancel replaces one page; everything else stays shared.
import type { CancelOutcome, OrderStore } from '../order-store.ts'
import { type IdIndex, idIndex } from './id-index.ts'
import { type MemoryPage, PAGE_SIZE } from './page.ts'

const outcomes = {
  pending: 'cancelled',
  cancelled: 'already_cancelled',
  shipped: 'already_shipped',
} as const satisfies Record<string, CancelOutcome>

const pageAt = (position: number) => Math.floor(position / PAGE_SIZE)

/** The index of the orders in `pages`, of which every one but the last holds PAGE_SIZE. */
export function indexOf(pages: readonly MemoryPage[]): IdIndex {
  const ids = pages.map(({ columns }) => columns.ids)
  const count = ids.reduce((sum, { length }) => sum + length, 0)
  return idIndex(count, (position) => ids[pageAt(position)]?.[position % PAGE_SIZE] as bigint)
}

/** `index` is that of `initial`, and without duplicates. */
export function memoryOrderStore(initial: readonly MemoryPage[], index: IdIndex): OrderStore {
  const pages = [...initial]
  let listed: readonly MemoryPage[] | undefined // the pages as they were last listed, while that is still so
  return {
    list: async () => {
      listed ??= [...pages]
      return listed
    },
    cancel: async (orderId) => {
      const position = index.find(orderId)
      if (position === undefined) return 'not_found'
      const [at, row] = [pageAt(position), position % PAGE_SIZE]
      const page = pages[at] as MemoryPage
      const outcome = outcomes[page.status(row)]
      if (outcome === 'cancelled') {
        pages[at] = page.withCancelled(row)
        listed = undefined
      }
      return outcome
    },
    hasPet: async (petId) => pages.some((page) => hasPet(page, petId)),
    close: async () => {},
  }
}

function hasPet(page: MemoryPage, petId: bigint): boolean {
  const { petIds } = page.columns
  for (let row = petIds.indexOf(petId); row >= 0; row = petIds.indexOf(petId, row + 1)) {
    if (page.petId(row) !== undefined) return true
  }
  return false
}
