// A page of orders as JSON from the database, and the page after some of its orders have changed.
import { hashOf, type OrderPage, PAGE_SIZE } from '../page.ts'

export interface PageRow {
  page: number
  /** The listed orders, separated by commas; null if there are none. */
  json: string | null
  /** The place of each within the page, in two bytes. */
  slots: Buffer
}

/** An order as it is now. */
export interface OrderRow {
  /** Its place within the page. */
  slot: number
  /** Empty if it is no longer listed. */
  json: string
}

export interface TextPage extends OrderPage {
  layout(): Layout
}

/** For each order, its slot, and the end of its JSON within the page. */
interface Layout {
  slots: ArrayLike<number>
  ends: ArrayLike<number>
}

const BRACE = '}'.charCodeAt(0)

/** Undefined without orders. */
export function textPage({ json, slots }: PageRow): TextPage | undefined {
  if (json === null) return undefined
  const bytes = Buffer.from(`,${json}`, 'latin1')
  const count = slots.length / 2
  let layout: Layout | undefined // only a page that changes needs it
  return pageOf(bytes, count, () => {
    layout ??= {
      slots: Uint16Array.from({ length: count }, (_, at) => slots.readUInt16BE(2 * at)),
      ends: endsIn(bytes),
    }
    return layout
  })
}

/** The page with these orders, in the order of their slots. Undefined if none is left; the same page if it is equal. */
export function withOrders(page: TextPage | undefined, rows: readonly OrderRow[]): TextPage | undefined {
  const bytes = page?.json() ?? Buffer.alloc(0)
  const { slots, ends } = page?.layout() ?? { slots: [], ends: [] }
  const next = { slots: [] as number[], ends: [] as number[] }
  const chunks: Buffer[] = []
  let [at, length] = [0, 0]
  const beginAt = (at: number) => (at === 0 ? 0 : (ends[at - 1] as number))

  function add(slot: number, size: number) {
    length += size
    next.slots.push(slot)
    next.ends.push(length)
  }
  function keepBefore(slot: number) {
    const begin = beginAt(at)
    for (; (slots[at] as number) < slot; at++) add(slots[at] as number, (ends[at] as number) - beginAt(at))
    chunks.push(bytes.subarray(begin, beginAt(at)))
  }
  for (const { slot, json } of rows) {
    keepBefore(slot)
    if (slots[at] === slot) at++
    if (json) {
      const chunk = Buffer.from(`,${json}`, 'latin1')
      chunks.push(chunk)
      add(slot, chunk.length)
    }
  }
  keepBefore(PAGE_SIZE)
  const changed = Buffer.concat(chunks, length)
  if (changed.equals(bytes)) return page
  const layout = { slots: Uint16Array.from(next.slots), ends: Uint32Array.from(next.ends) }
  return length === 0 ? undefined : pageOf(changed, next.slots.length, () => layout)
}

function endsIn(bytes: Buffer): Uint32Array {
  const ends: number[] = []
  for (let at = bytes.indexOf(BRACE); at !== -1; at = bytes.indexOf(BRACE, at + 1)) ends.push(at + 1)
  return Uint32Array.from(ends)
}

/** Hashes at once, while the database reads the next pages. */
function pageOf(bytes: Buffer, count: number, layout: () => Layout): TextPage {
  const hash = hashOf(bytes)
  return { count, json: () => bytes, hash: () => hash, layout }
}
