// Pages and changed orders as the database sends them.
import { type Changes, emptyPage, type JsonPage, jsonPage } from '../json-page.ts'
import { PAGE_SIZE } from '../page.ts'

export interface PageRow {
  page: number
  /** The listed orders, separated by commas; null if there are none. */
  json: string | null
  /** The slot of each, in two bytes. */
  slots: Buffer
}

export function textPage({ json, slots }: PageRow): JsonPage {
  if (json === null) return emptyPage
  const text = `,${json}`
  const ends = new Uint32Array(PAGE_SIZE)
  let end = 0
  for (let slot = 0, at = 0; slot < PAGE_SIZE; slot++) {
    if (at < slots.length && slots.readUInt16BE(at) === slot) {
      end = text.indexOf('}', end) + 1
      at += 2
    }
    ends[slot] = end
  }
  return jsonPage({ bytes: Buffer.from(text, 'latin1'), ends })
}

/** The changes in a page. @param text the slot of each order, followed by a comma and its JSON if it is listed */
export function changesIn(text: string): Changes {
  return new Map(
    text.split(' ').map((each) => {
      const slot = Number.parseInt(each, 10)
      return [slot, each.slice(String(slot).length)]
    }),
  )
}
