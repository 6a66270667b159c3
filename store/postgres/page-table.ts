// The list's pages by number. Immutable: an update shares every unchanged page.
import { emptyPage, type JsonPage } from '../json-page.ts'
import { PAGE_SIZE } from '../page.ts'
import { inSlices } from '../slices.ts'

export interface PageTable {
  /** Where in the list a page is, by its number; pages without orders are not in it. */
  readonly places: ReadonlyMap<number, number>
  /** Sorted by number. */
  readonly listed: readonly JsonPage[]
}

export const emptyTable: PageTable = { places: new Map(), listed: [] }

export function pageAt({ places, listed }: PageTable, number: number): JsonPage {
  return listed[places.get(number) ?? -1] ?? emptyPage
}

/** The table with these pages replaced. Equal pages stay the same objects, and so does the table. */
export async function withPages(table: PageTable, read: Iterable<readonly [number, JsonPage]>): Promise<PageTable> {
  const changed: (readonly [number, JsonPage])[] = []
  await inSlices(read, ([number, page]) => {
    if (!isEqual(page, pageAt(table, number))) changed.push([number, page])
  })
  if (changed.length === 0) return table
  const { places } = table
  if (changed.some(([number, page]) => !places.has(number) || page.count === 0)) return rebuilt(table, changed)
  const listed = [...table.listed]
  for (const [number, page] of changed) listed[places.get(number) as number] = page
  return { places, listed }
}

/** The JSON alone would not do: another order with the same JSON may have taken the place of one, in another slot. */
function isEqual(one: JsonPage, other: JsonPage): boolean {
  if (one.hash() !== other.hash()) return false
  for (let slot = 0; slot < PAGE_SIZE; slot++) if (one.has(slot) !== other.has(slot)) return false
  return true
}

function rebuilt(table: PageTable, changed: Iterable<readonly [number, JsonPage]>): PageTable {
  const before = Array.from(table.places, ([number, place]) => [number, table.listed[place] as JsonPage] as const)
  const pages = [...new Map([...before, ...changed])].filter(([, page]) => page.count > 0).sort(([a], [b]) => a - b)
  return { places: new Map(pages.map(([number], place) => [number, place])), listed: pages.map(([, page]) => page) }
}
