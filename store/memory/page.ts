// Writes orders of a file as a page.
import type { OrderRecord } from '../file/record.ts'
import { type JsonPage, jsonPage } from '../json-page.ts'
import { PAGE_SIZE } from '../page.ts'

/** Cancelled orders have a slot, but no JSON. */
export function recordsPage(records: readonly OrderRecord[]): JsonPage {
  const listed = records.map((record) => (record.status === 'cancelled' ? '' : jsonOf(record)))
  const ends = new Uint32Array(PAGE_SIZE)
  let end = 0
  for (let slot = 0; slot < PAGE_SIZE; slot++) ends[slot] = end += listed[slot]?.length ?? 0
  return jsonPage({ bytes: Buffer.from(listed.join(''), 'latin1'), ends })
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
