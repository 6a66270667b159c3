// Reads JSON-RPC messages from lines. The library drops a malformed line in silence; here, it gets an error.
import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'
import { deserializeMessage, INVALID_REQUEST, PARSE_ERROR } from '@modelcontextprotocol/server'

/** The lines that are messages. Every other one gets an error response (JSON-RPC 2.0, section 5.1). */
export async function* messagesIn(input: NodeJS.ReadableStream, output: Writable): AsyncGenerator<Buffer> {
  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue
    try {
      deserializeMessage(line)
      yield Buffer.from(`${line}\n`)
    } catch (problem) {
      output.write(`${JSON.stringify({ jsonrpc: '2.0', ...errorFor(line, problem) })}\n`)
    }
  }
}

function errorFor(line: string, problem: unknown) {
  if (problem instanceof SyntaxError)
    return { id: null, error: { code: PARSE_ERROR, message: 'The line is not JSON.' } }
  const message = JSON.parse(line)
  const text = Array.isArray(message) ? 'Send one message a line, not an array.' : 'This is not a JSON-RPC 2.0 message.'
  const id = ['string', 'number'].includes(typeof message?.id) ? message.id : null
  return { id, error: { code: INVALID_REQUEST, message: text } }
}
