// A table that is read again, by ascending positions, while the former one is given up: both together would take twice the
// memory. Equal pages stay the same objects.
import type { JsonPage } from './json-page.ts'
import { PAGE_SIZE } from './page.ts'
import { type PageTable, pagesIn, sharedPage, withPages } from './page-table.ts'

/** A power of two. The pages of a range with more orders than a page has depend on nothing beyond it. */
const RANGE_SIZE = 16 * PAGE_SIZE

export function renewedTable(former: PageTable) {
  const rest = [...former].reverse() // the next one is the last
  /** Former pages of ranges with few orders, which may be equal to one that is joined at the end. */
  const spared: JsonPage[] = []
  const renewed: JsonPage[] = []
  let range: JsonPage[] = []

  function endRange() {
    const [head] = range
    if (!head) return
    const start = head.first - (head.first % RANGE_SIZE)
    const isFinal = range.reduce((sum, { count }) => sum + count, 0) > PAGE_SIZE
    const within: JsonPage[] = []
    for (let next = rest.at(-1); next && next.first < start + RANGE_SIZE; next = rest.at(-1)) {
      rest.pop()
      if (isFinal && next.first >= start && next.last < start + RANGE_SIZE) within.push(next)
      else spared.push(next)
    }
    if (isFinal) for (const page of pagesIn(range, { start, size: RANGE_SIZE })) renewed.push(sharedPage(within, page))
    else renewed.push(...range)
    range = []
  }

  /** What can still be shared. */
  const shareable = () => [...spared, ...rest].sort((a, b) => a.first - b.first)

  return {
    add(page: JsonPage) {
      const [head] = range
      if (head && Math.floor(page.first / RANGE_SIZE) !== Math.floor(head.first / RANGE_SIZE)) endRange()
      if (page.count > 0) range.push(page)
    },
    /** The table, once every page has been added. */
    end(): Promise<PageTable> {
      endRange()
      return withPages(shareable(), renewed)
    },
    /** If the reading is interrupted: what the next one may share pages with. */
    leftover: (): PageTable => [...shareable(), ...renewed].sort((a, b) => a.first - b.first),
  }
}
