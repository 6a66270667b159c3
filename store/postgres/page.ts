// Pages and changed orders as the database sends them.
import { emptyPage, type JsonPage, jsonPage } from '../json-page.ts'
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

/** By page, the changes in it. @param text the position of each order, followed by its JSON if it is listed */
export function changesIn(text: string | null): Map<number, Map<number, string>> {
  const changes = new Map<number, Map<number, string>>()
  for (const each of text?.split(' ') ?? []) {
    const position = Number.parseInt(each, 10)
    const number = Math.floor(position / PAGE_SIZE)
    const slot = position - number * PAGE_SIZE
    const json = each.slice(String(position).length)
    const known = changes.get(number)
    if (known) known.set(slot, json && `,${json}`)
    else changes.set(number, new Map([[slot, json && `,${json}`]]))
  }
  return changes
}
