// Sends a list of orders: the concatenated JSON of the store's pages, with a weak ETag.
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { isKnown, preferredEncoding, varying } from 'http-edge'
import { ApiError } from '../../spec/errors.ts'
import type { OrderList, OrderPage } from '../../store/page.ts'
import { type Chunk, lengthOf } from './chunk.ts'
import { type Compressor, newCompressor } from './gzip.ts'
import { type Representation, representationOf } from './representation.ts'
import { send, sendText } from './send.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Responds with the orders as one JSON array, or with 304 if the client has it (RFC 9110, section 13.1.2). */
    sendList(list: OrderList): void
  }
}

const VARY = 'Accept, Accept-Encoding'
const noEncoding = 'The list is available only with the encodings gzip and identity.'

async function list(app: FastifyInstance, options: { compressor?: Compressor }) {
  const { compressor = newCompressor() } = options
  const lists = new WeakMap<readonly OrderPage[], Representation>()
  app.addHook('onClose', async () => compressor.close())

  function listOf(pages: readonly OrderPage[]): Representation {
    const known = lists.get(pages)
    if (known) return known
    const made = representationOf(pages)
    lists.set(pages, made)
    return made
  }

  function compressAndSend(reply: FastifyReply, list: Representation, refusesIdentity: boolean) {
    compressor.gzip(list.chunks, refusesIdentity).then(
      (gzipped) => {
        const isWorthIt = gzipped && (refusesIdentity || lengthOf(gzipped) < list.length)
        if (isWorthIt) sendGzip(reply, list, gzipped)
        else sendPlain(reply, list)
      },
      (error) => {
        reply.log.error({ err: error }, 'cannot compress the list; sending it uncompressed')
        sendPlain(reply, list)
      },
    )
  }

  app.decorateReply('sendList', function (this: FastifyReply, { pages }) {
    const { headers, method } = this.request
    const list = listOf(pages)
    if (isKnown(list.etag, headers)) {
      this.hijackWithHead(304, list.notModifiedHeaders, VARY).end()
      return
    }
    const isLarge = list.chunks.length > 1 && method !== 'HEAD'
    if (isLarge && this.rejectIfLate?.()) return // while load is shed
    const encoding = preferredEncoding(headers, ['gzip'])
    if (encoding === undefined) {
      this.header('vary', varying(this.getHeader('vary'), VARY)).send(new ApiError('not_acceptable', noEncoding))
    } else if (encoding === 'gzip') {
      const refusesIdentity = preferredEncoding(headers, []) === undefined
      compressAndSend(this, list, refusesIdentity)
    } else sendPlain(this, list)
  })
}

function sendPlain(reply: FastifyReply, { headers, text, length, chunks }: Representation) {
  const response = reply.header('content-length', length).hijackWithHead(reply.statusCode, headers, VARY)
  if (text === undefined || reply.request.method === 'HEAD') sendBody(reply, response, chunks)
  else sendText(response, text)
}

function sendGzip(reply: FastifyReply, { headers }: Representation, chunks: readonly Buffer[]) {
  reply.header('content-encoding', 'gzip').header('content-length', lengthOf(chunks))
  sendBody(reply, reply.hijackWithHead(reply.statusCode, headers, VARY), chunks)
}

function sendBody({ request }: FastifyReply, response: ServerResponse, chunks: readonly Chunk[]) {
  send(response, request.method === 'HEAD' ? [] : chunks)
}

export default fp(list, { name: 'list', dependencies: ['http-edge'] })
