// Creates the server of an application by Fastify's own options.
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { createServer as createSecureServer, type ServerOptions as SecureServerOptions } from 'node:https'
import { type AttachOptions, attach, IDLE_TIMEOUT_MS, serverOptions } from '../server.ts'

/** The most bytes of a body that an operation declares. */
const BODY_LIMIT = 16 * 1024

/** Fastify's options, in its units: `connectionTimeout` closes idle connections. */
export function limitOptions(isForOperations: boolean) {
  const { requestTimeout, keepAliveTimeout } = serverOptions
  const limits = { requestTimeout, keepAliveTimeout, connectionTimeout: IDLE_TIMEOUT_MS }
  return isForOperations ? { ...limits, bodyLimit: BODY_LIMIT } : limits
}

/** The argument of a server factory: Fastify's options, with defaults for the limits. */
interface FastifyServerOptions {
  http?: ServerOptions | null
  https?: SecureServerOptions | true | null
  http2?: boolean
  requestTimeout: number
  keepAliveTimeout: number
  connectionTimeout: number
  maxRequestsPerSocket?: number
}

export const serverFactory =
  (shared: Pick<AttachOptions, 'connectionLimits' | 'responses'>) =>
  <Created extends Server>(listener: RequestListener, fastifyOptions: object): Created => {
    const options = fastifyOptions as FastifyServerOptions
    const { http, https, http2, requestTimeout, keepAliveTimeout, connectionTimeout, maxRequestsPerSocket } = options
    if (http2) throw new Error('http-edge serves HTTP/1.1: leave out the option http2, and let a proxy speak HTTP/2')
    const common = {
      ...serverOptions,
      requestTimeout,
      headersTimeout: Math.min(serverOptions.headersTimeout, requestTimeout || Number.POSITIVE_INFINITY),
      keepAliveTimeout,
      requireHostHeader: false, // checked by a hook: Node's response would not be an Error
    }
    const server: Server = https
      ? createSecureServer({
          ...common,
          handshakeTimeout: serverOptions.headersTimeout,
          ...Object(https),
        })
      : createServer({ ...common, ...http })
    server.maxRequestsPerSocket = maxRequestsPerSocket as number // Fastify's default is 0
    return attach(server, listener, { ...shared, idleTimeout: connectionTimeout }) as Created
  }
