// Routes the document's operations to their handlers. Requests are read and checked here, because integers of 64 bits have
// to stay exact.
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions, RouteOptions } from 'fastify'
import { type Document, modelOf, type Operation } from '../model/index.ts'
import { compileOperation } from './compile-operation.ts'
import { type ContentOf, parsedContent } from './content.ts'
import { type ErrorOf, type Input, requestError } from './input.ts'
import { type Output, type OutputCheck, respond, type Sender } from './output.ts'
import { requireDistinct, routerPath, routingDocument } from './routes.ts'
import type { Guards } from './security.ts'
import { type Rule, requireReadable } from './tolerate.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The document's operation for a route; other routes have none. */
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

export interface ExactOptions<Services> {
  document: Document
  /** A handler for each operationId. */
  handlers: Readonly<Record<string, AnyHandler<Services>>>
  /** What an operation without a handler does: it keeps the server from starting, or responds with 501. */
  missing?: 'refuse' | 501
  /** The second argument of each handler. */
  services?: Services
  /** Send bodies in place of Fastify: none, unless given. */
  senders?: readonly Sender[]
  /** The hooks that enforce each security scheme of the document. */
  guards?: Guards
  /** The error of a request that differs from the document: one with a `statusCode`, unless given. */
  errorOf?: ErrorOf
  /** The body of a request, if something else reads it: else it is read here, up to Fastify's `bodyLimit`. */
  contentOf?: ContentOf
  /** Rules that the document may break: none, unless given. */
  tolerate?: readonly Rule[]
  /** Validates what handlers return against the document; a mismatch becomes a 500. */
  checkResponses?: boolean | undefined
}

/** Options of Fastify that save time: its own compilers, which no route needs, would load for 20 ms. */
export const contractOptions = {
  schemaController: { compilersFactory: { buildValidator: rejectSchema, buildSerializer: rejectSchema } },
} satisfies FastifyServerOptions

const noInput: Input = {}

async function notImplemented(): Promise<never> {
  throw Object.assign(new Error('This operation is not implemented.'), { statusCode: 501, code: 'not_implemented' })
}

/** A Fastify plugin: adds the operations of a document, at Fastify's `prefix`. @throws as `operationsOf` does */
export async function exactOpenapi<Services>(app: FastifyInstance, options: ExactOptions<Services>): Promise<void> {
  for (const route of operationsOf(app, options).routes) app.route(route)
}

/**
 * The routes of the operations, and the same as fastify-openapi-glue takes it: a document with nothing but ids, methods and
 * paths, and the route of each id. Requests and replies of `app` get what the routes need.
 * @throws naming the operation when it has no handler, or a security scheme or a feature that is not implemented
 */
export function operationsOf<Services>(app: FastifyInstance, options: ExactOptions<Services>) {
  const { document, handlers, services, senders = [], guards = {}, errorOf = requestError, tolerate = [] } = options
  for (const idle of requireReadable(document, tolerate)) app.log.warn(idle)
  const model = modelOf(document)
  const { operations } = model
  requireDistinct(operations)
  app.decorateRequest('input').decorateReply('output')
  const contentOf = options.contentOf ?? parsedContent(app)

  function routeOf(operation: Operation): RouteOptions | undefined {
    const { id, method, path } = operation
    const handler = Object.hasOwn(handlers, id) ? handlers[id] : options.missing === 501 && notImplemented
    if (!handler) throw new Error(`${id} has no handler`)
    const compiled = compileOperation(operation, model, { guards, senders, contentOf, errorOf, tolerate })
    if (!compiled) return undefined
    const { onRequest, read, check } = compiled
    const preValidation = read && {
      preValidation: (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) =>
        read(request, (result) => {
          if (result instanceof Error) return done(result)
          request.input = result
          done()
        }),
    }
    return {
      method,
      url: routerPath(path),
      prefixTrailingSlash: 'slash', // the path `/` is `/v1/`, as URLs of servers are joined with paths
      handler: adapt(handler, services as Services, senders, options.checkResponses ? check : undefined),
      onRequest,
      ...preValidation,
      config: { operation, template: `${app.prefix}${path}` },
      schema: {}, // instead of one that Glue would make: everything is validated here
    }
  }

  const routes = new Map<string, RouteOptions>()
  for (const operation of operations) {
    const route = routeOf(operation)
    if (route) routes.set(operation.id, route)
  }
  for (const name of Object.keys(handlers)) {
    if (!operations.some(({ id }) => id === name))
      throw new Error(`${name} has a handler, but is no operation of the document`)
  }
  return {
    routes: [...routes.values()],
    specification: routingDocument(routes),
    operationResolver: (id: string) => routes.get(id) as RouteOptions,
  }
}

function rejectSchema(): never {
  throw new Error('a route has a schema: write it in the document instead')
}

function adapt<Services>(
  handler: AnyHandler<Services>,
  services: Services,
  senders: readonly Sender[],
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
