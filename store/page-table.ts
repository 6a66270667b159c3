// The list's pages, in their order. Immutable: an update shares every unchanged page.
//
// The positions are halved until a part has at most PAGE_SIZE orders: that is a page. So pages depend on nothing but the
// positions of the orders, and two neighbors are half full, however many positions have no order.
import { type Changes, emptyPage, indexOf, type JsonPage, jsonPage, type Span, spanOf } from './json-page.ts'
import { PAGE_SIZE } from './page.ts'
import { inSlices } from './slices.ts'

export type PageTable = readonly JsonPage[]

/** The changes within one aligned range of PAGE_SIZE positions, which begins at `start`. */
export interface BlockChanges {
  start: number
  changes: Changes
}

/** The table after these changes. Equal pages stay the same objects, and so does the table. */
export async function withChanges(table: PageTable, blocks: Iterable<BlockChanges>): Promise<PageTable> {
  const pages = [...table]
  const touched = new Set<number>()
  const added: JsonPage[] = []
  await inSlices(blocks, ({ start, changes }) => {
    const index = pageFor(table, start)
    const page = pages[index]
    const next = (page ?? emptyPage).with(changes)
    next.hash()
    if (page === undefined) added.push(next)
    else {
      touched.add(index)
      pages[index] = next
    }
  })
  let isRestructured = added.some(({ count }) => count > 0)
  let isChanged = isRestructured
  for (const index of touched) {
    const [page, before] = [pages[index] as JsonPage, table[index] as JsonPage]
    if (isEqual(page, before)) pages[index] = before
    else isChanged = true
    if (page.count > PAGE_SIZE || (page.count < before.count && isMergeable(pages, index))) isRestructured = true
  }
  if (isRestructured) return withPages(table, [...pages, ...added])
  return isChanged ? pages : table
}

/** The table of these pages, in any order and of any size, sharing those of the former table. None overlap. */
export async function withPages(table: PageTable, pages: Iterable<JsonPage>): Promise<PageTable> {
  const sorted = Array.from(pages)
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.first - b.first)
  const listed: JsonPage[] = []
  await inSlices(pagesIn(sorted), (page) => {
    listed.push(sharedPage(table, page))
  })
  return listed.length === table.length && listed.every((page, at) => page === table[at]) ? table : listed
}

/** The page, or an equal one of the table. */
export function sharedPage(table: PageTable, page: JsonPage): JsonPage {
  page.hash()
  const former = table[indexAt(table, page.first)]
  return former && isEqual(page, former) ? former : page
}

/** The index of the page that begins there, or else where one would be. */
function indexAt(table: PageTable, position: number): number {
  return indexOf({ length: table.length, at: (index) => (table[index] as JsonPage).first }, position)
}

/** The index of the page that has orders in the block or around it; -1 if none has. */
function pageFor(table: PageTable, start: number): number {
  const next = indexAt(table, start)
  if ((table[next]?.first ?? Number.POSITIVE_INFINITY) < start + PAGE_SIZE) return next
  return (table[next - 1]?.last ?? -1) >= start ? next - 1 : -1
}

/** The JSON alone would not do: another order with the same JSON may have taken the place of one, at another position. */
function isEqual(page: JsonPage, other: JsonPage): boolean {
  if (page === other) return true
  if (page.count !== other.count || page.hash() !== other.hash()) return false
  for (let index = 0; index < page.count; index++)
    if (page.positions.at(index) !== other.positions.at(index)) return false
  return true
}

/** Whether the page is empty, or fits into one page together with a neighbor and all between them. */
function isMergeable(pages: PageTable, index: number): boolean {
  const page = pages[index] as JsonPage
  if (page.count === 0) return true
  return [pages[index - 1], pages[index + 1]].some((neighbor) => {
    if (!neighbor || neighbor.count === 0) return neighbor !== undefined
    const span = spanOf(Math.min(page.first, neighbor.first), Math.max(page.last, neighbor.last))
    let [sum, low, high] = [page.count, index - 1, index + 1]
    while (sum <= PAGE_SIZE && isWithin(pages[low], span)) sum += (pages[low--] as JsonPage).count
    while (sum <= PAGE_SIZE && isWithin(pages[high], span)) sum += (pages[high++] as JsonPage).count
    return sum <= PAGE_SIZE
  })
}

const isWithin = (page: JsonPage | undefined, { start, size }: Span) =>
  page !== undefined && page.first >= start && page.last < start + size

/** Sorted pages, joined and split. Each is made when it is asked for. */
export function* pagesIn(pages: JsonPage[], span?: Span): Generator<JsonPage> {
  const [head, tail] = [pages[0], pages.at(-1)]
  if (!head || !tail) return
  if (pages.reduce((sum, { count }) => sum + count, 0) <= PAGE_SIZE) {
    yield pages.length === 1 ? head : joined(pages)
    return
  }
  const { start, size } = span ?? spanOf(head.first, tail.last)
  const middle = start + size / 2
  const halves: [JsonPage[], JsonPage[]] = [[], []]
  for (const page of pages) {
    if (page.last < middle) halves[0].push(page)
    else if (page.first >= middle) halves[1].push(page)
    else for (const [side, half] of cut(page, middle).entries()) halves[side as 0 | 1].push(half)
  }
  yield* pagesIn(halves[0], { start, size: size / 2 })
  yield* pagesIn(halves[1], { start: middle, size: size / 2 })
}

function cut(page: JsonPage, position: number): [JsonPage, JsonPage] {
  const { positions, ends } = page
  const middle = indexOf(positions, position)
  const part = (from: number, to: number) => {
    const begin = from === 0 ? 0 : (ends[from - 1] as number)
    const bytes = Buffer.from(page.json().subarray(begin, ends[to - 1]))
    const places = Array.from({ length: to - from }, (_, index) => positions.at(from + index))
    return jsonPage(
      bytes,
      places,
      ends.subarray(from, to).map((end) => end - begin),
    )
  }
  return [part(0, middle), part(middle, page.count)]
}

function joined(pages: readonly JsonPage[]): JsonPage {
  const positions = pages.flatMap((page) => Array.from(page.ends, (_, index) => page.positions.at(index)))
  let begin = 0
  const ends = pages.flatMap((page) => {
    const moved = Array.from(page.ends, (end) => begin + end)
    begin += page.length
    return moved
  })
  return jsonPage(Buffer.concat(pages.map((page) => page.json())), positions, ends)
}
