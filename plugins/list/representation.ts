// A list as it is sent: the JSON of its pages, joined, its ETag and its heads.
import { createHash } from 'node:crypto'
import { type Head, headWith } from '../../http/headers.ts'
import type { OrderPage } from '../../store/page.ts'

export interface Representation {
  pages: readonly OrderPage[]
  etag: string
  /** The JSON array, in pieces. */
  pieces: readonly Buffer[]
  length: number
  /** The same as text, if it is short: with the head it is then one string, and one write. */
  text: string | undefined
  /** The headers of the list, of its gzip, and of a 304. */
  head: Head
  zippedHead: Head
  notModified: Head
}

/** Of a list and of changes to it. */
export const contentType = 'application/json; charset=utf-8'

/** Node writes strings of up to 16 KiB, the head included, without allocating. */
const TEXT_LIMIT_BYTES = 15 * 1024
const [open, comma, close] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer]

export function representationOf(pages: readonly OrderPage[]): Representation {
  const hash = createHash('sha256').update(pages.map((page) => page.hash()).join(''))
  const [first, ...others] = pages.filter(({ count }) => count > 0).map((page) => page.json())
  const pieces = [open, ...(first ? [first] : []), ...others.flatMap((json) => [comma, json]), close]
  const length = lengthOf(pieces)
  const etag = `W/"${hash.digest('base64url').slice(0, 22)}"`
  const shared = { etag, 'cache-control': 'private, no-cache' }
  const headers = { ...shared, 'content-type': contentType }
  return {
    pages,
    etag,
    pieces: others.length > 0 ? pieces : [Buffer.concat(pieces)], // a small list is sent in one write
    length,
    text: length > TEXT_LIMIT_BYTES ? undefined : Buffer.concat(pieces).toString('latin1'), // JSON, in ASCII
    head: headWith(headers),
    zippedHead: headWith({ ...headers, 'content-encoding': 'gzip' }),
    notModified: headWith(shared),
  }
}

export function lengthOf(chunks: readonly Buffer[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0)
}
