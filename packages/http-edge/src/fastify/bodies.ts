// Receives request bodies. Only operations wait for them: for one that an operation declares before its validation, for
// any other before the handler. All other responses, such as 401, 404 and 405, are sent without the body.
import { METHODS } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { BodyTooLargeError, countIncomplete, receiveBody, type WaitForBody } from '../body.ts'
import type { ConnectionLimits } from '../connection-limits.ts'
import { closeAfter } from '../connections.ts'
import { hasBody } from '../headers.ts'
import { EdgeError } from './errors.ts'
import type { OperationOf } from './operation.ts'

/** The contents of requests whose operation declares a body. */
const contents = new WeakMap<FastifyRequest, { type: string | undefined; bytes: Buffer }>()
/** How to wait for the body of each request that has one. */
const waits = new WeakMap<FastifyRequest, WaitForBody>()

/** The body of a request and its Content-Type; undefined unless its operation declares a body and it has either. */
export const contentOf = (request: FastifyRequest) => contents.get(request)

const nothing = Buffer.alloc(0)

export function receiveBodies(app: FastifyInstance, operationOf: OperationOf, limits: ConnectionLimits): void {
  const isOperation = (request: FastifyRequest) => operationOf(request.routeOptions.config) !== undefined
  const kept = { limit: app.initialConfig.bodyLimit as number, isKept: true }
  const isDeclared = (request: FastifyRequest) => operationOf(request.routeOptions.config)?.body !== undefined

  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    const type = raw.headers['content-type']
    const isKept = isDeclared(request)
    if (isKept && type !== undefined) contents.set(request, { type, bytes: nothing })
    if (!hasBody(raw)) return done()
    if (!countIncomplete(raw, request.ip, limits)) return done(refused(reply))
    waits.set(request, receiveBody(raw, reply.raw, isKept ? kept : {}))
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    if (isDeclared(request)) wait(request, keep, done)
    else done()
  })
  // Framing errors, too: a request that is not complete has no effect.
  app.addHook('preHandler', (request, _reply, done) => {
    if (isOperation(request) && !isDeclared(request)) wait(request, () => {}, done)
    else done()
  })

  // Fastify parses no body, and rejects no Content-Type before the guards have run.
  for (const method of METHODS) {
    if (method !== 'CONNECT') app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  }
}

/** 429, not 503: only this address is limited, and the server is well. The connection is closed instead of read. */
function refused(reply: FastifyReply): EdgeError {
  closeAfter(reply.raw)
  reply.header('retry-after', 1)
  return new EdgeError('rate_limited', 'Your address has too many requests whose body is incomplete. Try again later.')
}

function wait(request: FastifyRequest, take: typeof keep, done: HookHandlerDoneFunction) {
  const waitForBody = waits.get(request)
  if (!waitForBody) return done()
  waitForBody((error, bytes) => {
    take(request, bytes)
    done(error instanceof BodyTooLargeError ? new EdgeError('payload_too_large') : error)
  })
}

function keep(request: FastifyRequest, bytes: Buffer) {
  if (bytes.length > 0) contents.set(request, { type: contentOf(request)?.type, bytes })
}
