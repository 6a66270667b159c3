// A page as JSON. After a change, a new page shares its bytes, and hashes only the groups of orders that changed.
import { pageEncoded } from './channels.ts'
import { HASH_LENGTH, hashOf, type OrderPage, PAGE_SIZE } from './page.ts'

export interface JsonPage extends OrderPage {
  /** The positions of its first and its last order. */
  readonly first: number
  readonly last: number
  /** Of its orders, ascending. */
  readonly positions: Positions
  /** Where each order ends in the JSON. */
  readonly ends: Uint32Array
  has(position: number): boolean
  /** The page after these changes. */
  with(changes: Changes): JsonPage
}

/** The order at each changed position: JSON with a comma before it, or nothing. */
export type Changes = ReadonlyMap<number, string>

interface Index {
  positions: Positions
  ends: Uint32Array
}

interface Rows extends Index {
  bytes: Buffer
}

interface Positions {
  readonly length: number
  at(index: number): number
}

/** The smallest range that holds these positions, of PAGE_SIZE times a power of two positions, and a multiple of its size. */
export interface Span {
  start: number
  size: number
}

interface Hashes {
  /** The hashes of the groups of orders, one after another. */
  hashes: string
  /** A bit for each group whose hash is missing. */
  unhashed: number
}

/** Each has an equal part of the span. A number has as many bits. */
const GROUPS = 32
const ALL_GROUPS = { hashes: '', unhashed: -1 }
/** More changes are written into the bytes at once: as texts they take more memory. */
const MOST_UNWRITTEN = 64

const none: Changes = new Map()
/** Scratch for hashes, shared: it holds any page. */
let scratch = Buffer.alloc(0)
export const emptyPage = jsonPage(Buffer.alloc(0), [], [])

export function spanOf(first: number, last: number): Span {
  let size = PAGE_SIZE
  while (Math.floor(first / size) !== Math.floor(last / size)) size *= 2
  return { start: Math.floor(first / size) * size, size }
}

export function jsonPage(bytes: Buffer, positions: ArrayLike<number>, ends: ArrayLike<number>): JsonPage {
  const rows = { bytes, positions: positionsOf(positions), ends: Uint32Array.from(ends) }
  return pageOf(rows, none, rows, ALL_GROUPS)
}

/** Two bytes each, unless they are far apart. */
function positionsOf(positions: ArrayLike<number>): Positions {
  const { length } = positions
  const base = length === 0 ? 0 : (positions[0] as number)
  const isNear = length === 0 || (positions[length - 1] as number) - base < 2 ** 16
  const offsets = isNear ? new Uint16Array(length) : new Float64Array(length)
  for (let index = 0; index < length; index++) offsets[index] = (positions[index] as number) - base
  return { length, at: (index) => base + (offsets[index] as number) }
}

/** The first index from which on the positions are not below this one. */
export function indexOf(positions: Positions, position: number): number {
  let [low, high] = [0, positions.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (positions.at(middle) < position) low = middle + 1
    else high = middle
  }
  return low
}

/** The changes, which `index` includes, are written into the bytes when these are first read. */
function pageOf(rows: Rows, unwritten: Changes, index: Index, { hashes, unhashed }: Hashes): JsonPage {
  const { positions, ends } = index
  const count = positions.length
  const length = endAt(ends, count)
  const [first, last] = count === 0 ? [0, 0] : [positions.at(0), positions.at(count - 1)]
  const { start, size } = spanOf(first, last)
  let hash: string | undefined

  const has = (position: number) => positions.at(indexOf(positions, position)) === position

  function write() {
    const bytes = Buffer.allocUnsafeSlow(length)
    writeJson(bytes, rows, unwritten, positions, 0, count)
    rows = { bytes, positions, ends }
    unwritten = none
    pageEncoded.publish('json')
  }

  function hashGroups() {
    if (scratch.length < length) scratch = Buffer.allocUnsafeSlow(2 * length)
    for (let group = 0; unhashed !== 0; group++, unhashed >>>= 1) {
      if ((unhashed & 1) === 0) continue
      const [from, to] = [group, group + 1].map((each) => indexOf(positions, start + (each * size) / GROUPS))
      const end = writeJson(scratch, rows, unwritten, positions, from as number, to as number)
      const hashOfGroup = hashOf(scratch.subarray(0, end))
      hashes = hashes.slice(0, group * HASH_LENGTH) + hashOfGroup + hashes.slice((group + 1) * HASH_LENGTH)
    }
  }

  return {
    count,
    length,
    first,
    last,
    positions,
    ends,
    json() {
      if (rows.ends !== ends) write()
      return rows.bytes
    },
    hash() {
      hashGroups()
      hash ??= hashOf(hashes)
      return hash
    },
    has,
    with(given) {
      const changes = new Map(Array.from(given).filter(([position, json]) => json !== '' || has(position)))
      const next = merged(index, changes)
      const after = next.positions
      const span = after.length === 0 ? undefined : spanOf(after.at(0), after.at(after.length - 1))
      let known: Hashes = ALL_GROUPS
      if (span?.start === start && span.size === size) {
        known = { hashes, unhashed }
        for (const position of changes.keys()) known.unhashed |= 1 << Math.floor(((position - start) * GROUPS) / size)
      }
      const page = pageOf(rows, unwritten.size === 0 ? changes : new Map([...unwritten, ...changes]), next, known)
      if (unwritten.size + changes.size > MOST_UNWRITTEN) page.json()
      return page
    },
  }
}

function endAt(ends: Uint32Array, count: number): number {
  return count === 0 ? 0 : (ends[count - 1] as number)
}

/** The positions and the ends after the changes. */
function merged({ positions, ends }: Index, changes: Changes): Index {
  const [after, endsAfter]: number[][] = [[], []]
  let end = 0
  const add = (position: number, length: number) => {
    if (length === 0) return
    end += length
    after?.push(position)
    endsAfter?.push(end)
  }
  let index = 0
  const addBefore = (limit: number) => {
    for (; index < positions.length && positions.at(index) < limit; index++)
      add(positions.at(index), endAt(ends, index + 1) - endAt(ends, index))
  }
  for (const position of [...changes.keys()].sort((a, b) => a - b)) {
    addBefore(position)
    if (index < positions.length && positions.at(index) === position) index++
    add(position, (changes.get(position) as string).length)
  }
  addBefore(Number.POSITIVE_INFINITY)
  return { positions: positionsOf(after as number[]), ends: Uint32Array.from(endsAfter as number[]) }
}

/** Writes the orders at these positions, from one index to before another, after the changes. @returns where they end */
function writeJson(
  target: Buffer,
  rows: Rows,
  changes: Changes,
  positions: Positions,
  from: number,
  to: number,
): number {
  let length = 0
  let at = from < to ? indexOf(rows.positions, positions.at(from)) : 0
  let kept = endAt(rows.ends, at) // the beginning of what is not copied yet
  const copyUntil = (end: number) => {
    length += rows.bytes.copy(target, length, kept, end)
  }
  for (let index = from; index < to; index++) {
    const position = positions.at(index)
    const json = changes.get(position)
    const before = at
    while (at < rows.positions.length && rows.positions.at(at) < position) at++ // removed
    if (at > before || json !== undefined) {
      copyUntil(endAt(rows.ends, before))
      kept = endAt(rows.ends, at)
    }
    if (json !== undefined) {
      length += target.write(json, length, 'latin1')
      if (at < rows.positions.length && rows.positions.at(at) === position) at++
      kept = endAt(rows.ends, at)
    } else at++
  }
  copyUntil(endAt(rows.ends, at))
  return length
}
