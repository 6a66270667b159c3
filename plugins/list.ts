// Sends a list of orders: joins the store's pages, which hold it as JSON already, under one weak ETag.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import type { OrderPage } from '../store/page.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Answers with the pages as one JSON array, or 304 when the client has it (RFC 9110 13.1.2). */
    sendPages(pages: readonly OrderPage[]): FastifyReply
  }
}

async function list(app: FastifyInstance) {
  const tags = new WeakMap<readonly OrderPage[], string>()

  app.decorateReply('sendPages', function (this: FastifyReply, pages) {
    const etag = tags.get(pages) ?? etagOf(pages)
    tags.set(pages, etag)
    this.headers({ etag, 'cache-control': 'private, no-cache', vary: 'Accept' })
    if (isKnown(etag, this.request.headers['if-none-match'])) return this.code(304).send()

    const chunks = join(pages)
    this.type('application/json; charset=utf-8')
    this.header(
      'content-length',
      chunks.reduce((sum, chunk) => sum + chunk.length, 0),
    )
    return this.send(this.request.method === 'HEAD' ? Readable.from([]) : Readable.from(chunks))
  })
}

function join(pages: readonly OrderPage[]): Buffer[] {
  const shown = pages.filter((page) => page.count > 0)
  const chunks = shown.flatMap((page, index) => [Buffer.from(index === 0 ? '[' : ','), page.json()])
  return shown.length === 0 ? [Buffer.from('[]')] : [...chunks, Buffer.from(']')]
}

function etagOf(pages: readonly OrderPage[]): string {
  const hash = createHash('sha256')
  for (const page of pages) hash.update(page.hash())
  return `W/"${hash.digest('base64url').slice(0, 22)}"`
}

/** Whether If-None-Match names the tag, compared weakly. */
function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const tags: string[] = ifNoneMatch.match(/"[\x21\x23-\x7e\x80-\xff]*"/g) ?? []
  return tags.includes(etag.slice(2))
}

export default fp(list, { name: 'list' })
