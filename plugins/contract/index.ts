// Routes the document's operations to their handlers. The server does not start if an operation has none. Requests are
// read and checked here, because integers of 64 bits have to stay exact. It is a requirement that fastify-openapi-glue
// adds the routes: it gets a document with nothing but ids, methods and paths, and asks for the route of each id.
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions, RouteOptions } from 'fastify'
import openapiGlue from 'fastify-openapi-glue'
import fp from 'fastify-plugin'
import { type Document, modelOf, type Operation, requireValid } from '../../spec/model/index.ts'
import { compilerOf } from './compiler.ts'
import { type ErrorOf, type Input, readerOf } from './input.ts'
import { checkOf, type Output, type OutputCheck, respond, type Senders } from './output.ts'
import { requireDistinct, routerPath, routingDocument } from './routes.ts'
import { type Guards, guardsOf } from './security.ts'
import { requireSupported } from './supported.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The document's operation for a route; routes of the documentation have none. */
    operation?: Operation
    /** Its path with the prefix, such as `/v1/pets/{petId}`: the route's own URL is written for the router. */
    template?: string
  }
  interface FastifyRequest {
    /** The argument of the operation's handler; undefined if the operation has no input. */
    input?: Input
  }
  interface FastifyReply {
    /** What the operation's handler returned. */
    output?: Output
  }
}

type AnyHandler<Services> = (input: never, services: Services) => Promise<Output>

export interface ContractOptions<Services> {
  document: Document
  /** The path that the document's paths are relative to. */
  prefix: string
  /** A handler for each operationId. */
  handlers: Readonly<Record<string, AnyHandler<Services>>>
  /** The file with the table of handlers, for the message about a missing one. */
  handlersFile: string
  services: Services
  /** Bodies of these classes are not serialized: none, unless given. */
  senders?: Senders
  /** The hooks that enforce each security scheme. */
  guards: Guards
  /** The error of a request that differs from the document. */
  errorOf: ErrorOf
  /** Validates what handlers return against the document; a mismatch becomes a 500. */
  checkResponses?: boolean | undefined
}

/** The options of Fastify that belong to this plugin. Its own compilers, which no route needs, would load for 20 ms. */
export const contractOptions = {
  schemaController: { compilersFactory: { buildValidator: rejectSchema, buildSerializer: rejectSchema } },
} satisfies FastifyServerOptions

const noInput: Input = {}
const noSenders: Senders = new Map()

/** @throws naming the operation when it has no handler, or a security scheme or a feature that is not implemented */
async function contract<Services>(app: FastifyInstance, options: ContractOptions<Services>) {
  const { document, prefix, handlers, handlersFile, services, senders = noSenders, guards } = options
  requireValid(document)
  const model = modelOf(document)
  const { operations } = model
  requireDistinct(operations)
  app.decorateRequest('input').decorateReply('output')

  function routeOf(operation: Operation): RouteOptions {
    const { id, method, path } = operation
    const handler = Object.hasOwn(handlers, id) && handlers[id]
    if (!handler) throw new Error(`${id} has no handler in ${handlersFile}`)
    const { onRequest, read, check } = compileOperation(operation)
    const preValidation = read && {
      preValidation: (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
        request.input = read(request)
        done()
      },
    }
    return {
      method,
      url: `${prefix}${routerPath(path)}`,
      handler: adapt(handler, services, senders, check),
      onRequest,
      ...preValidation,
      config: { operation, template: `${prefix}${path}` },
      schema: {}, // instead of the one that Glue makes: everything is validated here
    }
  }

  function compileOperation(operation: Operation) {
    try {
      const onRequest = guardsOf(operation, guards)
      requireSupported(operation)
      const read = readerOf(operation, compilerOf(model, 'request'), options.errorOf)
      const check = checkOf(operation, (direction) => compilerOf(model, direction), senders)
      return { onRequest, read, check: options.checkResponses ? check : undefined }
    } catch (error) {
      throw new Error(`${operation.id}: ${(error as Error).message}`, { cause: error })
    }
  }

  const routes = new Map(operations.map((operation) => [operation.id, routeOf(operation)]))
  for (const name of Object.keys(handlers)) {
    if (!routes.has(name)) throw new Error(`${name} has a handler, but is no operation of the document`)
  }
  await app.register(openapiGlue, {
    specification: routingDocument(routes),
    operationResolver: (id) => routes.get(id) as RouteOptions,
  })
}

function rejectSchema(): never {
  throw new Error('a route has a schema: write it in the document instead')
}

function adapt<Services>(
  handler: AnyHandler<Services>,
  services: Services,
  senders: Senders,
  check: OutputCheck | undefined,
) {
  return ({ input = noInput }: FastifyRequest, reply: FastifyReply) => {
    // Without an async function around it: a reply is thenable, which its promise would wait for.
    handler(input as never, services)
      .then((output) => {
        check?.(output)
        reply.output = output
        respond(reply, output, senders)
      })
      .catch((error) => reply.send(asError(error)))
  }
}

const asError = (thrown: unknown) =>
  thrown instanceof Error ? thrown : new Error('a value that is not an Error was thrown', { cause: thrown })

export default fp(contract, {
  name: 'contract',
  // Those whose hooks and decorators it uses, and those that add to each route that is registered after them.
  dependencies: ['http-edge', 'deprecation'],
})
