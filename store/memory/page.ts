// A page of the memory store: up to 1,024 orders as the JSON that is sent, each cut out when it is cancelled.
import { createHash } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import type { OrderRecord, OrderStatus } from '../file/record.ts'
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

const statuses = ['pending', 'shipped', 'cancelled'] as const satisfies OrderStatus[]
const CANCELLED = statuses.indexOf('cancelled')

/** A buffer for writing pages before their size is known. */
const scratch = Buffer.allocUnsafe(PAGE_SIZE * ORDER_BYTES)

export function memoryPage(records: readonly OrderRecord[]): MemoryPage {
  const ends = new Uint32Array(records.length)
  const statusOf = new Uint8Array(records.length)
  let end = 0
  let count = 0
  records.forEach((record, row) => {
    statusOf[row] = statuses.indexOf(record.status)
    if (record.status !== 'cancelled') {
      end = writeOrder(record, scratch, end)
      count++
    }
    ends[row] = end
  })
  return new MemoryPage({ bytes: Buffer.from(scratch.subarray(0, end)), ends, count }, statusOf, count)
}

export class MemoryPage implements OrderPage {
  readonly count: number
  readonly #statuses: Uint8Array
  #rows: Rows
  #json: Buffer | undefined
  #hash: string | undefined

  /** `rows` may have orders that are cancelled later: they are cut out when the page is first read. */
  constructor(rows: Rows, statuses: Uint8Array, count: number) {
    this.#rows = rows
    this.#statuses = statuses
    this.count = count
  }

  json(): Buffer {
    if (this.#rows.count !== this.count) {
      this.#rows = withoutCancelled(this.#rows, this.#statuses, this.count)
      if (pageEncoded.hasSubscribers) pageEncoded.publish('json')
    }
    this.#json ??= this.#rows.bytes.subarray(1)
    return this.#json
  }

  hash(): string {
    this.#hash ??= createHash('sha256').update(this.json()).digest('base64url')
    return this.#hash
  }

  status(row: number): OrderStatus {
    return statuses[this.#statuses[row] as number] as OrderStatus
  }

  addStatuses(counts: Record<OrderStatus, number>): void {
    for (const status of this.#statuses) counts[statuses[status] as OrderStatus]++
  }

  /** A page that differs in the status of one pending order; this one stays as it is. */
  withCancelled(row: number): MemoryPage {
    const changed = Buffer.from(this.#statuses) // out of Node's pool, cheaper than a typed array of its own
    changed[row] = CANCELLED
    return new MemoryPage(this.#rows, changed, this.count - 1)
  }
}

function withoutCancelled({ bytes, ends }: Rows, rowStatuses: Uint8Array, count: number): Rows {
  const kept: Buffer[] = []
  let start = 0 // start of the orders that are kept and not yet copied
  let cut = 0 // how many bytes are left out so far
  const keptEnds = ends.map((end, row) => {
    if (rowStatuses[row] === CANCELLED) {
      const own = ends[row - 1] ?? 0
      kept.push(bytes.subarray(start, own))
      start = end
      cut += end - own
    }
    return end - cut
  })
  kept.push(bytes.subarray(start))
  return { bytes: Buffer.concat(kept), ends: keptEnds, count }
}
