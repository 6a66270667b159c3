// Writes orders of a file as the pages of a list.
import type { OrderRecord } from '../file/record.ts'
import { beginsPage, type JsonPage, jsonPage } from '../json-page.ts'
import type { PageTable } from '../page-table.ts'

/** Collects the orders, none of which is copied again for a list. */
export function recordsPages() {
  const pages: JsonPage[] = []
  let json = ''
  let positions: number[] = []
  let ends: number[] = []

  function endPage() {
    if (positions.length === 0) return
    const page = jsonPage(json, positions, ends)
    page.hash() // now, since the first list needs those of all pages
    pages.push(page)
    json = ''
    positions = []
    ends = []
  }

  return {
    /** By ascending positions. A cancelled order has one, but no JSON. */
    add(record: OrderRecord, position: number) {
      if (record.status === 'cancelled') return
      const order = jsonOf(record)
      if (beginsPage(order)) endPage()
      json += order
      positions.push(position)
      ends.push(json.length)
    },
    /** The pages, once every order has been added. */
    end(): PageTable {
      endPage()
      return pages
    },
  }
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
