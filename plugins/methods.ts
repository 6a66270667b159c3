// What no route matches: 405 with Allow on a known path, 404 on others. OPTIONS says what a path answers to.
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { ApiError } from '../spec/errors.ts'

/** HEAD goes with every GET, and OPTIONS with every path: Allow lists the declared methods. */
const implied = ['HEAD', 'OPTIONS']

async function methods(app: FastifyInstance) {
  const paths = new Map<string, { pattern: RegExp; allow: string[] }>()

  app.addHook('onRoute', ({ url, method }) => {
    const path = paths.get(url) ?? { pattern: patternOf(url), allow: [] }
    path.allow.push(...[method].flat().filter((name) => !implied.includes(name)))
    paths.set(url, path)
  })
  app.addHook('onRequest', (request, reply, done) => {
    const isRouted = !request.is404 && request.method !== 'OPTIONS' // which @fastify/cors routes on every path
    if (isRouted) return done()
    const path = find(request.url)
    if (!path) return done(new ApiError('not_found'))
    const allow = path.allow.join(', ')
    reply.header('allow', allow)
    if (request.method === 'OPTIONS') reply.code(204).send()
    else done(new ApiError('method_not_allowed', `This path answers to: ${allow}.`))
  })

  /** `url` is in origin form or in absolute form, RFC 9112 3.2. */
  function find(url: string) {
    const target = url.replace(/^https?:\/\/[^/?]*/i, '').replace(/\?.*/s, '')
    return [...paths.values()].find(({ pattern }) => pattern.test(target))
  }
}

/** The paths that the router takes for `url`: `:name` is one segment, an empty one too, `*` the rest. */
function patternOf(url: string): RegExp {
  const source = url.replace(/:\w+|\W/g, (part) => {
    if (part === '*') return '.*'
    return part.startsWith(':') ? '[^/]*' : `\\${part}`
  })
  return new RegExp(`^${source}$`)
}

export default fp(methods, { name: 'methods' })
