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

export interface MemoryPage extends OrderPage {
  readonly columns: Columns
  status(row: number): OrderStatus
  petId(row: number): bigint | undefined
  /** A page that differs in the status of one order; this one stays as it is. */
  withCancelled(row: number): MemoryPage
}

export function memoryPage(records: readonly OrderRecord[]): MemoryPage {
  const columns = {
    ids: new BigInt64Array(records.map(({ id }) => id)),
    petIds: new BigInt64Array(records.map(({ petId = 0n }) => petId)),
    quantities: new Float64Array(records.map(({ quantity = 0 }) => quantity)),
    shipDates: new Float64Array(records.map(({ shipDate = 0 }) => shipDate)),
  }
  return pageOf(columns, new Uint8Array(records.map(flagsOf)))
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

function pageOf(columns: Columns, flags: Uint8Array): MemoryPage {
  const at = (row: number) => flags[row] as number
  const isShown = (flag: number) => statuses[flag >> STATUS_SHIFT] !== 'cancelled'
  let json: Buffer | undefined
  let hash: string | undefined

  const page: MemoryPage = {
    columns,
    count: flags.reduce((count, flag) => (isShown(flag) ? count + 1 : count), 0),
    json: () => {
      json ??= encode(columns, flags, isShown)
      return json
    },
    hash: () => {
      hash ??= createHash('sha256').update(page.json()).digest('base64url')
      return hash
    },
    status: (row) => statuses[at(row) >> STATUS_SHIFT] as OrderStatus,
    petId: (row) => (at(row) & HAS_PET ? columns.petIds[row] : undefined),
    withCancelled: (row) => {
      const changed = Uint8Array.from(flags)
      changed[row] = (at(row) & ((1 << STATUS_SHIFT) - 1)) | (statuses.indexOf('cancelled') << STATUS_SHIFT)
      return pageOf(columns, changed)
    },
  }
  return page
}

function encode(
  { ids, petIds, quantities, shipDates }: Columns,
  flags: Uint8Array,
  isShown: (flag: number) => boolean,
) {
  let json = ''
  flags.forEach((flag, row) => {
    if (!isShown(flag)) return
    json += `${json && ','}{"id":${ids[row]}`
    if (flag & HAS_PET) json += `,"petId":${petIds[row]}`
    if (flag & HAS_QUANTITY) json += `,"quantity":${quantities[row]}`
    if (flag & HAS_SHIP_DATE) json += `,"shipDate":"${new Date(shipDates[row] as number).toISOString()}"`
    if (flag & HAS_COMPLETE) json += `,"complete":${(flag & COMPLETE) !== 0}`
    json += '}'
  })
  return Buffer.from(json, 'latin1')
}
