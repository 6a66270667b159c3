// What operations take of this service's other plugins: bodies are received by http-edge, orders are sent as pages, errors are
// those of the document.
import type { ExactOptions, Sender } from 'exact-openapi'
import { headerList } from 'http-edge'
import { requestError } from '../spec/errors.ts'
import { OrderList } from '../store/page.ts'

const withoutBody = headerList({ 'content-length': 0 })
/** RFC 9110, section 8.6: a 204 and a 304 have no Content-Length. */
const withoutContent = headerList({})

/** At once: it needs no hook and no serializer. */
const nothing: Sender = {
  accepts: (body) => body === undefined,
  send(reply) {
    const { statusCode } = reply
    const headers = statusCode === 204 || statusCode === 304 ? withoutContent : withoutBody
    reply.hijackWithHead(statusCode, headers).end()
  },
}

const pages: Sender = {
  accepts: (body) => body instanceof OrderList,
  jsonText: (orders: OrderList) => orders.jsonText(),
  send: (reply, orders: OrderList) => reply.sendList(orders),
}

export const wiring = {
  contentOf: ({ content }) => content,
  senders: [nothing, pages],
  errorOf: requestError,
} satisfies Partial<ExactOptions<unknown>>
