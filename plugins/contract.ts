// Connects the document's operations to their handlers. The server does not start if any operation lacks a handler.
import { Validator } from '@seriousme/openapi-schema-validator'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler, RouteOptions } from 'fastify'
import openapiGlue from 'fastify-openapi-glue'
import fp from 'fastify-plugin'
import { headWith } from '../http/headers.ts'
import { type Document, type Operation, operationsOf } from '../spec/document.ts'
import { OrderList } from '../store/page.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The document's operation for a route; routes of the documentation have none. */
    operation?: Operation
  }
  interface FastifyReply {
    /** What the operation's handler returned. */
    answer?: AnyReply
  }
}

type AnyHandler<Services> = (params: never, services: Services, body: never) => Promise<AnyReply>
type AnyReply = { status: number; body?: unknown; headers?: Readonly<Record<string, string>> }
type Guard = (operation: { isSafe: boolean }) => onRequestHookHandler[]
type Guards = Readonly<Record<string, Guard>>

export interface ContractOptions<Services> {
  document: Document
  /** The path that the document's paths are relative to. */
  prefix: string
  /** A handler for each operationId. */
  handlers: Readonly<Record<string, AnyHandler<Services>>>
  /** The file that the table of handlers is in, for the message about a missing one. */
  handlersFile: string
  services: Services
  /** The hooks that enforce each security scheme. */
  guards: Guards
}

/** @throws naming the operation, when an operation, a handler or a security scheme lacks its counterpart */
async function contract<Services>(app: FastifyInstance, options: ContractOptions<Services>) {
  const { document, prefix, handlers, handlersFile, services, guards } = options
  const operations = operationsOf(document)
  const wired = new Set<string>()

  function route(operationId: string, method: string, path: string): RouteOptions {
    const operation = operations.find((one) => one.method === method && one.path === path)?.operation
    if (!operation?.operationId) throw new Error(`${method} ${path} has no operationId`)
    if (wired.has(operationId)) throw new Error(`${operationId} is the operationId of two operations`)
    const handler = Object.hasOwn(handlers, operationId) && handlers[operationId]
    if (!handler) throw new Error(`${operationId} has no handler in ${handlersFile}`)
    wired.add(operationId)
    return {
      handler: adapt(handler, services),
      onRequest: guardsOf(operation, document, guards, isSafe(method)),
      config: { operation },
    } as RouteOptions // glue adds the method and the url
  }

  await validate(document)
  await app.register(openapiGlue, { specification: document, prefix, operationResolver: route })
  for (const { operation, method, path } of operations) {
    const { operationId = 'an operation' } = operation
    if (!wired.has(operationId)) throw new Error(`${operationId} cannot be routed: ${method} ${path}`)
  }
  for (const name of Object.keys(handlers)) {
    if (!wired.has(name)) throw new Error(`${name} has a handler, but is no operation of the document`)
  }
}

function adapt<Services>(handler: AnyHandler<Services>, services: Services) {
  return ({ params, body }: FastifyRequest, reply: FastifyReply) => {
    // Without an async function around it: a reply is thenable, which its promise would wait for.
    handler(params as never, services, body as never)
      .then((answer) => {
        reply.answer = answer
        respond(reply, answer)
      })
      .catch((error) => reply.send(asError(error)))
  }
}

const asError = (thrown: unknown) =>
  thrown instanceof Error ? thrown : new Error('what was thrown is no Error', { cause: thrown })

/** Needs no hook and no serializer. */
const withoutBody = headWith({})

function respond(reply: FastifyReply, { status, body, headers }: AnyReply) {
  if (headers) reply.headers(headers)
  if (body instanceof OrderList) reply.sendList(body)
  else if (body === undefined) reply.writeHead(status, withoutBody).end()
  else reply.code(status).send(body)
}

/** RFC 9110, section 9.2.1: the client asks for no change. */
const isSafe = (method: string) => method === 'GET'

function guardsOf(
  { operationId, security }: Operation,
  document: Document,
  guards: Guards,
  isSafe: boolean,
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
  return guard({ isSafe })
}

type Findings = NonNullable<Awaited<ReturnType<Validator['validate']>>['errors']>

const validated = new WeakSet<Document>()

/** Glue validates as well, but prints its findings to stdout, which is the log here. @throws with the most specific one */
async function validate(document: Document) {
  if (validated.has(document)) return
  const { errors } = await new Validator().validate(structuredClone(document) as object as Record<string, unknown>)
  if (errors) throw new Error(`the document is not valid OpenAPI: ${describe(errors, document)}`)
  validated.add(document)
}

/** The most specific finding, with the operation that it is in. */
function describe(findings: Findings, document: Document): string {
  if (typeof findings === 'string') return findings
  const { instancePath, message } = findings.reduce((one, other) =>
    other.instancePath.length > one.instancePath.length ? other : one,
  )
  const [, , path, method] = instancePath
    .split('/')
    .map((key: string) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  const found = operationsOf(document).find((one) => one.path === path && one.method.toLowerCase() === method)
  const place = found?.operation.operationId ?? ''
  return `${place} ${instancePath} ${message}`.trim()
}

export default fp(contract, {
  name: 'contract',
  dependencies: ['protocol', 'errors', 'methods', 'validator', 'preconditions', 'lifecycle', 'list'],
})
