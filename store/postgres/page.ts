// A page of orders as JSON from the database, and the page without cancelled orders.
import { hashOf, type OrderPage } from '../page.ts'

export interface PageRow {
  page: number
  /** The number of orders in the page, and of those listed. Both are int8, which arrives as text. */
  rows: string
  listed: string
  json: string | null
}

export function textPage({ listed, json }: PageRow): OrderPage {
  return pageOf(Buffer.from(json === null ? '' : `,${json}`, 'latin1'), Number(listed))
}

/** The page without the orders of these ids, or undefined if it does not show all of them. */
export function withoutOrders(page: OrderPage, ids: readonly string[]): OrderPage | undefined {
  const bytes = page.json()
  const starts = ids.map((id) => startOf(bytes, id)).sort((a, b) => a - b)
  if (starts[0] === -1) return undefined
  const kept: Buffer[] = []
  let from = 0
  for (const start of starts) {
    kept.push(bytes.subarray(from, start))
    from = bytes.indexOf('}', start) + 1
  }
  return pageOf(Buffer.concat([...kept, bytes.subarray(from)]), page.count - ids.length)
}

function startOf(bytes: Buffer, id: string): number {
  const start = bytes.indexOf(`,{"id":${id},`)
  return start === -1 ? bytes.indexOf(`,{"id":${id}}`) : start
}

/** Hashes at once, while the database reads the next pages. */
function pageOf(bytes: Buffer, count: number): OrderPage {
  const hash = hashOf(bytes)
  return { count, json: () => bytes, hash: () => hash }
}
