// A page of the memory store: up to 1,024 orders as JSON, without the cancelled ones.
import { pageEncoded } from '../channels.ts'
import type { OrderRecord } from '../file/record.ts'
import { hashOf, type OrderPage } from '../page.ts'

/** Orders as JSON, each with a comma before it. Orders that are not listed have no bytes. */
interface Rows {
  bytes: Buffer
  /** By row, the offset after the order. */
  ends: Uint32Array
  /** How many orders have bytes. */
  count: number
}

export function memoryPage(records: readonly OrderRecord[]): MemoryPage {
  const listed = records.map((record) => (record.status === 'cancelled' ? '' : jsonOf(record)))
  let end = 0
  const ends = Uint32Array.from(listed, (json) => {
    end += json.length
    return end
  })
  const count = listed.filter((json) => json !== '').length
  return new MemoryPage({ bytes: Buffer.from(listed.join(''), 'latin1'), ends, count })
}

/** With a comma before it. JSON.stringify takes no bigint. */
function jsonOf({ id, petId, quantity, shipDate, complete }: OrderRecord): string {
  let json = `,{"id":${id}`
  if (petId !== undefined) json += `,"petId":${petId}`
  if (quantity !== undefined) json += `,"quantity":${quantity}`
  if (shipDate !== undefined) json += `,"shipDate":"${shipDate}"`
  if (complete !== undefined) json += `,"complete":${complete}`
  return `${json}}`
}

export class MemoryPage implements OrderPage {
  readonly count: number
  #rows: Rows
  /** Rows to cut out when the page is first read. */
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
    this.#hash ??= hashOf(this.json())
    return this.#hash
  }

  /** A copy without these rows, which this page shows. */
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
