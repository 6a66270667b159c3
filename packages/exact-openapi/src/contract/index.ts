// Routes the document's operations to their handlers. Requests are read and checked here, because integers of 64 bits have
// to stay exact.
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyServerOptions,
  onRequestHookHandler,
  RouteOptions,
} from 'fastify'
import type { Operation } from '../model/index.ts'
import { compileOperation } from './compile-operation.ts'
import { requestError } from './errors.ts'
import { handle, notImplemented, reporters } from './handle.ts'
import type { ExactOptions } from './options.ts'
import { keepStream, parsedContent } from './request/content.ts'
import type { Input } from './request/input.ts'
import { type Output, requiredHeaders } from './response/output.ts'
import {
  duplicatesIn,
  pathTree,
  prefixOf,
  type RouterPath,
  routerPaths,
  routingDocument,
  textIn,
  tooLong,
} from './routes.ts'
import { requireCompilable } from './supported.ts'
import { type Rule, readableModel, requireReadable, tolerating } from './tolerate.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The document's operation for a route; other routes have none. */
    operation?: Operation
    /** Its path with the prefix, such as `/v1/pets/{petId}`: the route's own URL is written for the router. */
    template?: string
  }
  interface FastifyRequest {
    /** The argument of the operation's handler; undefined if the operation has no input. */
    input?: Input | undefined
  }
  interface FastifyReply {
    /** What the operation's handler returned. */
    output?: Output
  }
}

/** Options of Fastify that save time: its own compilers, which no route needs, would load for 20 ms. */
export const contractOptions = {
  schemaController: { compilersFactory: { buildValidator: rejectSchema, buildSerializer: rejectSchema } },
} satisfies FastifyServerOptions

/** A Fastify plugin: adds the operations of a document, at `prefix`. @throws as `operationsOf` does */
// biome-ignore lint/suspicious/noExplicitAny: the register of Fastify infers no type of services
export async function exactOpenapi(app: FastifyInstance, options: ExactOptions<any>): Promise<void> {
  const add = async (api: FastifyInstance) => {
    for (const route of operationsOf(api, options).routes) api.route(route)
  }
  if (options.prefix !== undefined) return add(app) // Fastify has added it
  await app.register(add, { prefix: prefixOf(options.document) })
}

/**
 * The routes of the operations, and the same as fastify-openapi-glue takes it: a document with nothing but ids, methods and
 * paths, and the route of each id. Requests and replies of `app` get what the routes need.
 * @throws naming the operation when it has no handler, or a security scheme or a feature that is not implemented
 */
export function operationsOf<Services>(app: FastifyInstance, options: ExactOptions<Services>) {
  const { document, handlers, missing, bodyLimit, senders = [], guards = {}, errorOf = requestError } = options
  const { streams = [] } = options
  const broken = new Set<Rule>()
  const tolerate = tolerating(options.tolerate ?? [], broken)
  for (const idle of requireReadable(document, tolerate)) app.log.warn(idle)
  const model = readableModel(document)
  requireCompilable(model)
  const { operations } = model
  const paths = pathTree(new Set(operations.map(({ path }) => path)))
  const [duplicate] = duplicatesIn(operations)
  if (duplicate) throw new Error(duplicate)
  for (const line of tooLong(operations, app.initialConfig.routerOptions)) app.log.warn(line)
  app.decorateRequest('input').decorateReply('output')
  const contentOf = options.contentOf ?? parsedContent(app)
  const odd = streams.find((name) => options.contentOf || !operations.some(({ id, body }) => id === name && body))
  if (odd) throw new Error(`${odd} cannot have a stream: name an operation with a body, and leave contentOf out`)

  function routesOf(operation: Operation): RouteOptions[] {
    const { id, method, path } = operation
    const own = Object.hasOwn(handlers, id) ? handlers[id] : undefined
    const substitute = missing === 501 ? () => notImplemented : missing
    const handler = own ?? (typeof substitute === 'function' ? substitute(operation) : undefined)
    if (!handler) throw new Error(`${id} has no handler`)
    const compiled = compileOperation(operation, model, { guards, senders, contentOf, errorOf, tolerate, streams })
    if (!compiled) return []
    const { onRequest, read, check } = compiled
    const preValidation = read && {
      preValidation: (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) =>
        read(request, (result) => {
          if (result instanceof Error) return done(result)
          publish(result, request)
          done()
        }),
    }
    const reporter = reporters[(own && options.checkResponses) || 'off']
    const onSend = reporter && requiredHeaders(operation, reporter)
    const routeAt = ({ url, fixed }: RouterPath): RouteOptions => ({
      method,
      url,
      prefixTrailingSlash: 'slash', // the path `/` is `/v1/`, as URLs of servers are joined with paths
      handler: handle(handler, own ? options : { ...options, checkResponses: 'off' }, check),
      onRequest: [...(Object.keys(fixed).length > 0 ? [withParams(fixed)] : []), ...onRequest],
      ...(bodyLimit !== undefined && { bodyLimit }),
      ...(streams.includes(id) && { preParsing: keepStream }),
      ...preValidation,
      ...(onSend && { onSend }),
      config: { operation, template: `${app.prefix}${path}` },
      schema: {}, // instead of one that Glue would make: everything is validated here
    })
    return routerPaths(path, paths).map(routeAt)
  }

  const routed = operations.map((operation) => [operation, routesOf(operation)] as const)
  // Where templates have parts of a segment as parameters, the router takes the first that fits.
  routed.sort(([operation], [other]) => textIn(other.path) - textIn(operation.path))
  const routes = new Map(
    routed.flatMap(([{ id }, all]) => all.map((route, at) => [at === 0 ? id : `${id} ${route.url}`, route] as const)),
  )
  for (const rule of options.tolerate ?? []) {
    if (!broken.has(rule)) app.log.warn(`tolerate has "${rule}", which nothing breaks: leave it out`)
  }
  for (const name of Object.keys(handlers)) {
    if (!operations.some(({ id }) => id === name))
      throw new Error(`${name} has a handler, but is no operation of the document`)
  }
  return {
    routes: [...routes.values()],
    /** @throws for a method that Glue does not know */
    get specification() {
      return routingDocument(routes)
    },
    operationResolver: (id: string) => routes.get(id) as RouteOptions,
  }
}

/** Adds the parameters of the template that this route has as text. */
const withParams =
  (fixed: RouterPath['fixed']): onRequestHookHandler =>
  (request, _reply, done) => {
    Object.assign(request.params as object, fixed)
    done()
  }

function rejectSchema(): never {
  throw new Error('a route has a schema: write it in the document instead')
}

/** Hands the checked values to the hooks that follow, as Fastify's own parts of the request. */
function publish(input: Input, request: FastifyRequest): void {
  const { path, query, body } = input
  if (request.input) input.auth = request.input.auth
  request.input = input
  if (path) request.params = path
  if (query) request.query = query
  request.body = body
}
