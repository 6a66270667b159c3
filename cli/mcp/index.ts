// Serves the Model Context Protocol on stdin and stdout, until stdin ends.
import { Readable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { modelOf } from 'exact-openapi/model'
import { loadApiAccess } from '../../config/environment.ts'
import { createClient } from '../../packages/client/index.ts'
import { loadDocument } from '../../spec/document.ts'
import type { Terminal } from '../terminal.ts'
import { messagesIn, responsesTo } from './lines.ts'
import { mcpServer } from './server.ts'
import { reportingFetch } from './tool-result.ts'

const MAX_WAIT_MS = 10_000

export function mcpCommand({ stdin, stdout, stderr, env }: Terminal): void {
  // Most agents give up after a minute: three retries take half of it at most.
  const client = createClient({ ...loadApiAccess(env), maxWaitMs: MAX_WAIT_MS, fetch: reportingFetch })
  const model = modelOf(loadDocument())
  const report = (text: string) => stderr.write(`store-orders: ${text}\n`)
  const responses = responsesTo(stdout)
  serveStdio(() => mcpServer(client, model, report), {
    transport: new StdioServerTransport(Readable.from(messagesIn(stdin, responses)), responses.stream),
    onerror: ({ message }) => report(message),
  })
}
