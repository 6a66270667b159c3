// Sends a list of orders: joins the store's pages, which already hold it as JSON, under one weak ETag. Clients that ask
// for it get only what changed since the list that they have (RFC 3229).
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { type Head, headWith } from '../http/headers.ts'
import { acceptsManipulation, isKnown, knownTags, preferredEncoding, varying } from '../http/negotiate.ts'
import { ApiError } from '../spec/errors.ts'
import type { OrderList, OrderPage } from '../store/page.ts'
import { type Compressor, compressor } from './list/gzip.ts'
import { listHistory } from './list/history.ts'
import {
  type Body,
  bodyOf,
  contentType,
  lengthOf,
  type Representation,
  representationOf,
} from './list/representation.ts'
import { send, sendText } from './list/send.ts'

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Responds with the orders as one JSON array, 304 if the client has it (RFC 9110, section 13.1.2), or 226 if it
     * asks for the changes since the list that it has.
     */
    sendList(list: OrderList): void
  }
}

const VARY = 'Accept, Accept-Encoding, A-IM'
const MANIPULATION = 'store-orders-delta'
const noEncoding = 'The list is sent with the encodings gzip and identity only.'

async function list(app: FastifyInstance, { zip = compressor() }: { zip?: Compressor }) {
  const lists = new WeakMap<readonly OrderPage[], Representation>()
  const history = listHistory()
  app.addHook('onClose', async () => {
    zip.close()
    history.close()
  })

  function listOf(pages: readonly OrderPage[]): Representation {
    const known = lists.get(pages)
    if (known) return known
    const made = representationOf(pages)
    lists.set(pages, made)
    return made
  }

  /** What changed since a list that the client has, unless the whole list is shorter. */
  function changesFor({ headers }: FastifyReply['request'], { length }: Representation) {
    for (const base of knownTags(headers)) {
      const json = history.since(`W/${base}`)
      if (json !== undefined && json.length < length) return { base, json }
    }
    return undefined
  }

  function zipAndSend(reply: FastifyReply, list: Representation, isOnly: boolean) {
    zip.gzip(list.pieces, isOnly).then(
      (zipped) => {
        const isShorter = zipped && (isOnly || lengthOf(zipped) < list.length)
        if (isShorter) sendZipped(reply, list, zipped)
        else sendPlain(reply, list)
      },
      (error) => {
        reply.log.error({ err: error }, 'the list could not be compressed')
        sendPlain(reply, list)
      },
    )
  }

  app.decorateReply('sendList', function (this: FastifyReply, { pages }) {
    const { headers } = this.request
    const list = listOf(pages)
    const asksForChanges = acceptsManipulation(headers, MANIPULATION)
    if (asksForChanges) history.add(list)
    if (isKnown(list.etag, headers)) {
      this.writeHead(304, list.notModified, VARY).end()
      return
    }
    const encoding = preferredEncoding(headers, ['gzip'])
    if (encoding === undefined) {
      this.header('vary', varying(this.getHeader('vary'), VARY)).send(new ApiError('not_acceptable', noEncoding))
      return
    }
    const takesPlain = encoding === 'identity' || preferredEncoding(headers, []) !== undefined
    const changes = asksForChanges && takesPlain && changesFor(this.request, list)
    if (changes) sendChanges(this, list, changes)
    else if (encoding === 'gzip') zipAndSend(this, list, !takesPlain)
    else sendPlain(this, list)
  })
}

function sendPlain(reply: FastifyReply, list: Representation) {
  sendJson(reply, 200, list.head, list)
}

function sendJson(reply: FastifyReply, status: 200 | 226, head: Head, { text, length, pieces }: Body) {
  const response = reply.header('content-length', length).writeHead(status, head, VARY)
  if (text === undefined || reply.request.method === 'HEAD') sendBody(reply, response, pieces)
  else sendText(response, text)
}

function sendZipped(reply: FastifyReply, { zippedHead }: Representation, chunks: readonly Buffer[]) {
  const response = reply.header('content-length', lengthOf(chunks)).writeHead(200, zippedHead, VARY)
  sendBody(reply, response, chunks)
}

/** Not to be stored: a cache that does not know the status would take the changes for the list. */
function sendChanges(reply: FastifyReply, { etag }: Representation, { base, json }: { base: string; json: string }) {
  const head = headWith({ etag, im: MANIPULATION, 'delta-base': `W/${base}`, 'content-type': contentType })
  sendJson(reply, 226, head, bodyOf([Buffer.from(json)]))
}

function sendBody({ request }: FastifyReply, response: ServerResponse, chunks: readonly Buffer[]) {
  send(response, request.method === 'HEAD' ? [] : chunks)
}

export default fp(list, { name: 'list', dependencies: ['protocol'] })
