// Writes orders of a file as a page.
import type { OrderRecord } from '../file/record.ts'
import { type JsonPage, jsonPage } from '../json-page.ts'

/** Cancelled orders have a position, but no JSON. @param start the position of the first record */
export function recordsPage(records: readonly OrderRecord[], start: number): JsonPage {
  const positions: number[] = []
  const ends: number[] = []
  let json = ''
  for (const [index, record] of records.entries()) {
    if (record.status === 'cancelled') continue
    json += jsonOf(record)
    positions.push(start + index)
    ends.push(json.length)
  }
  return jsonPage(json, positions, ends)
}

/** The order with a comma before it. JSON.stringify takes no bigint. */
function jsonOf({ id, petId, quantity, shipDate, complete }: OrderRecord): string {
  let json = `,{"id":${id}`
  if (petId !== undefined) json += `,"petId":${petId}`
  if (quantity !== undefined) json += `,"quantity":${quantity}`
  if (shipDate !== undefined) json += `,"shipDate":"${shipDate}"`
  if (complete !== undefined) json += `,"complete":${complete}`
  return `${json}}`
}
