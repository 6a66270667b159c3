// Graceful shutdown: what has arrived is served, and each response ends its connection.
import type { FastifyInstance } from 'fastify'
import { endConnections } from '../server.ts'

export function drain(graceMs = 5_000, shutdown?: AbortSignal) {
  let isEnding = shutdown?.aborted ?? false
  const announce = () => {
    isEnding = true
  }
  shutdown?.addEventListener('abort', announce)

  function addTo(app: FastifyInstance) {
    app.addHook('onRequest', (_request, reply, done) => {
      if (isEnding) reply.header('connection', 'close')
      done()
    })
    app.addHook('preClose', async () => {
      announce()
      if (app.server.listening) endConnections(app.server, graceMs)
    })
  }

  /** `isShuttingDown` is true once the shutdown was announced or the server closes. */
  return { addTo, isShuttingDown: () => isEnding }
}
