// Calls the handler of a route, and sends what it returns.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { asError } from './errors.ts'
import type { AnyHandler, ExactOptions } from './options.ts'
import type { Input } from './request/input.ts'
import { type Output, type OutputCheck, respond } from './response/output.ts'

const noInput: Input = {}

export function handle<Services>(
  handler: AnyHandler<Services>,
  { services, senders = [], checkResponses = 'off' }: ExactOptions<Services>,
  check: OutputCheck,
) {
  const reporterOf = reporters[checkResponses]

  return (request: FastifyRequest, reply: FastifyReply) => {
    const { input = noInput } = request
    const send = (output: Output) => {
      if (typeof output?.status !== 'number') throw new Error(`${idOf(request)} returned no { status }`)
      const sent = reporterOf ? check(output, reporterOf(request)) : output
      reply.output = sent
      const result = respond(reply, sent, senders)
      if (result instanceof Promise) result.catch(fail)
    }
    const fail = (error: unknown) => {
      reply.send(asError(error))
    }
    // Without an async function around it: a reply is thenable, which its promise would wait for.
    try {
      const output = handler(input as never, services as Services, request)
      if (output instanceof Promise) output.then(send).catch(fail)
      else send(output)
    } catch (error) {
      fail(error)
    }
  }
}

/** By the option `checkResponses`, what becomes of a difference. */
export const reporters = { off: undefined, log: logger, throw: () => rethrow }

const idOf = ({ routeOptions }: FastifyRequest) => routeOptions.config.operation?.id

function logger({ log }: FastifyRequest) {
  return (error: Error) => log.error({ err: error }, 'a response differs from the document')
}

function rethrow(error: Error): never {
  throw error
}

export async function notImplemented(): Promise<never> {
  throw Object.assign(new Error('This operation is not implemented.'), { statusCode: 501, code: 'not_implemented' })
}
