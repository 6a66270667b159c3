// Shutting down: requests in flight are finished, new ones are refused, idle connections are closed.
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { ApiError } from '../spec/errors.ts'

export interface DrainOptions {
  /** How long requests in flight may take once the server closes. */
  graceMs?: number
}

async function drain(app: FastifyInstance, { graceMs = 5_000 }: DrainOptions) {
  let closing = false

  app.addHook('onRequest', (_request, reply, done) => {
    if (!closing) return done()
    reply.header('retry-after', Math.ceil(graceMs / 1000))
    done(new ApiError('unavailable'))
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close')
    done()
  })
  app.addHook('preClose', async () => {
    closing = true
    if (!app.server.listening) return
    // close() waits for connections that fall idle after it was called, too (fastify issue 7044).
    const reaper = setInterval(() => app.server.closeIdleConnections(), 50)
    const end = setTimeout(() => app.server.closeAllConnections(), graceMs)
    app.server.once('close', () => {
      clearInterval(reaper)
      clearTimeout(end)
    })
  })
}

export default fp(drain, { name: 'drain' })
