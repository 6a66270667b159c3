// Handles methods that a path does not declare: OPTIONS, and 405 with Allow for all others.
import { type IncomingMessage, METHODS } from 'node:http'
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
  /** Those that no path declares. All are routed as one: routes for each took two thirds of the time to build an app. */
  let rare = new Set<string>()
  let standIn = ''
  /** The methods of requests that are being routed. */
  const sent = new WeakMap<IncomingMessage, string>()

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
    const all = [...paths.values()]
    const usual = new Set(['OPTIONS', ...all.flatMap(({ declared }) => withHead(declared))])
    rare = new Set(routedMethods.filter((method) => !usual.has(method)))
    const routed = [...usual, ...[...rare].slice(0, 1)]
    ;[standIn = ''] = rare
    for (const { instance, routePath, prefixTrailingSlash, declared } of all) {
      const served = withHead(declared)
      const allow = served.join(', ')
      instance.route({
        method: routed.filter((method) => !served.includes(method)),
        url: routePath,
        ...(prefixTrailingSlash && { prefixTrailingSlash }),
        handler: (request, reply) => respond(request, reply, allow),
      })
    }
  }

  /** Call it before a request is routed. */
  function disguise(request: IncomingMessage) {
    const method = request.method as string
    if (!rare.has(method)) return
    sent.set(request, method)
    request.method = standIn
  }

  /** Call it once a request has been routed, before anything reads its method. */
  function restore(request: IncomingMessage) {
    if (request.method === standIn) request.method = sent.get(request) as string
  }

  return { addTo, reject, disguise, restore }
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
