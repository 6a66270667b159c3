// Handles methods that a path does not declare: OPTIONS, and 405 with Allow for all others.
import { METHODS } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { EdgeError } from './errors.ts'

interface Path {
  instance: FastifyInstance
  /** Relative to the prefix of the instance. */
  routePath: string
  prefixTrailingSlash: RouteOptions['prefixTrailingSlash']
  declared: string[]
}

/** CONNECT has no path. */
const routedMethods = METHODS.filter((method) => method !== 'CONNECT')

export function otherMethods() {
  const paths = new Map<string, Path>()

  function addTo(app: FastifyInstance) {
    for (const method of routedMethods) {
      // Fastify rejects a QUERY without a body before its handler runs.
      const overrideExisting = method === 'QUERY'
      if (overrideExisting || !app.supportedMethods.includes(method)) app.addHttpMethod(method, { overrideExisting })
    }
    app.addHook('onRoute', function (this: FastifyInstance, route) {
      const declared = [route.method].flat().filter((method) => method !== 'HEAD')
      if (declared.includes('GET')) route.method = withHead(declared)
      const key = withoutNames(route.url)
      const { routePath, prefixTrailingSlash } = route
      const path = paths.get(key) ?? { instance: this, routePath, prefixTrailingSlash, declared: [] }
      path.declared.push(...declared)
      paths.set(key, path)
    })
  }

  /** Adds the routes of the other methods. Call it after all routes are registered. */
  function reject() {
    for (const { instance, routePath, prefixTrailingSlash, declared } of [...paths.values()]) {
      const served = withHead(declared)
      const allow = served.join(', ')
      const others = routedMethods.filter((method) => !served.includes(method))
      instance.route({
        method: others,
        url: routePath,
        ...(prefixTrailingSlash && { prefixTrailingSlash }),
        handler: (request, reply) => respond(request, reply, allow),
      })
    }
  }

  return { addTo, reject }
}

/** Routes that differ only in the names of their parameters are one path. A doubled colon is a character. */
const withoutNames = (url: string) => url.replace(/(?<!:):\w+/g, ':')

/** Every GET implies HEAD. */
function withHead(methods: string[]): string[] {
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods
}

function respond({ method }: FastifyRequest, reply: FastifyReply, allow: string) {
  reply.header('allow', allow)
  if (method === 'OPTIONS') return reply.code(204).send()
  throw new EdgeError('method_not_allowed')
}
