// A page as JSON. After a change, a new page shares its bytes, and hashes only the groups of orders that changed.
//
// The id of an order decides whether a page or a group begins with it (content-defined chunking). So pages, their hashes and
// the ETag depend on nothing but the listed orders and their sequence, and a change affects only the pages around it.
import { pageEncoded } from './channels.ts'
import { hashOf, type OrderPage } from './page.ts'

export interface JsonPage extends OrderPage, Index {
  /** The position of its first order. */
  readonly first: number
  /** The page after these changes. */
  with(changes: Changes): JsonPage
}

/** The order at each changed position: JSON with a comma before it, or nothing. */
export type Changes = ReadonlyMap<number, string>

interface Index {
  /** Of its orders, ascending. */
  readonly positions: Positions
  /** Where each order ends in the JSON. */
  readonly ends: Uint32Array
  readonly groups: readonly Group[]
}

interface Rows extends Omit<Index, 'groups'> {
  readonly bytes: Buffer
}

interface Positions {
  readonly length: number
  at(index: number): number
}

/** Orders that are hashed together. */
interface Group {
  readonly count: number
  /** What its first order begins: always a group, unless it is the first of the page. */
  readonly begins: Beginning
  /** Once it is known. */
  hash?: string
}

type Beginning = 'page' | 'group' | undefined

/** The mean number of orders, each a power of two. */
const [PAGE_ORDERS, GROUP_ORDERS] = [512, 64]
/** More changes than this, and than an eighth of the orders, are written into the bytes at once: texts take more memory. */
const MOST_UNWRITTEN = 32

const none: Changes = new Map()
/** Scratch for hashes, shared: it holds any page. */
let scratch = Buffer.alloc(0)

/** @param json of each order, with a comma before it; in ASCII */
export function jsonPage(json: string, positions: ArrayLike<number>, ends: ArrayLike<number>): JsonPage {
  const groups: { count: number; begins: Beginning }[] = []
  for (let [index, start] = [0, 0]; index < ends.length; start = ends[index++] as number) {
    const begins = beginningAt(json, start)
    const last = groups.at(-1)
    if (last === undefined || begins) groups.push({ count: 1, begins })
    else last.count++
  }
  return writtenPage(Buffer.from(json, 'latin1'), positions, Uint32Array.from(ends), groups)
}

export const emptyPage = jsonPage('', [], [])

function writtenPage(
  bytes: Buffer,
  positions: ArrayLike<number>,
  ends: Uint32Array,
  groups: readonly Group[],
): JsonPage {
  const rows = { bytes, positions: positionsOf(positions), ends }
  return pageOf(rows, none, { ...rows, groups })
}

