// The wire form of a list: body chunks, ETag and response headers.
import { type HeaderList, headerList } from 'http-edge'
import { hashOf, type OrderPage } from '../../store/page.ts'
import { bytesOf, type Chunk, lengthOf } from './chunk.ts'

export interface Representation {
  /** JSON in ASCII. */
  chunks: readonly Chunk[]
  length: number
  /** The same as text if it is short: together with the headers, it takes a single write. */
  text: string | undefined
  etag: string
  headers: HeaderList
  notModifiedHeaders: HeaderList
}

/** Node writes strings of up to 16 KiB, headers included, without allocating. */
const TEXT_LIMIT_BYTES = 15 * 1024
/** Pages per section: after a change in one page, a list of a thousand reads only those of its section. */
const SECTION_PAGES = 32
const [open, close] = [Buffer.from('['), Buffer.from(']')]

/** Adjacent pages. */
interface Section {
  pages: readonly OrderPage[]
  /** The hash of each page. */
  hashes: readonly string[]
  /** The hash of all these hashes. */
  hash: string
  length: number
}

/** The latest section that begins with a page. */
const sections = new WeakMap<OrderPage, Section>()
/** The chunk of a list's first page begins with a bracket. It is kept, so that it is compressed once. */
const firstChunks = new WeakMap<OrderPage, Buffer>()

export function representationOf(pages: readonly OrderPage[]): Representation {
  const chunks: Chunk[] = []
  let hashes = ''
  let length = 0
  for (let at = 0; at < pages.length; at += SECTION_PAGES) {
    const section = sectionAt(pages, at)
    hashes += section.hash
    length += section.length
    for (const page of section.pages) chunks.push(page)
  }
  const first = chunks[0] as OrderPage | undefined
  length += first ? 1 : 2 // a bracket replaces the first comma
  chunks[0] = first ? firstChunkOf(first) : open
  chunks.push(close)
  const body = chunks.length > 2 ? chunks : [joined(chunks)] // a single page is sent in one write
  const etag = `W/"${hashOf(hashes)}"`
  const shared = { etag, 'cache-control': 'private, no-cache' }
  return {
    chunks: body,
    length,
    text: length > TEXT_LIMIT_BYTES ? undefined : joined(body).toString('latin1'),
    etag,
    headers: headerList({ ...shared, 'content-type': 'application/json; charset=utf-8' }),
    notModifiedHeaders: headerList(shared),
  }
}

function sectionAt(pages: readonly OrderPage[], begin: number): Section {
  const first = pages[begin] as OrderPage
  const cached = sections.get(first)
  if (cached && isAt(cached.pages, pages, begin)) return cached
  const sectionPages = pages.slice(begin, begin + SECTION_PAGES)
  const hashes = sectionPages.map((page, at) =>
    page === cached?.pages[at] ? (cached.hashes[at] as string) : page.hash(),
  )
  const section = { pages: sectionPages, hashes, hash: hashOf(hashes.join('')), length: lengthOf(sectionPages) }
  sections.set(first, section)
  return section
}

function isAt(sectionPages: readonly OrderPage[], pages: readonly OrderPage[], begin: number): boolean {
  if (sectionPages.length !== Math.min(SECTION_PAGES, pages.length - begin)) return false
  for (let at = 0; at < sectionPages.length; at++) if (sectionPages[at] !== pages[begin + at]) return false
  return true
}

function firstChunkOf(page: OrderPage): Buffer {
  const cached = firstChunks.get(page)
  if (cached) return cached
  const made = Buffer.concat([open, page.json().subarray(1)])
  firstChunks.set(page, made)
  return made
}

function joined(chunks: readonly Chunk[]): Buffer {
  return Buffer.concat(chunks.map(bytesOf))
}
