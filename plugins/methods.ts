// Other methods on a known path: 405 with Allow, before authentication. OPTIONS says what the path answers to.
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
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    const target = request.url.replace(/^https?:\/\/[^/?]*/i, '').replace(/\?.*/s, '') // RFC 9112 3.2: origin or absolute form
    const path = [...paths.values()].find(({ pattern }) => pattern.test(target))
    if (!path) return
    const allow = path.allow.join(', ')
    reply.header('allow', allow)
    if (request.method === 'OPTIONS') return reply.code(204).send()
    throw new ApiError('method_not_allowed', `This path answers to: ${allow}.`)
  })
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
