// A list as it is sent: the JSON of its pages, joined, its ETag and its heads.
import { createHash } from 'node:crypto'
import { type Head, headWith } from '../../http/headers.ts'
import type { OrderPage } from '../../store/page.ts'

export interface Representation {
  /** JSON, in ASCII. */
  pieces: readonly Buffer[]
  length: number
  /** The same as text, if it is short: with the head it is then one string, and one write. */
  text: string | undefined
  etag: string
  /** The headers of the list, of its gzip, and of a 304. */
  head: Head
  zippedHead: Head
  notModified: Head
}

/** Node writes strings of up to 16 KiB, the head included, without allocating. */
const TEXT_LIMIT_BYTES = 15 * 1024
const [open, close] = [Buffer.from('['), Buffer.from(']')]
/** What begins a list, by its page: the same bytes remain the same piece. */
const beginnings = new WeakMap<OrderPage, Buffer>()

export function representationOf(pages: readonly OrderPage[]): Representation {
  const pieces: Buffer[] = []
  let hashes = ''
  for (const page of pages) {
    hashes += page.hash()
    if (page.count > 0) pieces.push(pieces.length === 0 ? beginningOf(page) : page.json())
  }
  if (pieces.length === 0) pieces.push(open)
  pieces.push(close)
  const hash = createHash('sha256').update(hashes).digest('base64url')
  const etag = `W/"${hash.slice(0, 22)}"`
  const shared = { etag, 'cache-control': 'private, no-cache' }
  const headers = { ...shared, 'content-type': 'application/json; charset=utf-8' }
  const joined = pieces.length > 2 ? pieces : [Buffer.concat(pieces)] // that of one page is sent in one write
  const length = lengthOf(joined)
  return {
    pieces: joined,
    length,
    text: length > TEXT_LIMIT_BYTES ? undefined : Buffer.concat(joined).toString('latin1'),
    etag,
    head: headWith(headers),
    zippedHead: headWith({ ...headers, 'content-encoding': 'gzip' }),
    notModified: headWith(shared),
  }
}

/** The page with a bracket in place of its first comma. */
function beginningOf(page: OrderPage): Buffer {
  const known = beginnings.get(page)
  if (known) return known
  const made = Buffer.concat([open, page.json().subarray(1)])
  beginnings.set(page, made)
  return made
}

export function lengthOf(chunks: readonly Buffer[]): number {
  let sum = 0
  for (const { length } of chunks) sum += length
  return sum
}
