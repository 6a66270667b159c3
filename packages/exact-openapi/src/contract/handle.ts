// Calls the handler of a route, and sends what it returns.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { asError } from './errors.ts'
import type { AnyHandler, ExactOptions } from './options.ts'
import type { Input } from './request/input.ts'
import { type OutputCheck, respond } from './response/output.ts'

const noInput: Input = {}

export function handle<Services>(
  handler: AnyHandler<Services>,
  { services, senders = [], checkResponses = 'off' }: ExactOptions<Services>,
  check: OutputCheck,
) {
  const reporterOf = { off: undefined, log: logger, throw: () => fail }[checkResponses]

  return (request: FastifyRequest, reply: FastifyReply) => {
    const { input = noInput } = request
    // Without an async function around it: a reply is thenable, which its promise would wait for.
    handler(input as never, services as Services, request)
      .then((output) => {
        const sent = reporterOf ? check(output, reporterOf(request)) : output
        reply.output = sent
        respond(reply, sent, senders)
      })
      .catch((error) => reply.send(asError(error)))
  }
}

const logger =
  ({ log }: FastifyRequest) =>
  (error: Error) =>
    log.error({ err: error }, 'a response differs from the document')

function fail(error: Error): never {
  throw error
}

export async function notImplemented(): Promise<never> {
  throw Object.assign(new Error('This operation is not implemented.'), { statusCode: 501, code: 'not_implemented' })
}
