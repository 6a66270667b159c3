// Graceful shutdown: what has arrived is served, and each response ends its connection.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { ResponseCounts } from '../connections.ts'
import { closeServer } from '../server.ts'

/** @param responses of the servers of the app */
export function drain(responses: ResponseCounts, graceMs = 5_000, shutdown?: AbortSignal) {
  let isEnding = shutdown?.aborted ?? false
  let before = { ...responses }
  const announce = () => {
    if (!isEnding) before = { ...responses }
    isEnding = true
  }
  shutdown?.addEventListener('abort', announce)

  function addTo(app: FastifyInstance) {
    app.addHook('onRequest', (_request, reply, done) => {
      if (isEnding) reply.header('connection', 'close')
      done()
    })
    let hasListened = false
    app.addHook('preClose', async () => {
      announce()
      hasListened = app.server.listening
      if (hasListened) await closeServer(app.server, graceMs)
    })
    // Once all connections have ended. Of these hooks, the first to be added runs last.
    app.addHook('onClose', async () => {
      // The event loop closes sockets, which ends the requests that were cut off, at the end of the turn.
      for (let turns = 0; turns < 2; turns++) await nextTurn()
      const [served, aborted] = [responses.served - before.served, responses.aborted - before.aborted]
      const text = `requests since the shutdown began: ${served} served, ${aborted || 'none'} aborted`
      if (hasListened) app.log.info({ served, aborted }, text)
    })
  }

  /** `isShuttingDown` is true once the shutdown was announced or the server closes. */
  return { addTo, isShuttingDown: () => isEnding }
}
