// Responds to methods that a path does not have: to OPTIONS with 204, to any other with 405, and to HEAD like to GET.
import { METHODS } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { EdgeError } from './errors.ts'

/** OPTIONS is left out: it works on every path, and plugins for CORS add it to paths that do not exist. */
const methods = METHODS.filter((method) => method !== 'OPTIONS')

/** @param hasCors whether this package's own CORS has added a route of OPTIONS for all paths */
export function rejectOtherMethods(app: FastifyInstance, hasCors: boolean): void {
  app.addHook('onRoute', (route) => {
    const declared = [route.method].flat()
    // Fastify's own routes of HEAD would send `content-length: 0` with a 304. Plugins for WebSockets accept GET alone.
    const impliesHead = declared.includes('GET') && !declared.includes('HEAD') && !('websocket' in route)
    if (impliesHead && !app.hasRoute({ method: 'HEAD', url: route.url })) route.method = [...declared, 'HEAD']
  })

  /** Passing what no route is constrained by would match no route. */
  function constraintsOf({ headers }: FastifyRequest) {
    const { host = '', 'accept-version': version } = headers
    const hasVersion = version !== undefined && app.hasConstraintStrategy('version')
    return { ...(app.hasConstraintStrategy('host') && { host }), ...(hasVersion && { version: String(version) }) }
  }

  function allowedAt(request: FastifyRequest): string[] {
    const target = { url: request.url, constraints: constraintsOf(request) }
    return methods.filter((method) => app.findRoute({ method, ...target }) !== null)
  }

  app.addHook('onRequest', (request, reply, done) => {
    const isOptions = request.method === 'OPTIONS'
    if (!request.is404 && !(isOptions && hasCors && request.routeOptions.url === '*')) return done()
    const isServer = isOptions && request.originalUrl === '*' // about the server as a whole (RFC 9110, section 9.3.7)
    const allowed = isServer ? [] : allowedAt(request)
    if (allowed.length === 0 && !isServer) return done()
    if (!isServer) reply.header('allow', allowed.join(', '))
    if (isOptions) reply.code(204).send()
    else done(new EdgeError('method_not_allowed'))
  })
}
