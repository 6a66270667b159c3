// Serves the Model Context Protocol on stdin and stdout, until stdin ends.
import process from 'node:process'
import type { Readable, Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { createClient } from '../../client/index.ts'
import { loadApiAccess } from '../../config/environment.ts'
import { loadDocument } from '../../spec/document.ts'
import { mcpServer, reportingFetch } from './server.ts'

interface Streams {
  stdin: Readable
  stdout: Writable
  stderr: { write(text: string): unknown }
  env: NodeJS.ProcessEnv
}

const MAX_WAIT_MS = 10_000
const PROBE_TIMEOUT_MS = 5_000

/** A read-only key is rejected before the identifier is validated, and this one is invalid: nothing is cancelled. */
async function isReadOnly({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): Promise<boolean> {
  const response = await fetch(`${baseUrl}/store/orders/none`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
  }).catch(() => undefined) // the tools report that the API is unreachable
  await response?.body?.cancel()
  return response?.status === 403
}

/** @returns the exit code, once it serves */
export function mcpCommand(args: string[], { stdin, stdout, stderr, env }: Streams = process): number {
  try {
    parseArgs({ args })
    const access = loadApiAccess(env)
    // Most agents give up after a minute: three retries take half of it at most.
    const client = createClient({ ...access, maxWaitMs: MAX_WAIT_MS, fetch: reportingFetch })
    const { version } = loadDocument().info
    serveStdio(async () => mcpServer({ client, version, isReadOnly: await isReadOnly(access) }), {
      transport: new StdioServerTransport(stdin, stdout),
      onerror: (error) => stderr.write(`store-orders: ${error.message}\n`),
    })
    return 0
  } catch (error) {
    stderr.write(`store-orders: ${(error as Error).message}\n`)
    return 1
  }
}