/** What an order begins, by a hash of its id, mixed so that any pattern of ids spreads: FNV-1a, then MurmurHash3's mixer. */
function beginningAt(json: string, start: number): Beginning {
  let hash = 0x811c9dc5
  for (let at = start + ',{"id":'.length; ; at++) {
    const code = json.charCodeAt(at)
    if (code !== 45 && !(code >= 48 && code <= 57)) break // neither a minus nor a digit
    hash = Math.imul(hash ^ code, 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  hash ^= hash >>> 16
  if ((hash & (PAGE_ORDERS - 1)) === 0) return 'page'
  return (hash & (GROUP_ORDERS - 1)) === 0 ? 'group' : undefined
}

/** Whether a page begins with this order in any list, unless it is the first. @param json with a comma before it */
export function beginsPage(json: string): boolean {
  return beginningAt(json, 0) === 'page'
}

function addGroup(groups: Group[], group: Group): void {
  const last = groups.at(-1)
  if (last === undefined || group.begins) groups.push(group)
  else groups[groups.length - 1] = { count: last.count + group.count, begins: last.begins }
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
function pageOf(rows: Rows, unwritten: Changes, index: Index): JsonPage {
  const { positions, ends, groups } = index
  const count = positions.length
  const length = endAt(ends, count)
  let hash: string | undefined

  function write() {
    const bytes = Buffer.allocUnsafeSlow(length)
    writeJson(bytes, rows, unwritten, positions, 0, count)
    rows = { bytes, positions, ends }
    unwritten = none
    pageEncoded.publish('json')
  }

  function hashGroups() {
    if (scratch.length < length) scratch = Buffer.allocUnsafeSlow(2 * length)
    let from = 0
    for (const group of groups) {
      const to = from + group.count
      group.hash ??= hashOf(scratch.subarray(0, writeJson(scratch, rows, unwritten, positions, from, to)))
      from = to
    }
    return hashOf(groups.map((group) => group.hash).join(''))
  }

  return {
    ...index,
    count,
    length,
    first: count === 0 ? 0 : positions.at(0),
    json() {
      if (rows.ends !== ends) write()
      return rows.bytes
    },
    hash() {
      hash ??= hashGroups()
      return hash
    },
    with(changes) {
      const page = pageOf(
        rows,
        unwritten.size === 0 ? changes : new Map([...unwritten, ...changes]),
        merged(index, changes),
      )
      if (unwritten.size + changes.size > Math.max(MOST_UNWRITTEN, positions.length / 8)) page.json()
      return page
    },
  }
}

function endAt(ends: Uint32Array, count: number): number {
  return count === 0 ? 0 : (ends[count - 1] as number)
}

/** The index after the changes. Groups without any stay the same objects. */
function merged({ positions, ends, groups }: Index, changes: Changes): Index {
  const changed = [...changes.keys()].sort((a, b) => a - b)
  const most = positions.length + changed.length
  const [positionsAfter, endsAfter] = [new Float64Array(most), new Uint32Array(most)]
  const groupsAfter: Group[] = []
  let [count, end] = [0, 0]
  let next = 0 // of the changed positions
  const add = (position: number, length: number) => {
    end += length
    positionsAfter[count] = position
    endsAfter[count++] = end
  }
  const addChangesBefore = (limit: number) => {
    for (; next < changed.length && (changed[next] as number) < limit; next++) {
      const json = changes.get(changed[next] as number) as string
      if (json === '') continue
      add(changed[next] as number, json.length)
      addGroup(groupsAfter, { count: 1, begins: beginningAt(json, 0) })
    }
  }
  let index = 0
  for (const group of groups) {
    const after = index + group.count
    const limit = after < positions.length ? positions.at(after) : Number.POSITIVE_INFINITY
    const isChanged = next < changed.length && (changed[next] as number) < limit
    if (!isChanged) addGroup(groupsAfter, group)
    for (let begins = group.begins; index < after; index++, begins = undefined) {
      const position = positions.at(index)
      if (isChanged) {
        addChangesBefore(position)
        if (changed[next] === position) continue // replaced or removed: the change itself comes next
        addGroup(groupsAfter, { count: 1, begins })
      }
      add(position, (ends[index] as number) - endAt(ends, index))
    }
    addChangesBefore(limit)
  }
  addChangesBefore(Number.POSITIVE_INFINITY)
  const [listed, endsListed] = [positionsAfter.subarray(0, count), endsAfter.slice(0, count)]
  return { positions: positionsOf(listed), ends: endsListed, groups: groupsAfter }
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

/** Whether it begins where a page does, and no other begins within it. */
export function isWhole({ groups }: JsonPage, isFirst: boolean): boolean {
  const [head, ...others] = groups
  return head !== undefined && (isFirst || head.begins === 'page') && others.every(({ begins }) => begins !== 'page')
}

/** Orders of a page that follow one another. */
interface Part {
  readonly page: JsonPage
  /** Indexes: the first order, and the one after the last. */
  readonly from: number
  to: number
  readonly groups: Group[]
}

/** Cuts the page wherever another begins. */
export function partsOf(page: JsonPage): Part[] {
  const parts: Part[] = []
  let from = 0
  for (const group of page.groups) {
    const to = from + group.count
    const last = parts.at(-1)
    if (last === undefined || group.begins === 'page') parts.push({ page, from, to, groups: [group] })
    else {
      last.to = to
      last.groups.push(group)
    }
    from = to
  }
  return parts
}

/** One page of parts that follow one another. A part that is all of its page is this page. */
export function joined(parts: readonly Part[]): JsonPage {
  const [head] = parts
  if (head && parts.length === 1 && head.to - head.from === head.page.count) return head.page
  const count = parts.reduce((sum, { from, to }) => sum + to - from, 0)
  const [positions, ends] = [new Float64Array(count), new Uint32Array(count)]
  const groups: Group[] = []
  let [index, length] = [0, 0]
  const bytes = parts.map(({ page, from, to, groups: partGroups }) => {
    const begin = endAt(page.ends, from)
    for (let at = from; at < to; at++, index++) {
      positions[index] = page.positions.at(at)
      ends[index] = length + (page.ends[at] as number) - begin
    }
    for (const group of partGroups) addGroup(groups, group)
    const end = endAt(page.ends, to)
    length += end - begin
    return page.json().subarray(begin, end)
  })
  return writtenPage(Buffer.concat(bytes), positions, ends, groups)
}
