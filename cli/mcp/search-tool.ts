// The tool that searches the list of orders: an agent has no use for all of them.
import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server'
import type { Model, Schema } from 'exact-openapi'
import * as z from 'zod'
import type { Client } from '../../packages/client/index.ts'
import { int64Pattern, jsonSchema } from './json-schema.ts'
import { type Found, search } from './search.ts'
import { toolResult } from './tool-result.ts'

/** The name of the tool. */
export const SEARCH = 'search_orders'
const LIMIT_MAX = 100
const int64 = z.string().regex(int64Pattern, 'must be a 64-bit integer in plain digits, as text')
/** Without an offset, a time could mean any zone. */
const isoTime = z.union([
  z.iso.date(),
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ offset: true, precision: -1 }),
])
/** Refined text: the patterns of the union would be most of what an agent reads. */
const time = z
  .string()
  .refine(
    (text) => isoTime.safeParse(text).success,
    'must be a date such as 2026-10-05, or a date and time with its offset (RFC 3339)',
  )

export function addSearchTool(server: McpServer, client: Client, { schemas }: Model): void {
  const order = schemas.get('Order') as Schema
  server.registerTool(
    SEARCH,
    {
      title: 'Search orders',
      description:
        'Finds orders by all of the given fields, in the order of placement. Cancelled orders are not found.',
      inputSchema: searchOf(order),
      outputSchema: foundIn(order),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (fields, { mcpReq }) =>
      toolResult(mcpReq, async ({ signal }) => search(await client.listOrders({ signal }), fields)),
  )
}

/** Without its full stop: more may follow. */
const textOf = (schema?: Schema) => String(schema?.description).replace(/\.$/, '')

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
