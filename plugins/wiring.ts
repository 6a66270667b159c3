// What operations take of this service's other plugins: bodies are received by http-edge, orders are sent as pages, errors are
// those of the document.
import type { ExactOptions, Sender } from 'exact-openapi'
import { requestError } from '../spec/errors.ts'
import { OrderList } from '../store/page.ts'

const pages: Sender = {
  accepts: (body) => body instanceof OrderList,
  jsonText: (orders: OrderList) => orders.jsonText(),
  send: (reply, orders: OrderList) => reply.sendList(orders),
}

export const wiring = {
  contentOf: ({ content }) => content,
  senders: [pages],
  errorOf: requestError,
} satisfies Partial<ExactOptions<unknown>>
