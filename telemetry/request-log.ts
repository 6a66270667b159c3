// One log line per request: when its response is complete, or when its connection is lost.
import { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { wasAborted } from 'http-edge'
import { normalizeIp } from 'http-edge/addresses'
import { failureOf } from 'http-edge/fastify'

/** Notified of every request. */
export interface RequestObserver {
  began(reply: FastifyReply): void
  /** Called just before the headers are written, unless `hijackWithHead` writes them. */
  sending?(reply: FastifyReply): void
  /** `isAborted` if the connection was lost before the response was complete. */
  ended(request: FastifyRequest, reply: FastifyReply, isAborted: boolean): void
  /** Calls the handler of a request. */
  around?(reply: FastifyReply, handle: () => void): void
  /** The trace in the log line. Undefined for a request that is not recorded, unless its client traces it. */
  traceIdOf?(reply: FastifyReply): string | undefined
}

export interface RequestLogOptions {
  level: string
  stream: { write(line: string): void }
}

export const requestLog = (observers: readonly RequestObserver[] = []): LogController => new RequestLog(observers)

/** Adds the hooks that observers of `requestLog` need. */
export function addObservers(app: FastifyInstance, observers: readonly RequestObserver[] = []) {
  // If the log is off, Fastify calls observers only if there is such a hook.
  if (observers.length > 0) app.addHook('onResponse', (_request, _reply, done) => done())
  for (const { around, sending } of observers) {
    if (sending)
      app.addHook('onSend', (_request, reply, _payload, done) => {
        sending(reply)
        done()
      })
    if (around) app.addHook('preHandler', (_request, reply, done) => around(reply, done))
  }
}

class RequestLog extends LogController {
  readonly #observers: readonly RequestObserver[]
  readonly #tracer: RequestObserver | undefined

  constructor(observers: readonly RequestObserver[]) {
    super()
    this.#observers = observers
    this.#tracer = observers.find(({ traceIdOf }) => traceIdOf)
  }

  override incomingRequest(_request: FastifyRequest, reply: FastifyReply) {
    for (const observer of this.#observers) observer.began(reply)
  }

  override requestCompleted(_error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const isAborted = wasAborted(reply.raw) // Fastify passes no error on if there are hooks
    const { ip, method, url, apiKey } = request
    const { operation, isProbe } = request.routeOptions.config
    const line = {
      remoteAddress: normalizeIp(ip) || null,
      method,
      path: url.split('?', 1)[0],
      trace_id: this.#tracer?.traceIdOf?.(reply),
      operationId: operation?.id,
      key: apiKey?.name,
      status: reply.statusCode,
      ...errorOf(reply),
      durationMs: Number(reply.elapsedTime.toFixed(3)),
      bytes: isAborted ? undefined : bytesOf(method, reply),
    }
    request.log[isProbe ? 'debug' : 'info'](line, isAborted ? 'request aborted' : 'request completed')
    for (const observer of this.#observers) observer.ended(request, reply, isAborted)
  }
}

/** Why the response is an error. What handlers return has a code as well, and of 5xx the message names the cause. */
function errorOf(reply: FastifyReply) {
  if (reply.statusCode < 400) return undefined
  const { code, message } = (reply.output?.body ?? {}) as { code?: string; message?: string }
  return failureOf(reply) ?? { code, reason: reply.statusCode >= 500 ? message : undefined }
}

/** The length of the body; a response to HEAD has the length that the body would have. */
function bytesOf(method: string, reply: FastifyReply): number {
  return method === 'HEAD' ? 0 : Number(reply.getHeader('content-length') ?? 0)
}
