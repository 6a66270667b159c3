// The API as tools of the Model Context Protocol: search the orders, cancel one, and every other operation.
import { AsyncLocalStorage } from 'node:async_hooks'
import { type CallToolResult, fromJsonSchema, McpServer, type ServerContext } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { type Client, type Fetch, StoreOrdersError } from '../../packages/client/index.ts'
import type { Model, Operation, Schema } from '../../spec/model/index.ts'
import { int64Pattern, jsonSchema } from './json-schema.ts'
import { type Arguments, callOperation, type Method, operationTool } from './operation-tool.ts'
import { type Found, search } from './search.ts'

const LIMIT_MAX = 100
/** Operations with tools that suit agents better than their own arguments. */
const ownTools = new Set(['listOrders', 'cancelOrder'])
const int64 = z.string().regex(int64Pattern, 'must be a 64-bit integer in plain digits, as text')
const time = z
  .string()
  .refine(isTime, 'must be a date such as 2026-10-05, or a date and time with its offset (RFC 3339)')

/** @param model of the API */
export function mcpServer(client: Client, { info, operations, schemas }: Model): McpServer {
  const order = schemas.get('Order') as Schema
  const [summary] = info.description.split('\n', 1)
  const cancelOrder = operations.find(({ id }) => id === 'cancelOrder') as Operation
  const server = new McpServer(
    { name: 'store-orders', title: info.title, version: info.version },
    { instructions: `${summary} Identifiers are 64-bit integers, passed as text.` },
  )
  server.registerTool(
    'search_orders',
    {
      title: 'Search orders',
      description:
        'Finds orders by all of the given fields, in the order of placement. Cancelled orders are not found.',
      inputSchema: searchOf(order),
      outputSchema: foundIn(order),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (fields, { mcpReq }) => answer(mcpReq, async ({ signal }) => search(await client.listOrders({ signal }), fields)),
  )
  const orderId = textOf(cancelOrder.parameters[0])
  server.registerTool(
    'cancel_order',
    {
      title: textOf({ description: cancelOrder.summary }),
      description: `${cancelOrder.description.split('\n\n', 1)} This cannot be undone.`.replace(/\s+/g, ' '),
      inputSchema: z.strictObject({ orderId: int64.describe(orderId) }),
      outputSchema: z.object({ cancelled: z.string().describe('the identifier of the cancelled order') }),
      // Cancelling again changes nothing.
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    (fields, { mcpReq }) =>
      answer(mcpReq, async ({ signal }) => {
        await client.cancelOrder(BigInt(fields.orderId), { signal })
        return { cancelled: fields.orderId }
      }),
  )
  for (const operation of operations.filter(({ id, deprecated }) => !ownTools.has(id) && !deprecated)) {
    const { name, inputSchema, ...config } = operationTool(operation)
    const method = client[operation.id as keyof Client] as Method
    server.registerTool(name, { ...config, inputSchema: fromJsonSchema<Arguments>(inputSchema) }, (given, { mcpReq }) =>
      answer(mcpReq, ({ signal }) => callOperation(operation, method, given, signal)),
    )
  }
  return server
}

/** Without its full stop: more may follow. */
const textOf = (part: { description?: string | undefined } | undefined) => String(part?.description).replace(/\.$/, '')

/** What a search may ask for. */
function searchOf({ properties = {} }: Schema) {
  const { id, petId, quantity, complete, shipDate } = properties
  const when = 'a date, which begins at 00:00 UTC, or a date and time (RFC 3339)'
  return z.strictObject({
    orderId: int64.optional().describe(textOf(id)),
    petId: int64.optional().describe(textOf(petId)),
    minQuantity: z
      .int()
      .optional()
      .describe(`${textOf(quantity)}: at least this many`),
    maxQuantity: z
      .int()
      .optional()
      .describe(`${textOf(quantity)}: at most this many`),
    complete: z.boolean().optional().describe(textOf(complete)),
    shipsFrom: time.optional().describe(`${textOf(shipDate)}: at this time or later; ${when}`),
    shipsBefore: time.optional().describe(`${textOf(shipDate)}: before this time; ${when}`),
    offset: z.int().min(0).default(0).describe('how many of the matching orders to skip'),
    limit: z.int().min(1).max(LIMIT_MAX).default(20).describe('how many orders to return at most'),
  })
}

/** Without an offset, a time could mean any zone. */
function isTime(text: string): boolean {
  const [, date] = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/i.exec(text) ?? []
  return !Number.isNaN(Date.parse(text)) && date !== undefined && new Date(date).toISOString().startsWith(date)
}

/** Orders as the document describes them, but with identifiers as text. A later version of the API may add fields. */
function foundIn({ description = '', properties = {} }: Schema) {
  const $defs = {}
  const fields = Object.entries(properties).map(([name, schema]) => [name, jsonSchema(schema, $defs)])
  return fromJsonSchema<Found>({
    type: 'object',
    properties: {
      total: { type: 'integer', description: 'how many orders match' },
      orders: { type: 'array', items: { type: 'object', description, properties: Object.fromEntries(fields) } },
    },
    required: ['total', 'orders'],
    $defs,
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
