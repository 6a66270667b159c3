// Reads JSON-RPC messages from lines. The library drops a malformed line in silence; here, it gets an error.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { deserializeMessage, INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR } from '@modelcontextprotocol/server'

/**
 * The lines that are messages. Every other one gets an error response (JSON-RPC 2.0, section 5.1). The end of the input ends
 * them when every request has its response: `printf … | store-orders mcp` is answered.
 */
export async function* messagesIn(input: NodeJS.ReadableStream, { fail, track, answered }: Responses) {
  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue
    try {
      const message: Message = deserializeMessage(line)
      const error = inheritedTool(message)
      if (error) fail(error)
      else {
        track(message)
        yield Buffer.from(`${line}\n`)
      }
    } catch (problem) {
      fail(errorFor(line, problem))
    }
  }
  await answered()
}

interface Message {
  id?: unknown
  method?: string
  params?: Record<string, unknown> | undefined
}

/** The library takes what every object inherits, such as `__proto__`, for a tool that is disabled. */
function inheritedTool({ id, method, params }: Message) {
  const name = String(params?.name)
  if (method !== 'tools/call' || !(name in {})) return undefined
  return { id, error: { code: INVALID_PARAMS, message: `Tool ${name} not found` } }
}

type Responses = ReturnType<typeof responsesTo>

/** The output for responses, which knows the requests that wait for one. */
export function responsesTo(output: Writable) {
  const pending = new Set<unknown>()
  let settle = () => {}
  const end = (id: unknown) => {
    pending.delete(id)
    if (pending.size === 0) settle()
  }
  const stream = new Writable({
    decodeStrings: false,
    write(message: string, encoding, done) {
      output.write(message, encoding, done)
      end(JSON.parse(message).id)
    },
  })
  output.on('error', (error) => stream.destroy(error))
  return {
    stream,
    fail: (error: object) => void output.write(`${JSON.stringify({ jsonrpc: '2.0', ...error })}\n`),
    track({ id, method, params }: Message) {
      if (method === 'notifications/cancelled') end(params?.requestId)
      else if (method !== undefined && id !== undefined) pending.add(id)
    },
    /** Resolves once no request waits for a response. A request that was cancelled gets none. */
    answered: async () => {
      if (pending.size > 0) {
        await new Promise<void>((resolve) => {
          settle = resolve
        })
      }
    },
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
