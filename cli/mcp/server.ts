// The API as tools of the Model Context Protocol: search the orders, cancel one.
import { AsyncLocalStorage } from 'node:async_hooks'
import { type CallToolResult, fromJsonSchema, McpServer, type ServerContext } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { type Client, type Fetch, StoreOrdersError } from '../../packages/client/index.ts'
import { type Document, resolve, type Schema } from '../../spec/model/document.ts'
import { type Found, search } from './search.ts'

const LIMIT_MAX = 100
const int64 = z.string().regex(/^-?(0|[1-9]\d{0,18})$/, 'must be a 64-bit integer in plain digits, as text')
const time = z.iso.datetime({ offset: true })

const wanted = z.strictObject({
  orderId: int64.optional().describe('the identifier of the order'),
  petId: int64.optional().describe('the identifier of the pet that was ordered'),
  minQuantity: z.int().optional(),
  maxQuantity: z.int().optional(),
  complete: z.boolean().optional().describe('whether the order has been fulfilled'),
  shipsFrom: time.optional().describe('ship date at or after this time (RFC 3339)'),
  shipsBefore: time.optional().describe('ship date before this time (RFC 3339)'),
  offset: z.int().min(0).default(0).describe('how many of the matching orders to skip'),
  limit: z.int().min(1).max(LIMIT_MAX).default(20).describe('how many orders to return at most'),
})

const cancelled = z.object({ cancelled: z.string().describe('the identifier of the cancelled order') })

/** @param document of the API */
export function mcpServer(client: Client, document: Document): McpServer {
  const server = new McpServer(
    { name: 'store-orders', title: 'Store Orders', version: document.info.version },
    { instructions: 'Orders placed in the store. Identifiers are 64-bit integers, passed as text.' },
  )
  server.registerTool(
    'search_orders',
    {
      title: 'Search orders',
      description:
        'Finds orders by all of the given fields, in the order of placement. Cancelled orders are not found.',
      inputSchema: wanted,
      outputSchema: foundIn(document),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (fields, { mcpReq }) => answer(mcpReq, async ({ signal }) => search(await client.listOrders({ signal }), fields)),
  )
  server.registerTool(
    'cancel_order',
    {
      title: 'Cancel an order',
      description: 'Cancels an order that has not been shipped. This cannot be undone.',
      inputSchema: z.strictObject({ orderId: int64.describe('the identifier of the order') }),
      outputSchema: cancelled,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    },
    ({ orderId }, { mcpReq }) =>
      answer(mcpReq, async ({ signal }) => {
        await client.cancelOrder(BigInt(orderId), { signal })
        return { cancelled: orderId }
      }),
  )
  return server
}

/** Orders as the document describes them, but with identifiers as text. A later version of the API may add fields. */
function foundIn(document: Document) {
  const { description = '', properties = {} } = resolve<Schema>({ $ref: '#/components/schemas/Order' }, document)
  const fields = Object.entries(properties).map(([name, field]): [string, object] => {
    const schema = resolve<Schema>(field, document)
    return [name, schema.format === 'int64' ? { type: 'string', description: schema.description } : schema]
  })
  return fromJsonSchema<Found>({
    type: 'object',
    properties: {
      total: { type: 'integer', description: 'how many orders match' },
      orders: { type: 'array', items: { type: 'object', description, properties: Object.fromEntries(fields) } },
    },
    required: ['total', 'orders'],
  })
}

/** Reports what a call waits for. */
const reports = new AsyncLocalStorage<(message: string) => void>()

/** Sends requests and reports each `Retry-After`. */
export const reportingFetch: Fetch = async (request) => {
  const response = await fetch(request)
  const seconds = response.headers.get('retry-after')
  if (seconds !== null) reports.getStore()?.(`The API asks to wait ${seconds} seconds (status ${response.status}).`)
  return response
}

type Call = ServerContext['mcpReq']

/** The result as text and as an object; an error of the API with its code, message and status. */
async function answer(request: Call, call: (request: Call) => Promise<object>): Promise<CallToolResult> {
  const progressToken = request._meta?.progressToken
  let progress = 0
  const report = (message: string) => {
    if (progressToken === undefined) return
    request.notify({ method: 'notifications/progress', params: { progressToken, progress: ++progress, message } })
  }
  try {
    const value = { ...(await reports.run(report, call, request)) }
    return { content: [text(value)], structuredContent: value }
  } catch (error) {
    if (!(error instanceof StoreOrdersError)) throw reached(error as Error)
    const { code, message, status, retryAfterMs } = error
    const retryAfterSeconds = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000)
    return { content: [text({ code, message, status, retryAfterSeconds })], isError: true }
  }
}

/** `fetch` hides the reason in `cause`. */
const reached = ({ message, cause }: Error) =>
  new Error(cause instanceof Error ? `The API cannot be reached: ${cause.message}` : message, { cause })

const text = (value: object) => ({ type: 'text' as const, text: JSON.stringify(value) })
