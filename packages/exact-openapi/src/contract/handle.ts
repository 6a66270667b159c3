// Calls the handler of a route, and sends what it returns.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { asError } from './errors.ts'
import type { Input } from './input.ts'
import type { AnyHandler, ExactOptions } from './options.ts'
import { type Output, type OutputCheck, respond } from './output.ts'

const noInput: Input = {}

export function handle<Services>(
  handler: AnyHandler<Services>,
  { services, senders = [], checkResponses = 'off' }: ExactOptions<Services>,
  check: OutputCheck,
) {
  const checkOrLog = (output: Output, { log }: FastifyRequest) => {
    try {
      check(output)
    } catch (error) {
      log.error({ err: error }, 'a response differs from the document')
    }
  }
  const checkFirst = { off: undefined, log: checkOrLog, throw: check }[checkResponses]

  return (request: FastifyRequest, reply: FastifyReply) => {
    const { input = noInput } = request
    // Without an async function around it: a reply is thenable, which its promise would wait for.
    handler(input as never, services as Services, request)
      .then((output) => {
        checkFirst?.(output, request)
        reply.output = output
        respond(reply, output, senders)
      })
      .catch((error) => reply.send(asError(error)))
  }
}

export async function notImplemented(): Promise<never> {
  throw Object.assign(new Error('This operation is not implemented.'), { statusCode: 501, code: 'not_implemented' })
}
