// The list's pages by number. Immutable: an update shares every unchanged page.
import { emptyPage, type JsonPage } from '../json-page.ts'
import { PAGE_SIZE } from '../page.ts'
import { inSlices } from '../slices.ts'

export interface PageTable {
  /** Where in the list a page is, by its number; pages without orders are not in it. */
  readonly indexes: ReadonlyMap<number, number>
  /** Sorted by number. */
  readonly listed: readonly JsonPage[]
}

export const emptyTable: PageTable = { indexes: new Map(), listed: [] }

export function pageAt({ indexes, listed }: PageTable, number: number): JsonPage {
  return listed[indexes.get(number) ?? -1] ?? emptyPage
}

/** The table with these pages replaced. Equal pages stay the same objects, and so does the table. */
export async function withPages(
  table: PageTable,
  replacements: Iterable<readonly [number, JsonPage]>,
): Promise<PageTable> {
  const changed: (readonly [number, JsonPage])[] = []
  await inSlices(replacements, ([number, page]) => {
    if (!isEqual(page, pageAt(table, number))) changed.push([number, page])
  })
  if (changed.length === 0) return table
  const { indexes } = table
  if (changed.some(([number, page]) => !indexes.has(number) || page.count === 0)) return rebuilt(table, changed)
  const listed = [...table.listed]
  for (const [number, page] of changed) listed[indexes.get(number) as number] = page
  return { indexes, listed }
}

/** The JSON alone would not do: another order with the same JSON may have taken the place of one, in another slot. */
function isEqual(page: JsonPage, other: JsonPage): boolean {
  if (page.hash() !== other.hash()) return false
  for (let slot = 0; slot < PAGE_SIZE; slot++) if (page.has(slot) !== other.has(slot)) return false
  return true
}

function rebuilt(table: PageTable, changed: Iterable<readonly [number, JsonPage]>): PageTable {
  const before = Array.from(table.indexes, ([number, index]) => [number, table.listed[index] as JsonPage] as const)
  const pages = [...new Map([...before, ...changed])].filter(([, page]) => page.count > 0).sort(([a], [b]) => a - b)
  return { indexes: new Map(pages.map(([number], index) => [number, index])), listed: pages.map(([, page]) => page) }
}
