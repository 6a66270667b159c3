// A page of the memory store: up to 1,024 orders in typed arrays, 33 bytes an order.
import { createHash } from 'node:crypto'
import type { OrderPage } from '../page.ts'
import type { OrderRecord, OrderStatus } from './record.ts'

export const PAGE_SIZE = 1024

/** What never changes of a page's orders. Dates are UTC milliseconds. */
export interface Columns {
  ids: BigInt64Array
  petIds: BigInt64Array
  quantities: Float64Array
  shipDates: Float64Array
}

/** Which optional fields an order has, whether it is complete, and its status: a byte an order. */
const HAS_PET = 1
const HAS_QUANTITY = 2
const HAS_SHIP_DATE = 4
const HAS_COMPLETE = 8
const COMPLETE = 16
const STATUS_SHIFT = 5
const statuses = ['pending', 'shipped', 'cancelled'] as const satisfies OrderStatus[]
const CANCELLED = statuses.indexOf('cancelled')

export function memoryPage(records: readonly OrderRecord[]): MemoryPage {
  const columns = {
    ids: new BigInt64Array(records.map(({ id }) => id)),
    petIds: new BigInt64Array(records.map(({ petId = 0n }) => petId)),
    quantities: new Float64Array(records.map(({ quantity = 0 }) => quantity)),
    shipDates: new Float64Array(records.map(({ shipDate = 0 }) => shipDate)),
  }
  const shown = records.filter(({ status }) => status !== 'cancelled')
  return new MemoryPage(columns, new Uint8Array(records.map(flagsOf)), shown.length)
}

function flagsOf({ petId, quantity, shipDate, complete, status }: OrderRecord): number {
  return (
    (petId === undefined ? 0 : HAS_PET) |
    (quantity === undefined ? 0 : HAS_QUANTITY) |
    (shipDate === undefined ? 0 : HAS_SHIP_DATE) |
    (complete === undefined ? 0 : HAS_COMPLETE) |
    (complete ? COMPLETE : 0) |
    (statuses.indexOf(status) << STATUS_SHIFT)
  )
}

export class MemoryPage implements OrderPage {
  readonly columns: Columns
  readonly count: number
  readonly #flags: Uint8Array
  #json: Buffer | undefined
  #hash: string | undefined

  constructor(columns: Columns, flags: Uint8Array, count: number) {
    this.columns = columns
    this.count = count
    this.#flags = flags
  }

  json(): Buffer {
    this.#json ??= encode(this.columns, this.#flags)
    return this.#json
  }

  hash(): string {
    this.#hash ??= createHash('sha256').update(this.json()).digest('base64url')
    return this.#hash
  }

  status(row: number): OrderStatus {
    return statuses[this.#flagsAt(row) >> STATUS_SHIFT] as OrderStatus
  }

  petId(row: number): bigint | undefined {
    return this.#flagsAt(row) & HAS_PET ? this.columns.petIds[row] : undefined
  }

  /** A page that differs in the status of one pending order; this one stays as it is. */
  withCancelled(row: number): MemoryPage {
    const flags = Buffer.from(this.#flags) // out of Node's pool, cheaper than a typed array of its own
    flags[row] = (this.#flagsAt(row) & ((1 << STATUS_SHIFT) - 1)) | (CANCELLED << STATUS_SHIFT)
    return new MemoryPage(this.columns, flags, this.count - 1)
  }

  #flagsAt(row: number): number {
    return this.#flags[row] as number
  }
}

function encode({ ids, petIds, quantities, shipDates }: Columns, flags: Uint8Array): Buffer {
  let json = ''
  flags.forEach((flag, row) => {
    if (flag >> STATUS_SHIFT === CANCELLED) return
    json += `${json && ','}{"id":${ids[row]}`
    if (flag & HAS_PET) json += `,"petId":${petIds[row]}`
    if (flag & HAS_QUANTITY) json += `,"quantity":${quantities[row]}`
    if (flag & HAS_SHIP_DATE) json += `,"shipDate":"${new Date(shipDates[row] as number).toISOString()}"`
    if (flag & HAS_COMPLETE) json += `,"complete":${(flag & COMPLETE) !== 0}`
    json += '}'
  })
  return Buffer.from(json, 'latin1')
}
