// The list's pages, in their order. Immutable: an update shares every unchanged page.
import { type Changes, emptyPage, indexOf, isWhole, type JsonPage, joined, partsOf } from './json-page.ts'
import { inSlices } from './slices.ts'

export type PageTable = readonly JsonPage[]

/** The table after these changes, each position's once. Equal pages stay the same objects, and so does the table. */
export async function withChanges(table: PageTable, changes: Iterable<Changes>): Promise<PageTable> {
  const pages = [...table]
  const byPage = new Map<number, Map<number, string>>()
  await inSlices(changes, (some) => {
    for (const [position, json] of some) {
      const index = Math.max(0, indexAt(table, position + 1) - 1) // the page that has it, or comes before it
      const within = byPage.get(index)
      if (within) within.set(position, json)
      else byPage.set(index, new Map([[position, json]]))
    }
  })
  let [isChanged, isRestructured] = [false, false]
  await inSlices(byPage, ([index, within]) => {
    const before = table[index] ?? emptyPage
    const page = before.with(within)
    if (!isWhole(page, index === 0)) isRestructured = true
    else if (isEqual(page, before)) return
    else isChanged = true
    pages[index] = page
  })
  if (isRestructured) return withPages(table, pages)
  return isChanged ? pages : table
}

/** The table of the orders of these pages, which may begin anywhere, sharing pages of the former table. */
export async function withPages(table: PageTable, pages: Iterable<JsonPage>): Promise<PageTable> {
  const { add, end } = renewedTable(table)
  await inSlices(pages, add)
  const listed = end()
  return listed.length === table.length && listed.every((page, at) => page === table[at]) ? table : listed
}

/**
 * A table that is read again while the former one is given up: both together would take twice the memory. Equal pages stay
 * the same objects.
 */
export function renewedTable(former: PageTable) {
  const rest = [...former].reverse() // the next one is the last
  const renewed: JsonPage[] = []
  let parts: ReturnType<typeof partsOf> = []

  function endPage() {
    if (parts.length === 0) return
    const page = joined(parts)
    parts = []
    while ((rest.at(-1)?.first ?? Number.POSITIVE_INFINITY) < page.first) rest.pop()
    renewed.push(sharedPage(page, rest.at(-1)))
  }

  return {
    /** By ascending positions. */
    add(page: JsonPage) {
      for (const part of partsOf(page)) {
        if (part.groups[0]?.begins === 'page') endPage()
        parts.push(part)
      }
    },
    /** The table, once every page has been added. */
    end(): PageTable {
      endPage()
      return renewed
    },
    /** If the reading is interrupted: what the next one may share pages with. */
    leftover: (): PageTable => [...renewed, ...rest.toReversed()],
  }
}

/** The page, or the former one if they are equal. */
function sharedPage(page: JsonPage, former: JsonPage | undefined): JsonPage {
  page.hash()
  return former && isEqual(page, former) ? former : page
}

/** The index of the page that begins there, or else where one would be. */
function indexAt(table: PageTable, position: number): number {
  return indexOf({ length: table.length, at: (index) => (table[index] as JsonPage).first }, position)
}

/** The JSON alone would not do: another order with the same JSON may have taken the place of one, at another position. */
function isEqual(page: JsonPage, other: JsonPage): boolean {
  if (page === other) return true
  if (page.hash() !== other.hash()) return false
  for (let index = 0; index < page.count; index++)
    if (page.positions.at(index) !== other.positions.at(index)) return false
  return true
}
