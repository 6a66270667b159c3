// A list as it is sent: the JSON of its pages, joined, its ETag and its heads.
import { createHash } from 'node:crypto'
import { type Head, headWith } from '../../http/headers.ts'
import type { OrderPage } from '../../store/page.ts'

/** JSON, in ASCII. */
export interface Body {
  pieces: readonly Buffer[]
  length: number
  /** The same as text, if it is short: with the head it is then one string, and one write. */
  text: string | undefined
}

export interface Representation extends Body {
  pages: readonly OrderPage[]
  etag: string
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
  const etag = `W/"${hash.digest('base64url').slice(0, 22)}"`
  const shared = { etag, 'cache-control': 'private, no-cache' }
  const headers = { ...shared, 'content-type': contentType }
  return {
    pages,
    etag,
    ...bodyOf(others.length > 0 ? pieces : [Buffer.concat(pieces)]), // a small list is sent in one write
    head: headWith(headers),
    zippedHead: headWith({ ...headers, 'content-encoding': 'gzip' }),
    notModified: headWith(shared),
  }
}

export function bodyOf(pieces: readonly Buffer[]): Body {
  const length = lengthOf(pieces)
  const text = length > TEXT_LIMIT_BYTES ? undefined : Buffer.concat(pieces).toString('latin1')
  return { pieces, length, text }
}

export function lengthOf(chunks: readonly Buffer[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0)
}
