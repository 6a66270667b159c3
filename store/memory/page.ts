// A page of the memory store: up to 1,024 orders as the JSON that is sent, without those that are cancelled.
import { createHash } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import type { OrderRecord } from '../file/record.ts'
import type { OrderPage } from '../page.ts'
import { ORDER_BYTES, writeOrder } from './encode.ts'

export const PAGE_SIZE = 1024

/** Orders as JSON, each with a comma before it. Orders that are not shown have no bytes. */
interface Rows {
  bytes: Buffer
  /** By row, the offset after the order. */
  ends: Uint32Array
  /** How many orders have bytes. */
  count: number
}

/** For metrics. */
const pageEncoded = channel('store-orders.page-encoded')

/** A buffer for writing pages before their size is known. */
const scratch = Buffer.allocUnsafe(PAGE_SIZE * ORDER_BYTES)

export function memoryPage(records: readonly OrderRecord[]): MemoryPage {
  const ends = new Uint32Array(records.length)
  let end = 0
  let count = 0
  records.forEach((record, row) => {
    if (record.status !== 'cancelled') {
      end = writeOrder(record, scratch, end)
      count++
    }
    ends[row] = end
  })
  return new MemoryPage({ bytes: Buffer.from(scratch.subarray(0, end)), ends, count })
}

export class MemoryPage implements OrderPage {
  readonly count: number
  #rows: Rows
  /** Rows to be cut out when the page is first read. */
  #cancelled: readonly number[]
  #hash: string | undefined

  constructor(rows: Rows, cancelled: readonly number[] = []) {
    this.#rows = rows
    this.#cancelled = cancelled
    this.count = rows.count - cancelled.length
  }

  json(): Buffer {
    if (this.#cancelled.length > 0) {
      this.#rows = without(this.#rows, this.#cancelled)
      this.#cancelled = []
      if (pageEncoded.hasSubscribers) pageEncoded.publish('json')
    }
    return this.#rows.bytes
  }

  hash(): string {
    this.#hash ??= createHash('sha256').update(this.json()).digest('base64url')
    return this.#hash
  }

  /** A page without these rows, too, which it shows; this one stays as it is. */
  without(rows: readonly number[]): MemoryPage {
    return new MemoryPage(this.#rows, [...this.#cancelled, ...rows])
  }
}

function without({ bytes, ends, count }: Rows, cancelled: readonly number[]): Rows {
  const isCut = new Uint8Array(ends.length)
  for (const row of cancelled) isCut[row] = 1
  const kept: Buffer[] = []
  let start = 0 // start of the orders that are kept and not yet copied
  let cut = 0 // how many bytes are left out so far
  const keptEnds = ends.map((end, row) => {
    if (isCut[row] === 1) {
      const own = ends[row - 1] ?? 0
      kept.push(bytes.subarray(start, own))
      start = end
      cut += end - own
    }
    return end - cut
  })
  kept.push(bytes.subarray(start))
  return { bytes: Buffer.concat(kept), ends: keptEnds, count: count - cancelled.length }
}
