// A page as JSON. After a change, a new page shares its bytes, and hashes only the groups of orders that changed.
import { pageEncoded } from './channels.ts'
import { HASH_LENGTH, hashOf, type OrderPage, PAGE_SIZE } from './page.ts'

export interface JsonPage extends OrderPage {
  /** Whether an order is listed at this slot. */
  has(slot: number): boolean
  /** The page after these changes. */
  with(changes: Changes): JsonPage
}

/** The order at each changed slot, its place within the page: JSON with a comma before it, or nothing. */
export type Changes = ReadonlyMap<number, string>

export interface Rows {
  bytes: Buffer
  /** Where the order at each slot ends in the bytes; at a slot without one, where the slot before ends. */
  ends: Uint32Array
}

interface Summary {
  count: number
  length: number
  /** The hashes of the groups of orders, one after another. */
  hashes: string
  /** A bit for each group whose hash is missing. */
  unhashed: number
}

/** A number has as many bits as a page has groups. */
const GROUP_SIZE = PAGE_SIZE / 32
const ALL_GROUPS = -1
/** More changes are written into the bytes at once: as texts they take more memory. */
const MOST_UNWRITTEN = 64

const none: Changes = new Map()
/** Scratch for hashes, shared: it holds any page. */
let scratch = Buffer.alloc(0)
export const emptyPage = jsonPage({ bytes: Buffer.alloc(0), ends: new Uint32Array(PAGE_SIZE) })

export function jsonPage(rows: Rows): JsonPage {
  let count = 0
  for (let slot = 0; slot < PAGE_SIZE; slot++) if (lengthAt(rows, slot) > 0) count++
  return pageOf(rows, none, { count, length: rows.bytes.length, hashes: '', unhashed: ALL_GROUPS })
}

/** The changes are written into the bytes when these are first read. */
function pageOf(rows: Rows, unwritten: Changes, { count, length, hashes, unhashed }: Summary): JsonPage {
  let hash: string | undefined
  const lengthOf = (slot: number) => unwritten.get(slot)?.length ?? lengthAt(rows, slot)

  function write() {
    const bytes = Buffer.allocUnsafeSlow(length)
    writeJson(bytes, rows, unwritten, 0, PAGE_SIZE)
    const ends = new Uint32Array(PAGE_SIZE)
    let end = 0
    for (let slot = 0; slot < PAGE_SIZE; slot++) {
      end += lengthOf(slot)
      ends[slot] = end
    }
    rows = { bytes, ends }
    unwritten = none
    pageEncoded.publish('json')
  }

  function hashGroups() {
    if (scratch.length < length) scratch = Buffer.allocUnsafeSlow(2 * length)
    for (let group = 0; unhashed !== 0; group++, unhashed >>>= 1) {
      if ((unhashed & 1) === 0) continue
      const written = writeJson(scratch, rows, unwritten, group * GROUP_SIZE, (group + 1) * GROUP_SIZE)
      const hashOfGroup = hashOf(scratch.subarray(0, written))
      hashes = hashes.slice(0, group * HASH_LENGTH) + hashOfGroup + hashes.slice((group + 1) * HASH_LENGTH)
    }
  }

  return {
    count,
    length,
    json() {
      if (unwritten.size > 0) write()
      return rows.bytes
    },
    hash() {
      hashGroups()
      hash ??= hashOf(hashes)
      return hash
    },
    has: (slot) => lengthOf(slot) > 0,
    with(changes) {
      const next = { count, length, hashes, unhashed }
      for (const [slot, json] of changes) {
        const before = lengthOf(slot)
        next.length += json.length - before
        next.count += Math.sign(json.length) - Math.sign(before)
        next.unhashed |= 1 << Math.floor(slot / GROUP_SIZE)
      }
      const page = pageOf(rows, unwritten.size === 0 ? changes : new Map([...unwritten, ...changes]), next)
      if (unwritten.size + changes.size > MOST_UNWRITTEN) page.json()
      return page
    },
  }
}

function begin({ ends }: Rows, slot: number): number {
  return slot === 0 ? 0 : (ends[slot - 1] as number)
}

function lengthAt(rows: Rows, slot: number): number {
  return (rows.ends[slot] as number) - begin(rows, slot)
}

/** Writes the JSON from one slot to before another, after the changes. */
function writeJson(target: Buffer, rows: Rows, changes: Changes, from: number, to: number): number {
  let length = 0
  let kept = begin(rows, from) // the beginning of what is not copied yet
  for (let slot = from; slot < to && changes.size > 0; slot++) {
    const json = changes.get(slot)
    if (json === undefined) continue
    length += rows.bytes.copy(target, length, kept, begin(rows, slot))
    length += target.write(json, length, 'latin1')
    kept = rows.ends[slot] as number
  }
  return length + rows.bytes.copy(target, length, kept, rows.ends[to - 1])
}
