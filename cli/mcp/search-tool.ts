// The tool that searches the list of orders: an agent has no use for all of them.
import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server'
import type { Model, Schema } from 'exact-openapi/model'
import type { Client } from '../../packages/client/index.ts'
import { jsonSchema } from './json-schema.ts'
import { type Found, search, searchOf } from './search.ts'
import { toolResult } from './tool-result.ts'

/** The name of the tool. */
export const SEARCH = 'search_orders'

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
