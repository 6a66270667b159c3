// The wire form of a list: body chunks, ETag and response headers.
import { type HeaderList, headerList } from 'http-edge/responses'
import { hashOf, type OrderPage } from '../../store/page.ts'
import { bytesOf, type Chunk, isShort, lengthOf } from './chunk.ts'

export interface Representation {
  /** JSON in ASCII: pages, which are compressed separately. */
  chunks: readonly Chunk[]
  /** The same, as it is sent without compression. */
  body: readonly (Chunk | string)[]
  length: number
  etag: string
  headers: HeaderList
  notModifiedHeaders: HeaderList
}

/** Node writes strings of up to 16 KiB, headers included, without allocating. */
const TEXT_LIMIT_BYTES = 15 * 1024
const [open, close] = [Buffer.from('['), Buffer.from(']')]

/** The chunk of a list's first page begins with a bracket. It is kept, so that it is compressed once. */
const firstChunks = new WeakMap<OrderPage, Buffer>()

export function representationOf(pages: readonly OrderPage[]): Representation {
  const chunks: Chunk[] = [...pages]
  let length = lengthOf(pages)
  const [first] = pages
  length += first ? 1 : 2 // a bracket replaces the first comma
  chunks[0] = first ? firstChunkOf(first) : open
  chunks.push(close)
  const etag = `W/"${hashOf(pages.map((page) => page.hash()).join(''))}"`
  const shared = { etag, 'cache-control': 'private, no-cache' }
  return {
    chunks: chunks.length > 2 ? chunks : [Buffer.concat(chunks.map(bytesOf))], // a single page is compressed as a whole
    body: isShort(length) ? [joined(chunks, length)] : chunks,
    length,
    etag,
    headers: headerList({ ...shared, 'content-type': 'application/json' }),
    notModifiedHeaders: headerList(shared),
  }
}

function firstChunkOf(page: OrderPage): Buffer {
  const cached = firstChunks.get(page)
  if (cached) return cached
  const made = Buffer.concat([open, page.json().subarray(1)])
  firstChunks.set(page, made)
  return made
}

function joined(chunks: readonly Chunk[], length: number): Buffer | string {
  const bytes = Buffer.concat(chunks.map(bytesOf))
  return length > TEXT_LIMIT_BYTES ? bytes : bytes.toString('latin1')
}
