// Sends a list of orders: joins the store's pages, which hold it as JSON already, under one weak ETag.
import { createHash } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { isKnown, preferredEncoding, varying } from '../http/negotiate.ts'
import { ApiError } from '../spec/errors.ts'
import type { OrderList, OrderPage } from '../store/page.ts'
import { gzip } from './list/gzip.ts'
import { send } from './list/send.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Answers with the orders as one JSON array, or 304 when the client has it (RFC 9110 13.1.2). */
    sendList(list: OrderList): FastifyReply
  }
}

interface List {
  etag: string
  /** The JSON array, in pieces. */
  pieces: readonly Buffer[]
}

async function list(app: FastifyInstance) {
  const lists = new WeakMap<readonly OrderPage[], List>()

  app.decorateReply('sendList', function (this: FastifyReply, { pages }) {
    const { method, headers } = this.request
    const known = lists.get(pages) ?? join(pages)
    lists.set(pages, known)
    const { etag, pieces } = known
    const vary = varying(this.getHeader('vary'), 'Accept', 'Accept-Encoding')
    this.headers({ etag, 'cache-control': 'private, no-cache', vary })
    if (isKnown(etag, headers)) return this.code(304).send()

    const encoding = preferredEncoding(headers, ['gzip'])
    if (encoding === undefined) throw new ApiError('not_acceptable', noEncoding)
    const isZipped = encoding === 'gzip'
    const chunks = isZipped ? gzip(pieces) : pieces
    if (isZipped) this.header('content-encoding', 'gzip')
    this.header('content-type', 'application/json; charset=utf-8')
    this.header('content-length', lengthOf(chunks))
    this.hijack()
    this.raw.writeHead(this.statusCode, this.getHeaders() as OutgoingHttpHeaders)
    send(this.raw, method === 'HEAD' ? [] : chunks)
    return this
  })
}

const noEncoding = 'The list is sent with the encodings gzip and identity only.'

const [open, comma, close] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer]

function join(pages: readonly OrderPage[]): List {
  const hash = createHash('sha256')
  for (const page of pages) hash.update(page.hash())
  const [first, ...others] = pages.filter(({ count }) => count > 0).map((page) => page.json())
  const pieces = [open, ...(first ? [first] : []), ...others.flatMap((json) => [comma, json]), close]
  return {
    etag: `W/"${hash.digest('base64url').slice(0, 22)}"`,
    pieces: others.length > 0 ? pieces : [Buffer.concat(pieces)], // a small list is sent in one write
  }
}

function lengthOf(chunks: readonly Buffer[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0)
}

export default fp(list, { name: 'list' })
