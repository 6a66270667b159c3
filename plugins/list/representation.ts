// The wire form of a list: body chunks, ETag and response headers.
import { createHash } from 'node:crypto'
import { type HeaderList, headerList } from '../../http/headers.ts'
import type { OrderPage } from '../../store/page.ts'

export interface Representation {
  /** JSON in ASCII. */
  chunks: readonly Buffer[]
  length: number
  /** The same as text if it is short: together with the headers, it takes a single write. */
  text: string | undefined
  etag: string
  headers: HeaderList
  gzipHeaders: HeaderList
  notModifiedHeaders: HeaderList
}

/** Node writes strings of up to 16 KiB, headers included, without allocating. */
const TEXT_LIMIT_BYTES = 15 * 1024
const [open, close] = [Buffer.from('['), Buffer.from(']')]
/** First chunks by page: the same bytes remain the same chunk, which is compressed once. */
const firstChunks = new WeakMap<OrderPage, Buffer>()

export function representationOf(pages: readonly OrderPage[]): Representation {
  const chunks: Buffer[] = []
  let hashes = ''
  for (const page of pages) {
    hashes += page.hash()
    if (page.count > 0) chunks.push(chunks.length === 0 ? firstChunkOf(page) : page.json())
  }
  if (chunks.length === 0) chunks.push(open)
  chunks.push(close)
  const hash = createHash('sha256').update(hashes).digest('base64url')
  const etag = `W/"${hash.slice(0, 22)}"`
  const shared = { etag, 'cache-control': 'private, no-cache' }
  const headers = { ...shared, 'content-type': 'application/json; charset=utf-8' }
  const body = chunks.length > 2 ? chunks : [Buffer.concat(chunks)] // a single page is sent in one write
  const length = lengthOf(body)
  return {
    chunks: body,
    length,
    text: length > TEXT_LIMIT_BYTES ? undefined : Buffer.concat(body).toString('latin1'),
    etag,
    headers: headerList(headers),
    gzipHeaders: headerList({ ...headers, 'content-encoding': 'gzip' }),
    notModifiedHeaders: headerList(shared),
  }
}

/** The page with a bracket in place of its first comma. */
function firstChunkOf(page: OrderPage): Buffer {
  const known = firstChunks.get(page)
  if (known) return known
  const made = Buffer.concat([open, page.json().subarray(1)])
  firstChunks.set(page, made)
  return made
}

export function lengthOf(chunks: readonly Buffer[]): number {
  let sum = 0
  for (const { length } of chunks) sum += length
  return sum
}
