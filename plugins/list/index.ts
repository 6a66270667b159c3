// Sends a list of orders: the concatenated JSON of the store's pages, with a weak ETag.
import type { ServerResponse } from 'node:http'
import type { Sender } from 'exact-openapi'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { hijackWithHead, type RejectIfLate } from 'http-edge/fastify'
import { appendVary, isNotModified, preferredEncoding } from 'http-edge/negotiation'
import type { WriteScheduler } from 'http-edge/responses'
import { ApiError } from '../../spec/errors.ts'
import { OrderList, type OrderPage } from '../../store/page.ts'
import { type Chunk, isShort, lengthOf } from './chunk.ts'
import { newCompressor } from './gzip.ts'
import { type Representation, representationOf } from './representation.ts'
import { send as sendChunks } from './send.ts'

const VARY = 'Accept, Accept-Encoding'
const noEncoding = 'The list is available only with the encodings gzip and identity.'

interface ListOptions {
  writeScheduler: WriteScheduler
  compressor?: ReturnType<typeof newCompressor>
}

/**
 * Responds with the orders as one JSON array, or with 304 if the client has it (RFC 9110, section 13.1.2). All applications
 * share the compressor, which closes with `app`.
 * @returns a function that makes an application's sender from its `rejectIfLate`
 */
export function listSenders(app: FastifyInstance, { writeScheduler, compressor = newCompressor() }: ListOptions) {
  const lists = new WeakMap<readonly OrderPage[], Representation>()
  app.addHook('onClose', async () => compressor.close())

  function listOf(pages: readonly OrderPage[]): Representation {
    const cached = lists.get(pages)
    if (cached) return cached
    const representation = representationOf(pages)
    lists.set(pages, representation)
    return representation
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

  function send(reply: FastifyReply, { pages }: OrderList, rejectIfLate: RejectIfLate) {
    const { headers, method } = reply.request
    const list = listOf(pages)
    if (isNotModified(list.etag, headers)) {
      hijackWithHead(reply, 304, list.notModifiedHeaders, VARY).end()
      return
    }
    const isLarge = !isShort(list.length) && method !== 'HEAD'
    if (isLarge && rejectIfLate(reply)) return
    const encoding = preferredEncoding(headers, ['gzip'])
    if (encoding === undefined) {
      reply.header('vary', appendVary(reply.getHeader('vary'), VARY)).send(new ApiError('not_acceptable', noEncoding))
    } else if (encoding === 'gzip') {
      const refusesIdentity = preferredEncoding(headers, []) === undefined
      compressAndSend(reply, list, refusesIdentity)
    } else sendPlain(reply, list)
  }

  function sendPlain(reply: FastifyReply, { headers, body, length }: Representation) {
    reply.header('content-length', length)
    sendBody(reply, hijackWithHead(reply, reply.statusCode, headers, VARY), body)
  }

  function sendGzip(reply: FastifyReply, { headers }: Representation, chunks: readonly Buffer[]) {
    reply.header('content-encoding', 'gzip').header('content-length', lengthOf(chunks))
    sendBody(reply, hijackWithHead(reply, reply.statusCode, headers, VARY), chunks)
  }

  function sendBody({ request }: FastifyReply, response: ServerResponse, body: readonly (Chunk | string)[]) {
    sendChunks(response, request.method === 'HEAD' ? [] : body, writeScheduler)
  }

  return (rejectIfLate: RejectIfLate) =>
    ({
      accepts: (body) => body instanceof OrderList,
      jsonText: (orders: OrderList) => orders.jsonText(),
      send: (reply, orders: OrderList) => send(reply, orders, rejectIfLate),
    }) satisfies Sender
}
