// One log line per request: when its response is complete, or when its connection is lost.
import { hostname } from 'node:os'
import process from 'node:process'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { wasAborted } from '../http/connections.ts'

/** Notified of every request. */
export interface RequestObserver {
  began(reply: FastifyReply): void
  /** `isAborted` if the connection was lost before the response was complete. */
  ended(request: FastifyRequest, reply: FastifyReply, isAborted: boolean): void
  /** Calls the handler of a request. */
  around?(reply: FastifyReply, handle: () => void): void
  /** For the log line. Undefined for a request that is not recorded, unless its client traces it. */
  traceIdOf?(reply: FastifyReply): string | undefined
}

export interface RequestLogOptions {
  level: string
  stream: { write(line: string): void }
}

const levels: Record<string, number> = { trace: 10, debug: 20, info: 30 }

/**
 * Bypasses pino but keeps its format: pino's serialization takes four times as long.
 * Without options, nothing is logged.
 */
export function requestLog(options?: RequestLogOptions, observers: readonly RequestObserver[] = []): LogController {
  const output = options && { threshold: levels[options.level] ?? Number.POSITIVE_INFINITY, stream: options.stream }
  return new RequestLog(output, observers)
}

/** Adds the hooks that observers of `requestLog` need. */
export function addObservers(app: FastifyInstance, observers: readonly RequestObserver[] = []) {
  // Without a log, Fastify calls them only if there is such a hook.
  if (observers.length > 0) app.addHook('onResponse', (_request, _reply, done) => done())
  for (const { around } of observers)
    if (around) app.addHook('preHandler', (_request, reply, done) => around(reply, done))
}

interface Output {
  threshold: number
  stream: RequestLogOptions['stream']
}

class RequestLog extends LogController {
  readonly #output: Output | undefined
  readonly #observers: readonly RequestObserver[]
  readonly #tracer: RequestObserver | undefined
  readonly #process = `,"pid":${process.pid},"hostname":${JSON.stringify(hostname())},"reqId":`

  constructor(output: Output | undefined, observers: readonly RequestObserver[]) {
    super()
    this.#output = output
    this.#observers = observers
    this.#tracer = observers.find(({ traceIdOf }) => traceIdOf)
  }

  override incomingRequest({ raw }: FastifyRequest, reply: FastifyReply) {
    if (this.#output) void raw.socket.remoteAddress // Node caches it, so that it outlives the connection
    for (const observer of this.#observers) observer.began(reply)
  }

  override requestCompleted(_error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const isAborted = wasAborted(reply.raw) // Fastify passes no error on if there are hooks
    if (this.#output) this.#write(this.#output, request, reply, isAborted)
    for (const observer of this.#observers) observer.ended(request, reply, isAborted)
  }

  #write({ threshold, stream }: Output, request: FastifyRequest, reply: FastifyReply, isAborted: boolean) {
    const { operation, isProbe } = request.routeOptions.config
    const level = isProbe ? 20 : 30
    if (level < threshold) return
    const { id, ip, method, url, keyName } = request
    const query = url.indexOf('?')
    const traceId = this.#tracer?.traceIdOf?.(reply)
    let line = `{"level":${level},"time":${Date.now()}${this.#process}${JSON.stringify(id)}`
    line += `,"remoteAddress":${JSON.stringify(ip ?? null)}`
    line += `,"method":"${method}"`
    line += `,"path":${JSON.stringify(query < 0 ? url : url.slice(0, query))}`
    if (traceId !== undefined) line += `,"trace_id":"${traceId}"`
    if (operation) line += `,"operationId":${JSON.stringify(operation.id)}`
    if (keyName !== undefined) line += `,"key":${JSON.stringify(keyName)}`
    line += `,"status":${reply.statusCode}`
    line += `,"durationMs":${reply.elapsedTime.toFixed(3)}`
    if (!isAborted) line += `,"bytes":${bytesOf(method, reply)}`
    stream.write(`${line},"msg":"request ${isAborted ? 'aborted' : 'completed'}"}\n`)
  }
}

/** The length of the body; a response to HEAD has the length that the body would have. */
function bytesOf(method: string, reply: FastifyReply): number {
  return method === 'HEAD' ? 0 : Number(reply.getHeader('content-length') ?? 0)
}
