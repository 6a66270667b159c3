// Orders in memory. A cancel replaces one page; everything else stays shared.
import type { CancelOutcome, OrderStore } from '../order-store.ts'
import { idIndex } from './id-index.ts'
import { type MemoryPage, PAGE_SIZE } from './page.ts'

const outcomes = {
  pending: 'cancelled',
  cancelled: 'already_cancelled',
  shipped: 'already_shipped',
} as const satisfies Record<string, CancelOutcome>

/**
 * Every page but the last holds PAGE_SIZE orders.
 * @throws DuplicateIds when two orders have the same id
 */
export function memoryOrderStore(initial: readonly MemoryPage[]): OrderStore {
  let pages = initial
  const ids = initial.map(({ columns }) => columns.ids)
  const pageAt = (position: number) => Math.floor(position / PAGE_SIZE)
  const count = ids.reduce((sum, { length }) => sum + length, 0)
  const index = idIndex(count, (position) => ids[pageAt(position)]?.[position % PAGE_SIZE] as bigint)

  return {
    list: async () => pages,
    cancel: async (orderId) => {
      const position = index.find(orderId)
      if (position === undefined) return 'not_found'
      const [at, row] = [pageAt(position), position % PAGE_SIZE]
      const page = pages[at] as MemoryPage
      const outcome = outcomes[page.status(row)]
      if (outcome === 'cancelled') pages = pages.with(at, page.withCancelled(row))
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
