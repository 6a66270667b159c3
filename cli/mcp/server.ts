// The API as tools of the Model Context Protocol: one for each operation, except that a search replaces the list.
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import type { Model, Operation } from 'exact-openapi/model'
import type { Client } from '../../packages/client/index.ts'
import { type Arguments, callOperation, type Method, operationTool } from './operation-tool.ts'
import { addSearchTool, SEARCH } from './search-tool.ts'
import { toolNames } from './tool-names.ts'
import { toolResult } from './tool-result.ts'

/** Operations with a tool that suits agents better than their own arguments. */
const replacements = new Map([['listOrders', addSearchTool]])

/**
 * @param model of the API
 * @param report gets why a tool is left out
 */
export function mcpServer(client: Client, model: Model, report: (text: string) => void): McpServer {
  const { info } = model
  const [summary] = info.description.split('\n', 1)
  const server = new McpServer(
    { name: 'store-orders', title: info.title, version: info.version },
    { instructions: `${summary} Identifiers are 64-bit integers, passed as text.` },
  )
  const operations = model.operations.filter(({ deprecated }) => !deprecated)
  const names = toolNames(
    operations.map(({ id }) => id),
    [SEARCH],
  )
  for (const [at, operation] of operations.entries()) {
    try {
      const replace = replacements.get(operation.id)
      if (replace) replace(server, client, model)
      else addOperationTool(server, client, operation, names[at] as string)
    } catch (error) {
      report(`${operation.id} is no tool: ${(error as Error).message}`)
    }
  }
  return server
}

function addOperationTool(server: McpServer, client: Client, operation: Operation, name: string): void {
  const { inputSchema, ...config } = operationTool(operation)
  const method = client[operation.id as keyof Client] as Method
  const succeeded = new Set<string>() // arguments of this session's calls: as few as an agent makes
  server.registerTool(name, { ...config, inputSchema: fromJsonSchema<Arguments>(inputSchema) }, (args, { mcpReq }) => {
    const key = JSON.stringify(args)
    const call = async ({ signal }: { signal: AbortSignal }) => {
      const response = await callOperation(operation, method, args, signal)
      if (!operation.isSafe) succeeded.add(key)
      return response
    }
    return toolResult(mcpReq, call, () => succeeded.has(key))
  })
}
