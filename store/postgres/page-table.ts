// The list's pages by number. Immutable: an update shares every unchanged page.
import type { TextPage } from './page.ts'

export interface PageTable {
  /** Sorted by number. */
  readonly pages: ReadonlyMap<number, TextPage>
  readonly listed: readonly TextPage[]
}

/** Pages by number; undefined for one without orders, which is not listed. */
export type Pages = ReadonlyMap<number, TextPage | undefined>

export const emptyTable: PageTable = { pages: new Map(), listed: [] }

/** The table with these pages replaced. Pages with equal bytes stay the same objects, and so does the table. */
export function withPages(table: PageTable, read: Pages): PageTable {
  const pages = new Map(table.pages)
  let isChanged = false
  let isSorted = true
  for (const [number, page] of read) {
    const before = pages.get(number)
    if (before === page || (before && page && before.json().equals(page.json()))) continue
    if (page) pages.set(number, page)
    else pages.delete(number)
    if (!before) isSorted = false // a new page comes last
    isChanged = true
  }
  if (!isChanged) return table
  const sorted = isSorted ? pages : new Map([...pages].sort(([a], [b]) => a - b))
  return { pages: sorted, listed: [...sorted.values()] }
}
