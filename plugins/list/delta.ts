// The difference of two lists of orders: which were removed, changed in place, and appended.
import type { OrderPage } from '../../store/page.ts'

/** Ids as decimal text, and orders as JSON by their ids. To be applied in this order. */
export interface Delta {
  removed: Set<string>
  changed: Map<string, string>
  appended: Map<string, string>
}

export const emptyDelta = (): Delta => ({ removed: new Set(), changed: new Map(), appended: new Map() })

/** Undefined if orders were inserted before orders that stay: the store reads those pages again for every such list. */
export function deltaBetween(before: readonly OrderPage[], after: readonly OrderPage[]): Delta | undefined {
  const delta = emptyDelta()
  const lasting = new Set(after)
  for (let [old, next] = [0, 0]; old < before.length || next < after.length; ) {
    if (before[old] === after[next]) {
      old++
      next++
      continue
    }
    const oldEnd = endOf(before, old, (page) => lasting.has(page))
    const nextEnd = endOf(after, next, (page) => page === before[oldEnd])
    const isLast = nextEnd === after.length
    const texts = differing(textOf(before.slice(old, oldEnd)), textOf(after.slice(next, nextEnd)), isLast)
    if (!compare(ordersIn(texts.before), ordersIn(texts.after), isLast, delta)) return undefined
    old = oldEnd
    next = nextEnd
  }
  return delta
}

function endOf(pages: readonly OrderPage[], start: number, isEnd: (page: OrderPage) => boolean): number {
  const end = pages.findIndex((page, index) => index >= start && isEnd(page))
  return end === -1 ? pages.length : end
}

/** Adds to `delta`. @returns false if it cannot say the difference */
function compare(before: string[], after: string[], isLast: boolean, delta: Delta): boolean {
  const ids = new Set(after.map(idOf))
  let old = 0
  let next = 0
  for (; next < after.length; next++) {
    const order = after[next] as string
    while (old < before.length && before[old] !== order && !ids.has(idOf(before[old] as string))) {
      delta.removed.add(idOf(before[old++] as string))
    }
    const known = before[old]
    if (known === undefined || idOf(known) !== idOf(order)) break // inserted here
    if (known !== order) delta.changed.set(idOf(order), order)
    old++
  }
  for (const order of before.slice(old)) delta.removed.add(idOf(order))
  for (const order of after.slice(next)) delta.appended.set(idOf(order), order)
  return isLast || next === after.length
}

/** Orders with commas between them. */
function textOf(pages: readonly OrderPage[]): Buffer {
  const shown = pages.map((page) => page.json())
  return (shown.length === 1 ? (shown[0] as Buffer) : Buffer.concat(shown)).subarray(1)
}

/**
 * The texts without the orders that both begin with, and end with. At the end of the list the last ones stay: an order
 * inserted before them makes them move.
 */
function differing(before: Buffer, after: Buffer, isLast: boolean): { before: Buffer; after: Buffer } {
  const begin = equalBytes(before, after)
  const last = begin < 2 ? -1 : before.lastIndexOf('},{', begin - 2)
  const from = last === -1 ? 0 : last + 2
  const [old, next] = [before.subarray(from), after.subarray(from)]
  if (isLast) return { before: old, after: next }
  const common = equalBytes(old, next, true)
  const end = old.indexOf('},{', old.length - common)
  const kept = end === -1 ? 0 : old.length - end - 1
  return { before: old.subarray(0, old.length - kept), after: next.subarray(0, next.length - kept) }
}

/** How many bytes both begin with, or end with. */
function equalBytes(one: Buffer, other: Buffer, atEnd = false): number {
  let [equal, limit] = [0, Math.min(one.length, other.length)]
  while (equal < limit) {
    const length = Math.ceil((equal + limit) / 2)
    const [from, otherFrom] = atEnd ? [one.length - length, other.length - length] : [0, 0]
    const isEqual = one.compare(other, otherFrom, otherFrom + length, from, from + length) === 0
    if (isEqual) equal = length
    else limit = length - 1
  }
  return equal
}

/** The only braces in an order are those around it. */
function ordersIn(text: Buffer): string[] {
  const inner = text.toString('latin1').slice(1, -1)
  return inner === '' ? [] : inner.split('},{').map((fields) => `{${fields}}`)
}

/** The id comes first. */
const idOf = (order: string) => order.slice('{"id":'.length, order.search(/[,}]/))

/** Makes `delta` include what changed after it. */
export function extend({ removed, changed, appended }: Delta, later: Delta): void {
  for (const id of later.removed) {
    if (appended.delete(id)) continue
    removed.add(id)
    changed.delete(id)
  }
  for (const [id, order] of later.changed) {
    if (appended.has(id)) appended.set(id, order)
    else changed.set(id, order)
  }
  for (const [id, order] of later.appended) appended.set(id, order)
}

export function jsonOf({ removed, changed, appended }: Delta): string {
  const orders = (some: Delta['changed']) => [...some.values()].join(',')
  return `{"removed":[${[...removed].join(',')}],"changed":[${orders(changed)}],"appended":[${orders(appended)}]}`
}
