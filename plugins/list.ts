// Sends a list of orders: joins the store's pages, which already hold it as JSON, under one weak ETag.
import { createHash } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { isKnown, preferredEncoding, varying } from '../http/negotiate.ts'
import { ApiError } from '../spec/errors.ts'
import type { OrderList, OrderPage } from '../store/page.ts'
import { type Compressor, compressor } from './list/gzip.ts'
import { send } from './list/send.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Responds with the orders as one JSON array, or 304 if the client has it (RFC 9110, section 13.1.2). */
    sendList(list: OrderList): FastifyReply
  }
}

interface List {
  etag: string
  /** The JSON array, in pieces. */
  pieces: readonly Buffer[]
}

async function list(app: FastifyInstance, { zip = compressor() }: { zip?: Compressor }) {
  const lists = new WeakMap<readonly OrderPage[], List>()
  app.addHook('onClose', async () => zip.close())

  app.decorateReply('sendList', function (this: FastifyReply, { pages }) {
    const { headers } = this.request
    const known = lists.get(pages) ?? join(pages)
    lists.set(pages, known)
    const { etag, pieces } = known
    const vary = varying(this.getHeader('vary'), 'Accept', 'Accept-Encoding')
    this.headers({ etag, 'cache-control': 'private, no-cache', vary })
    if (isKnown(etag, headers)) return this.code(304).send()

    const encoding = preferredEncoding(headers, ['gzip'])
    if (encoding === undefined) throw new ApiError('not_acceptable', noEncoding)
    this.hijack()
    if (encoding === 'gzip') {
      const isNeeded = preferredEncoding(headers, []) === undefined // the client excludes identity
      zip.gzip(pieces, isNeeded).then(
        (zipped) => answer(this, pieces, zipped, isNeeded),
        (error) => {
          this.log.error({ err: error }, 'the list could not be compressed')
          answer(this, pieces)
        },
      )
    } else {
      answer(this, pieces)
    }
    return this
  })
}

const noEncoding = 'The list is sent with the encodings gzip and identity only.'

/** Sends the list in the shorter of its encodings, unless the client accepts only gzip. */
function answer(reply: FastifyReply, pieces: readonly Buffer[], zipped?: readonly Buffer[], isOnly = false) {
  const isZipped = zipped !== undefined && (isOnly || lengthOf(zipped) < lengthOf(pieces))
  const chunks = isZipped ? zipped : pieces
  if (isZipped) reply.header('content-encoding', 'gzip')
  reply.header('content-type', 'application/json; charset=utf-8')
  reply.header('content-length', lengthOf(chunks))
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
  send(reply.raw, reply.request.method === 'HEAD' ? [] : chunks)
}

const [open, comma, close] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer]

function join(pages: readonly OrderPage[]): List {
  const hash = createHash('sha256').update(pages.map((page) => page.hash()).join(''))
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
