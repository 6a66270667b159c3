// Pages and changed orders as the database sends them.
import { type Changes, emptyPage, type JsonPage, jsonPage } from '../json-page.ts'
import { BLOCK_SIZE } from '../page.ts'

export interface BlockRow {
  block: number
  /** The listed orders, separated by commas; null if there are none. */
  json: string | null
  /** The slot of each, in two bytes: its place among the positions of the block. */
  slots: Buffer
}

export function textPage({ block, json, slots }: BlockRow): JsonPage {
  if (json === null || slots === null) return emptyPage
  const text = `,${json}`
  const positions: number[] = []
  const ends: number[] = []
  for (let at = 0, end = 0; at < slots.length; at += 2) {
    positions.push(block * BLOCK_SIZE + slots.readUInt16BE(at))
    end = text.indexOf('}', end) + 1
    ends.push(end)
  }
  return jsonPage(text, positions, ends)
}

/** The changes in a block. @param text the slot of each order, followed by a comma and its JSON if it is listed */
export function changesIn(block: number, text: string): Changes {
  const start = block * BLOCK_SIZE
  return new Map(
    text.split(' ').map((each) => {
      const slot = Number.parseInt(each, 10)
      return [start + slot, each.slice(String(slot).length)]
    }),
  )
}
