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
/** How to wait for the bodies of operations. */
const waits = new WeakMap<FastifyRequest, { wait: WaitForBody; isDeclared: boolean }>()

/** The body of a request and its Content-Type; undefined unless its operation declares a body and it has either. */
export const contentOf = (request: FastifyRequest) => contents.get(request)

const nothing = Buffer.alloc(0)

export function receiveBodies(app: FastifyInstance, operationOf: OperationOf, limits: ConnectionLimits): void {
  const kept = { limit: app.initialConfig.bodyLimit as number, isKept: true }

  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    const type = raw.headers['content-type']
    const hasBytes = hasBody(raw)
    if (type === undefined && !hasBytes) return done() // like most requests: finding what the route declares takes longer
    const operation = operationOf(request.routeOptions.config)
    const isDeclared = operation?.body !== undefined
    if (isDeclared && type !== undefined) contents.set(request, { type, bytes: nothing })
    if (!hasBytes) return done()
    if (!countIncomplete(raw, request.ip, limits)) return done(refused(reply))
    const wait = receiveBody(raw, reply.raw, isDeclared ? kept : {})
    if (operation) waits.set(request, { wait, isDeclared })
    done()
  })
  app.addHook('preValidation', waitIf(true))
  // Framing errors, too: a request that is not complete has no effect.
  app.addHook('preHandler', waitIf(false))

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

function waitIf(isDeclared: boolean) {
  return (request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction) => {
    const body = waits.get(request)
    if (body?.isDeclared !== isDeclared) return done()
    body.wait((error, bytes) => {
      if (bytes.length > 0) contents.set(request, { type: contentOf(request)?.type, bytes })
      done(error instanceof BodyTooLargeError ? new EdgeError('payload_too_large') : error)
    })
  }
}
