// Routes the document's operations to their handlers. The server does not start if an operation has none.
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler, RouteOptions } from 'fastify'
import openapiGlue from 'fastify-openapi-glue'
import fp from 'fastify-plugin'
import { isSafe } from '../../http/methods.ts'
import { type Document, type Operation, operationsOf, resolve } from '../../spec/model/document.ts'
import { type ErrorOf, type Input, readerOf } from './input.ts'
import { checkOf, type Output, type OutputCheck, respond } from './output.ts'
import { compilerOf } from './schemas.ts'
import { requireSupported, requireValid } from './supported.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The document's operation for a route; routes of the documentation have none. */
    operation?: Operation
  }
  interface FastifyRequest {
    /** The argument of the operation's handler. */
    input: Input
  }
  interface FastifyReply {
    /** What the operation's handler returned. */
    output?: Output
  }
}

type AnyHandler<Services> = (input: never, services: Services) => Promise<Output>
type Guard = (operation: { isSafe: boolean }) => onRequestHookHandler[]
type Guards = Readonly<Record<string, Guard>>

export interface ContractOptions<Services> {
  document: Document
  /** The path that the document's paths are relative to. */
  prefix: string
  /** A handler for each operationId. */
  handlers: Readonly<Record<string, AnyHandler<Services>>>
  /** The file with the table of handlers, for the message about a missing one. */
  handlersFile: string
  services: Services
  /** The hooks that enforce each security scheme. */
  guards: Guards
  /** The error of a request that differs from the document. */
  errorOf: ErrorOf
  /** Validates what handlers return against the document; a mismatch becomes a 500. */
  checkResponses?: boolean | undefined
}

const noInput: Input = {}

/** @throws naming the operation when it has no handler, or a security scheme or a feature that is not implemented */
async function contract<Services>(app: FastifyInstance, options: ContractOptions<Services>) {
  const { document, prefix, handlers, handlersFile, services, guards, errorOf, checkResponses } = options
  await requireValid(document)
  const operations = operationsOf(document)
  const received = compilerOf(document, 'received')
  const compile = checkResponses && { received, sent: compilerOf(document, 'sent') }
  const wired = new Set<string>()
  if (!app.hasRequestDecorator('input')) app.decorateRequest('input').decorateReply('output')

  function route(operationId: string, method: string, path: string): RouteOptions {
    const operation = operations.find((one) => one.method === method && one.path === path)?.operation
    if (!operation?.operationId) throw new Error(`${method} ${path} has no operationId`)
    if (wired.has(operationId)) throw new Error(`${operationId} is the operationId of two operations`)
    const handler = Object.hasOwn(handlers, operationId) && handlers[operationId]
    if (!handler) throw new Error(`${operationId} has no handler in ${handlersFile}`)
    wired.add(operationId)
    const onRequest = guardsOf(operation, document, guards, method)
    const { read, check } = compileOperation(path, operation)
    const preValidation = read && {
      preValidation: (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
        request.input = read(request)
        done()
      },
    }
    // Glue adds the method and the url, and would add schemas: everything is validated here.
    const added = {
      handler: adapt(handler, services, check),
      onRequest,
      ...preValidation,
      config: { operation },
      schema: {},
    }
    return added as Partial<RouteOptions> as RouteOptions
  }

  function compileOperation(path: string, operation: Operation) {
    try {
      requireSupported(document, path, operation)
      const check = compile ? checkOf(document, operation, compile) : undefined
      return { read: readerOf(document, path, operation, received, errorOf), check }
    } catch (error) {
      throw new Error(`${operation.operationId}: ${(error as Error).message}`, { cause: error })
    }
  }

  // The contract parses bodies itself. Glue logs a warning for each media type, of responses as well, that Fastify has no
  // parser for; responses are JSON.
  for (const type of [
    'application/json',
    ...operations.flatMap(({ operation }) => mediaTypesOf(operation, document)),
  ]) {
    if (!app.hasContentTypeParser(type)) app.addContentTypeParser(type, (_request, _payload, done) => done(null))
  }
  await app.register(openapiGlue, { specification: document, prefix, operationResolver: route, addCookieSchema: true })
  for (const { operation, method, path } of operations) {
    const { operationId = 'an operation' } = operation
    if (!wired.has(operationId)) throw new Error(`${operationId} cannot be routed: ${method} ${path}`)
  }
  for (const name of Object.keys(handlers)) {
    if (!wired.has(name)) throw new Error(`${name} has a handler, but is no operation of the document`)
  }
}

function adapt<Services>(handler: AnyHandler<Services>, services: Services, check: OutputCheck | undefined) {
  return ({ input = noInput }: FastifyRequest, reply: FastifyReply) => {
    // Without an async function around it: a reply is thenable, which its promise would wait for.
    handler(input as never, services)
      .then((output) => {
        check?.(output)
        reply.output = output
        respond(reply, output)
      })
      .catch((error) => reply.send(asError(error)))
  }
}

const asError = (thrown: unknown) =>
  thrown instanceof Error ? thrown : new Error('a value that is not an Error was thrown', { cause: thrown })

function mediaTypesOf({ requestBody }: Operation, document: Document): string[] {
  return requestBody ? Object.keys(resolve(requestBody, document).content) : []
}

function guardsOf(
  { operationId, security }: Operation,
  document: Document,
  guards: Guards,
  method: string,
): onRequestHookHandler[] {
  const inherited = document.security?.length ? document.security : undefined
  const alternatives = security ?? inherited
  if (!alternatives) throw new Error(`${operationId} has no security: say "security: []" if it is open to all`)
  if (alternatives.length === 0) return []
  const [scheme, ...others] = alternatives.flatMap((alternative) => Object.keys(alternative))
  if (scheme === undefined || others.length > 0 || alternatives.length > 1) {
    throw new Error(`${operationId} must have exactly one security scheme`)
  }
  const guard = Object.hasOwn(guards, scheme) && guards[scheme]
  if (!guard) throw new Error(`${operationId} has the security scheme "${scheme}", which is not implemented`)
  return guard({ isSafe: isSafe(method) })
}

export default fp(contract, {
  name: 'contract',
  dependencies: ['protocol', 'bodies'],
})
