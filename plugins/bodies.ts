// Requests of these routes have JSON bodies, whatever their Content-Type says.
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { ApiError } from '../spec/errors.ts'

const LIMIT_BYTES = 16 * 1024
const TYPE = 'application/json'

async function bodies(app: FastifyInstance) {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    raw.headers['content-type'] = TYPE // Fastify validates only bodies of a type that the document describes
    done()
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>(TYPE, { parseAs: 'string', bodyLimit: LIMIT_BYTES }, (_request, text, done) => {
    try {
      done(null, text === '' ? undefined : JSON.parse(text))
    } catch {
      done(new ApiError('invalid_request', 'The body is not JSON.'))
    }
  })
}

export default fp(bodies, { name: 'bodies', dependencies: ['errors'] })
