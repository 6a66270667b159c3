// The list's pages by number. Immutable: an update shares every unchanged page.
import type { OrderPage } from '../page.ts'

export interface PageTable {
  readonly listed: readonly OrderPage[]
  /** By the number of a page, its place in `listed`. */
  readonly places: ReadonlyMap<number, number>
}

/** Pages by their numbers. One without orders is undefined: it is not listed. */
export type Pages = ReadonlyMap<number, OrderPage | undefined>

export const emptyTable: PageTable = { listed: [], places: new Map() }

export function pageOf({ listed, places }: PageTable, number: number): OrderPage | undefined {
  const place = places.get(number)
  return place === undefined ? undefined : listed[place]
}

/** The table with `read` put over its pages. Pages of equal bytes stay the same objects, and so does the table. */
export function withPages(table: PageTable, read: Pages): PageTable {
  const changed = new Map<number, OrderPage | undefined>()
  for (const [number, page] of read) {
    const before = pageOf(table, number)
    const isSame = before && page ? before.json().equals(page.json()) : before === page
    if (!isSame) changed.set(number, page)
  }
  if (changed.size === 0) return table
  const isInPlace = [...changed].every(([number, page]) => page && table.places.has(number))
  return isInPlace ? replaced(table, changed) : rebuilt(table, changed)
}

function replaced({ listed, places }: PageTable, changed: Pages): PageTable {
  const pages = [...listed]
  for (const [number, page] of changed) pages[places.get(number) as number] = page as OrderPage
  return { listed: pages, places }
}

function rebuilt(table: PageTable, changed: Pages): PageTable {
  const pages = new Map([...table.places].map(([number, place]) => [number, table.listed[place] as OrderPage]))
  for (const [number, page] of changed) {
    if (page) pages.set(number, page)
    else pages.delete(number)
  }
  const sorted = [...pages].sort(([a], [b]) => a - b)
  return { listed: sorted.map(([, page]) => page), places: new Map(sorted.map(([number], place) => [number, place])) }
}
